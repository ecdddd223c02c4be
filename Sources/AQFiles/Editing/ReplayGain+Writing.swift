// SPDX-License-Identifier: MIT

import CoreAudioTypes

extension ReplayGain {
    /// Writes these values into a file's tags, and keeps all other tags. Gains that are nil are not changed.
    ///
    /// Supported are MPEG audio (ID3v2), FLAC, Ogg with one stream of Vorbis, Opus or FLAC (Opus: R128 tags, which have no
    /// peaks), MPEG-4 except fragmented files, WAVE, AIFF and CAF. In WAVE, AIFF and CAF the tags are changed in place, as
    /// by ``AudioFileEditor``. All other files are written again under another name, and the new file replaces the old one
    /// when it is completely on disk. It has the same owner, group and permissions as far as the system allows; other hard
    /// links keep the old file. The packets of audio are copied unchanged.
    ///
    /// - Throws: `unsupported` for other files, and for tags that cannot be read completely; `damaged` for a damaged
    ///   structure; the errors of opening; an error of writing, such as `diskFull`. The file is then unchanged.
    public func write(toFile path: FilePath) throws(AudioFileError) {
        do throws(AudioFileError) {
            try write(path)
        } catch {
            // The editor of chunks names the file too.
            let editing = "cannot change '\(path)': "
            let reason =
                error.message.hasPrefix(editing) ? error.message.dropFirst(editing.count) : error.message[...]
            throw AudioFileError(error.code, "cannot write tags to '\(path)': \(reason)")
        }
    }

    private func write(_ path: FilePath) throws(AudioFileError) {
        // Also refuses anything that is not a regular file, before it is opened.
        let file = try EditableFile(path: path)
        let sound = try EditedSound(path: path)
        let parts: FileParts
        switch try TagLocation(file, path) {
        case .id3(let range): parts = try ID3LoudnessTag.parts(of: file, tag: range, self)
        case .flac(let start): parts = try FLACLoudnessTag.parts(of: file, from: start, self)
        case .ogg: parts = try OggLoudnessTag.parts(of: file, self)
        case .mpeg4: parts = try MP4LoudnessTag.parts(of: file, self)
        case .chunks: return try ChunkLoudnessTag.write(self, to: path)
        }
        try Replacement.replace(path) { (replacement) throws(AudioFileError) in
            try parts.write(from: file, to: replacement.file)
            try sound.check(path: replacement.path)
            if parts.comparesPackets { try Self.comparePackets(of: path, and: replacement.path) }
            try check(AudioFile.open(path: replacement.path).replayGain, isR128: parts.isR128)
        }
    }

    /// Checks that two files have the same packets.
    private static func comparePackets(of path: FilePath, and other: FilePath) throws(AudioFileError) {
        let files = (try AudioFile.open(path: path), try AudioFile.open(path: other))
        let count = max(files.0.packetSizeUpperBound, 1 << 16)
        var bytes = ([UInt8](repeating: 0, count: count), [UInt8](repeating: 0, count: count))
        var descriptions = [AudioStreamPacketDescription](repeating: .init(), count: 256)
        var packet: Int64 = 0
        while true {
            let first = try files.0.read(packet, &bytes.0, &descriptions)
            let second = try files.1.read(packet, &bytes.1, &descriptions)
            guard first == second, bytes.0[..<first.bytes] == bytes.1[..<second.bytes] else {
                throw AudioFileError(.unsupported, "after tags of this size the audio could not be read")
            }
            guard first.packets > 0 else { return }
            packet += Int64(first.packets)
        }
    }

    /// Checks that the written values are those that readers find.
    private func check(_ written: ReplayGain, isR128: Bool) throws(AudioFileError) {
        func isSame(_ one: Values, _ other: Values) -> Bool {
            guard let gain = one.gainDecibels else { return true }
            guard let found = other.gainDecibels, abs(gain - found) < 0.01 else { return false }
            guard let peak = one.peak, !isR128 else { return true }
            return other.peak.map { abs(peak - $0) < 0.0001 } ?? (peak < 0.0001)
        }
        guard isSame(track, written.track), isSame(album, written.album) else {
            throw AudioFileError(.unsupported, "another tag in the file would contradict the new one")
        }
    }
}

