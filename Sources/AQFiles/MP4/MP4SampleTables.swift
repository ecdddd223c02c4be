// SPDX-License-Identifier: MIT

import CoreAudioTypes

/// The tables of the positions of a track's samples, as stored in the file (ISO/IEC 14496-12, 8.6 and 8.7).
///
/// The tables are not expanded, because two numbers may describe billions of samples.
struct MP4SampleTables {
    private let durations: MP4Bytes
    private let chunkRuns: MP4Bytes
    private let sizes: MP4Bytes
    private let chunkOffsets: MP4Bytes
    /// The size of an entry of the chunk offsets: 4 or 8.
    private let offsetBytes: Int
    /// The size of an entry of the sizes in bits: 4, 8, 16 or 32.
    private let sizeBits: Int
    /// The names of the mandatory tables that the track lacks.
    let missingTables: [String]

    /// Finds the tables in a sample table box. Missing tables have no entries.
    init(_ stbl: MP4Bytes) {
        let none = MP4Bytes([])
        durations = stbl.box("stts") ?? none
        chunkRuns = stbl.box("stsc") ?? none
        if let long = stbl.box("co64") {
            (chunkOffsets, offsetBytes) = (long, 8)
        } else {
            (chunkOffsets, offsetBytes) = (stbl.box("stco") ?? none, 4)
        }
        if let plain = stbl.box("stsz") {
            (sizes, sizeBits) = (plain, 32)
        } else if let compact = stbl.box("stz2") {
            (sizes, sizeBits) = (compact, Int(compact.uint8(at: 7) ?? 0))
        } else {
            (sizes, sizeBits) = (none, 32)
        }
        missingTables = [
            ("durations", durations), ("chunks", chunkRuns), ("offsets", chunkOffsets), ("sizes", sizes),
        ].filter { $0.1.count == 0 }.map(\.0)
    }

    /// The number of samples that the table of sizes claims, without those that it does not list.
    var sampleCount: Int64 {
        let claimed = sizes.uint32(at: 8) ?? 0
        guard commonSampleBytes == 0 else { return Int64(claimed) }
        guard [4, 8, 16, 32].contains(sizeBits) else { return 0 }
        return min(Int64(claimed), Int64(max(sizes.count - 12, 0)) * 8 / Int64(sizeBits))
    }

    /// The size of every sample; 0 if it varies.
    var commonSampleBytes: UInt32 { sizeBits == 32 ? sizes.uint32(at: 4) ?? 0 : 0 }

    /// Whether the table of sizes promises more samples than it lists.
    var isSizeTableCut: Bool { commonSampleBytes == 0 && Int64(sizes.uint32(at: 8) ?? 0) > sampleCount }

    func sampleBytes(_ sample: Int64) -> UInt32 {
        let position = Int(sample)
        switch sizeBits {
        case 4:
            let pair = sizes.uint8(at: 12 + position / 2) ?? 0
            return UInt32(position % 2 == 0 ? pair >> 4 : pair & 15)
        case 8: return UInt32(sizes.uint8(at: 12 + position) ?? 0)
        case 16: return UInt32(sizes.uint16(at: 12 + 2 * position) ?? 0)
        default: return sizes.uint32(at: 12 + 4 * position) ?? 0
        }
    }

    var chunkCount: Int {
        chunkOffsets.entries(claimed: chunkOffsets.uint32(at: 4), of: offsetBytes, from: 8)
    }

    /// The offset of a chunk; nil if it is impossibly large.
    func chunkOffset(_ chunk: Int) -> Int64? {
        chunkOffsets.number(at: 8 + chunk * offsetBytes, byteCount: offsetBytes)
            .flatMap { $0 < UInt64(Int64.max / 2) ? Int64($0) : nil }
    }

    /// Consecutive chunks with the same number of samples.
    struct ChunkRun {
        var chunks: Range<Int>
        var samplesPerChunk: Int64
        /// The number of the chunks' sample description, from 1 on.
        var description: UInt32
    }

    var chunkRunCount: Int { chunkRuns.entries(claimed: chunkRuns.uint32(at: 4), of: 12, from: 8) }

    /// A run of chunks; empty if the table goes back or past the last chunk.
    func chunkRun(_ run: Int) -> ChunkRun {
        func field(_ position: Int) -> UInt32 { chunkRuns.uint32(at: 8 + position * 4) ?? 0 }
        let first = min(max(Int(field(3 * run)) - 1, 0), chunkCount)
        let next = run + 1 < chunkRunCount ? Int(field(3 * run + 3)) - 1 : chunkCount
        return ChunkRun(
            chunks: first..<max(first, min(next, chunkCount)), samplesPerChunk: Int64(field(3 * run + 1)),
            description: field(3 * run + 2))
    }

    /// The total duration of the samples, in the track's time scale.
    var totalDuration: Int64 {
        var total: Int64 = 0
        for entry in 0..<durations.entries(claimed: durations.uint32(at: 4), of: 8, from: 8) {
            let count = Int64(durations.uint32(at: 8 + 8 * entry) ?? 0)
            let (sum, overflow) = total.addingReportingOverflow(
                count.multipliedReportingOverflow(by: sampleDuration(run: entry)).partialValue)
            guard !overflow, sum >= 0 else { return .max }
            total = sum
        }
        return total
    }

    /// The duration of the first sample, in the track's time scale.
    var firstSampleDuration: Int64 { sampleDuration(run: 0) }

    private func sampleDuration(run: Int) -> Int64 { Int64(durations.uint32(at: 12 + 8 * run) ?? 0) }
}
