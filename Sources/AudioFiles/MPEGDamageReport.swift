#if HAVE_MPEG_AUDIO
import MPEGAudio

/// Turns what the framer passed over, and what changed in mid-stream, into warnings.
struct MPEGDamageReport {
    private static let kind = "MPEG audio"
    private var channels = 0
    private var sampleRate = 0

    mutating func begin(_ framer: MPEGFramer, warnings: inout WarningList) {
        channels = framer.firstHeader.channels
        sampleRate = framer.firstHeader.sampleRate
        let skipped = framer.streamByteOffset
        guard skipped > 0 else { return }
        let tagEnd = framer.leadingTagBytes
        if tagEnd < skipped, !Self.isHarmless(from: tagEnd, to: skipped, framer.source) {
            warnings.append(
                DamageWords.foreign(skipped - tagEnd, at: tagEnd, "before the first packet", no: Self.kind))
        }
    }

    mutating func note(
        _ packet: MPEGPacket, number: Int64, framer: MPEGFramer, warnings: inout WarningList
    ) {
        if number > 0, packet.skippedBytes > 0 {
            let start = packet.byteOffset - packet.skippedBytes
            // Some encoders pad with zeros; as many as a packet has bytes are a packet that was lost.
            let first = unsafe framer.source.bytes(at: start, leastBytes: 1).first
            let isLost = first == 0 && packet.skippedBytes >= Int64(packet.header.packetBytes ?? .max)
            if isLost || !Self.isHarmless(from: start, to: packet.byteOffset, framer.source) {
                warnings.append(
                    DamageWords.foreign(
                        packet.skippedBytes, at: start, "before packet \(number)", no: Self.kind))
            }
        }
        let header = packet.header
        if header.sampleRate != sampleRate {
            sampleRate = header.sampleRate
            warnings.append(
                "the rate changes to \(sampleRate) Hz at packet \(number), byte \(packet.byteOffset)")
        }
        if header.channels != channels {
            channels = header.channels
            warnings.append(
                "the number of channels changes to \(channels) at packet \(number), byte \(packet.byteOffset)"
            )
        }
    }

    mutating func end(_ framer: MPEGFramer, warnings: inout WarningList) {
        let source = framer.source
        let start = framer.byteOffset
        let rest = unsafe source.bytes(at: start, leastBytes: 8192)
        guard rest.count > 0 else { return }
        let bytes = source.fileBytes.map { $0 - start } ?? Int64(rest.count)
        if let header = unsafe MPEGFrameHeader(rest.bytes), header.isCompatible(with: framer.firstHeader),
            let length = header.packetBytes, Int64(length) > bytes
        {
            warnings.append(DamageWords.cutShort(at: start, bytes: bytes, of: length))
        } else if !Self.isHarmless(from: start, to: start + bytes, source) {
            warnings.append(DamageWords.foreign(bytes, at: start, "after the last packet", no: Self.kind))
        }
    }

    /// True if a stretch begins with a tag of a known kind or is nothing but zeros.
    private static func isHarmless(from start: Int64, to end: Int64, _ source: MPEGByteSource) -> Bool {
        let length = Int(min(end - start, 4096))
        let shown = unsafe source.bytes(at: start, leastBytes: length)
        // What a pipe has let go cannot be judged.
        guard shown.count > 0 else { return false }
        let stretch = unsafe UnsafeRawBufferPointer(rebasing: shown.prefix(length))
        if ["TAG", "APETAGEX", "LYRICSBEGIN", "ID3"].contains(where: { unsafe stretch.starts(with: $0.utf8) })
        {
            return true
        }
        return unsafe stretch.allSatisfy { $0 == 0 }
    }
}
#endif