extension AudioFile {
    fileprivate func read(
        _ packet: Int64, _ bytes: inout [UInt8], _ descriptions: inout [AudioStreamPacketDescription]
    ) throws(AudioFileError) -> PacketRead {
        try unsafe bytes.withUnsafeMutableBufferPointer { memory throws(AudioFileError) in
            try unsafe descriptions.withUnsafeMutableBufferPointer { descriptions throws(AudioFileError) in
                try unsafe readPackets(
                    from: packet, into: UnsafeMutableRawBufferPointer(memory), descriptions: descriptions)
            }
        }
    }
}

extension ReplayGain {
    /// Tags by name. A tag whose value is nil is removed.
    struct TagText: Equatable {
        let name: String
        let value: String?
    }

    /// The tags of all file types except Opus, and those that they replace.
    var tagTexts: [TagText] { texts("TRACK", track) + texts("ALBUM", album) }

    private func texts(_ part: String, _ values: Values) -> [TagText] {
        guard let gain = Self.validGain(values.gainDecibels) else { return [] }
        return [
            TagText(name: "REPLAYGAIN_\(part)_GAIN", value: "\(Self.decimal(gain, decimals: 2)) dB"),
            TagText(
                name: "REPLAYGAIN_\(part)_PEAK", value: values.peak.map { Self.decimal($0, decimals: 6) }),
            // Only some programs write it, and it belongs to the replaced gain.
            TagText(name: "REPLAYGAIN_\(part)_RANGE", value: nil),
        ] + (part == "TRACK" ? [TagText(name: "REPLAYGAIN_REFERENCE_LOUDNESS", value: nil)] : [])
    }

    /// The tags of Opus (RFC 7845, 5.2.1). Those of other types must not occur beside them.
    var r128Texts: [TagText] {
        tagTexts.map { TagText(name: $0.name, value: nil) }
            + [("R128_TRACK_GAIN", track), ("R128_ALBUM_GAIN", album)].compactMap { name, values in
                guard let gain = values.gainDecibels else { return nil }
                let steps = ((gain - Self.r128Offset) * 256).rounded()
                return Int16(exactly: steps).map { TagText(name: name, value: "\($0)") }
            }
    }

    static func decimal(_ value: Double, decimals: Int) -> String {
        let scale = (0..<decimals).reduce(1.0) { scale, _ in scale * 10 }
        // At most 60 decibels, or a peak of 64.
        let units = Int64((min(max(value, -1000), 1000) * scale).rounded())
        let digits = String(units.magnitude % UInt64(scale))
        let fraction = String(repeating: "0", count: decimals - digits.utf8.count) + digits
        return "\(units < 0 ? "-" : "")\(units.magnitude / UInt64(scale)).\(fraction)"
    }
}

/// The place of tags in a file whose loudness can be written.
private enum TagLocation {
    /// The range of an ID3v2 tag at the start; empty if there is none.
    case id3(Range<Int64>)
    /// The offset of the marker of FLAC.
    case flac(Int64)
    case ogg, mpeg4, chunks

    /// - Throws: `unsupported` for other files.
    init(_ file: EditableFile, _ path: FilePath) throws(AudioFileError) {
        let head = try file.read(at: 0, count: Int(min(file.byteCount, 512)))
        let tagBytes = StreamTag.id3Bytes(head) ?? 0
        guard tagBytes < file.byteCount else { throw AudioFileError(.unsupported, "it has no audio") }
        let start = try file.read(at: tagBytes, count: Int(min(file.byteCount - tagBytes, 512)))
        if start.starts(with: "fLaC".utf8) {
            self = .flac(tagBytes)
            return
        }
        switch FileSignature(head: tagBytes > 0 ? start : head) {
        case .container where head.starts(with: OggPage.mark): self = .ogg
        case .container where ChunkGrammar(head: head) != nil, .caf: self = .chunks
        case .mpeg4 where tagBytes == 0: self = .mpeg4
        default:
            guard try AudioFile.open(path: path).containerName == "MPEG audio" else {
                throw AudioFileError(.unsupported, "tags are not written to this file type")
            }
            self = .id3(0..<tagBytes)
        }
    }
}
