// SPDX-License-Identifier: MIT

import CoreAudioTypes

/// The movie's defaults for fragments of a track (ISO/IEC 14496-12, 8.8.3).
struct MP4FragmentDefaults {
    var track: UInt32
    var sampleDuration: UInt32 = 0
    var sampleBytes: UInt32 = 0

    init(track: UInt32) {
        self.track = track
    }

    init?(trex: MP4Bytes) {
        guard let track = trex.uint32(at: 4), let duration = trex.uint32(at: 12),
            let bytes = trex.uint32(at: 16)
        else { return nil }
        (self.track, sampleDuration, sampleBytes) = (track, duration, bytes)
    }
}

/// Consecutive samples of a fragment.
struct MP4FragmentRun {
    var byteOffset: Int64
    var sampleCount: Int64
    /// The duration of a sample; nil if each sample has its own.
    var duration: UInt32?
    var sampleBytes: UInt32?
    private let entries: MP4Bytes
    private let entryBytes: Int
    private let sizeOffset: Int

    /// Reads a run (`trun`), which begins at `next` unless the run contains an offset.
    init?(_ trun: MP4Bytes, defaults: MP4FragmentDefaults, base: Int64, next: Int64) {
        guard let flags = trun.uint32(at: 0), let count = trun.uint32(at: 4) else { return nil }
        var position = 8
        byteOffset = next
        if flags & 0x1 != 0 {
            guard let distance = trun.uint32(at: position) else { return nil }
            byteOffset = base + Int64(Int32(bitPattern: distance))
            position += 4
        }
        if flags & 0x4 != 0 { position += 4 }
        duration = flags & 0x100 == 0 ? defaults.sampleDuration : nil
        sampleBytes = flags & 0x200 == 0 ? defaults.sampleBytes : nil
        sizeOffset = duration == nil ? 4 : 0
        entryBytes = ([0x100, 0x200, 0x400, 0x800] as [UInt32]).reduce(0) { $0 + (flags & $1 == 0 ? 0 : 4) }
        entries = trun.part(from: position)
        sampleCount =
            entryBytes == 0 ? Int64(count) : Int64(min(Int(count), entries.count / entryBytes))
    }

    func sampleBytes(_ sample: Int64) -> UInt32 {
        sampleBytes ?? entries.uint32(at: Int(sample) * entryBytes + sizeOffset) ?? 0
    }

    /// The end of the last sample, or an offset far beyond the end of any file.
    var endOffset: Int64 {
        let bytes =
            sampleBytes.map { Self.product(sampleCount, $0) }
            ?? (0..<sampleCount).reduce(0) { $0 + Int64(sampleBytes($1)) }
        let (end, overflow) = byteOffset.addingReportingOverflow(bytes)
        return overflow ? .max / 4 : min(end, .max / 4)
    }

    /// Multiplies up to a limit, because both values may be wrong.
    private static func product(_ count: Int64, _ value: UInt32) -> Int64 {
        let (product, overflow) = count.multipliedReportingOverflow(by: Int64(value))
        return overflow ? .max / 4 : min(product, .max / 4)
    }

    /// The total duration of the samples, in the track's time scale.
    var totalDuration: Int64 {
        if let duration { return Self.product(sampleCount, duration) }
        return (0..<Int(sampleCount)).reduce(0) { $0 + Int64(entries.uint32(at: $1 * entryBytes) ?? 0) }
    }
}

/// The runs of one track in a fragment (`moof`), in order.
struct MP4Fragment {
    private(set) var runs: [MP4FragmentRun] = []
    /// Whether the fragment has parts of any track.
    let hasTracks: Bool

    /// - Parameters:
    ///   - fileOffset: The offset of the fragment's box, to which the offsets in the box are relative.
    ///   - defaults: The defaults of all tracks, because one track's data may begin where another track's data ends.
    init(_ moof: MP4Bytes, fileOffset: Int64, track: UInt32, defaults: [MP4FragmentDefaults]) {
        let traf = FourCharacterCode(mp4: "traf")
        let trun = FourCharacterCode(mp4: "trun")
        hasTracks = moof.boxes().contains { $0.type == traf }
        // The base offset of a part that states none: the end of the previous part's data, whichever track it belongs
        // to (8.8.7).
        var end = fileOffset
        for part in moof.boxes().lazy.filter({ $0.type == traf }).prefix(256).map(\.contents) {
            guard let header = part.box("tfhd"), let owner = header.uint32(at: 4) else { continue }
            var defaults = defaults.first { $0.track == owner } ?? MP4FragmentDefaults(track: owner)
            let base = Self.read(header, &defaults, fileOffset: fileOffset) ?? end
            var next = base
            for box in part.boxes() where box.type == trun {
                let run = MP4FragmentRun(box.contents, defaults: defaults, base: base, next: next)
                guard let run, owner != track || runs.count < Self.mostRuns else { return }
                if owner == track { runs.append(run) }
                next = run.endOffset
                end = next
            }
        }
    }

    /// Reads a track's settings for all of its runs; returns its base offset, or nil if there is none.
    private static func read(
        _ tfhd: MP4Bytes, _ defaults: inout MP4FragmentDefaults, fileOffset: Int64
    ) -> Int64? {
        let flags = tfhd.uint32(at: 0) ?? 0
        var position = 8
        var base: Int64? = flags & 0x2_0000 == 0 ? nil : fileOffset
        if flags & 0x1 != 0 {
            base = tfhd.uint64(at: position).map { Int64(clamping: min($0, UInt64(Int64.max / 4))) }
            position += 8
        }
        if flags & 0x2 != 0 { position += 4 }
        if flags & 0x8 != 0 {
            defaults.sampleDuration = tfhd.uint32(at: position) ?? 0
            position += 4
        }
        if flags & 0x10 != 0 { defaults.sampleBytes = tfhd.uint32(at: position) ?? 0 }
        return base
    }

    private static let mostRuns = 65_536
}
