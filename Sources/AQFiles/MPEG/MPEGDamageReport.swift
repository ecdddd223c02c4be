// SPDX-License-Identifier: MIT

#if HAVE_MPEG_AUDIO
import CoreAudioTypes
import AQMPEGAudio

/// A report of skipped bytes and changes within a stream, as warnings.
struct MPEGDamageReport {
    private static let kind = "MPEG audio"
    private var channels = 0
    private var sampleRate = 0

    /// - Parameter start: The start of the stream, including leading tags.
    mutating func begin(_ framer: MPEGFramer, from start: Int64, warnings: inout WarningList) {
        channels = framer.firstHeader.channels
        sampleRate = framer.firstHeader.sampleRate
        let first = framer.streamByteOffset
        let tagEnd = start + framer.leadingTagBytes
        if tagEnd < first, !Self.isHarmless(from: tagEnd, to: first, framer.window) {
            warnings.append(
                DamageWords.foreign(first - tagEnd, at: tagEnd, "before the first packet", no: Self.kind))
        }
    }

    mutating func note(
        _ packet: MPEGPacket, number: Int64, framer: MPEGFramer, warnings: inout WarningList
    ) {
        if number > 0, packet.skippedBytes > 0 {
            let start = packet.byteOffset - packet.skippedBytes
            // Some encoders pad with zeros; zeros of a packet's size are a lost packet.
            let first = unsafe framer.window.bytes(at: start, leastBytes: 1).first
            let isLost = first == 0 && packet.skippedBytes >= Int64(packet.header.packetBytes ?? .max)
            if isLost || !Self.isHarmless(from: start, to: packet.byteOffset, framer.window) {
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

    /// - Parameter end: The end of the stream; tags may follow.
    mutating func end(_ framer: MPEGFramer, end: Int64, warnings: inout WarningList) {
        var start = framer.byteOffset
        if let cut = framer.cutPacket {
            warnings.append(DamageWords.cutShort(at: cut.byteOffset, bytes: Int64(cut.bytes), of: cut.of))
            start = cut.byteOffset + Int64(cut.bytes)
        }
        guard end > start, !Self.isHarmless(from: start, to: end, framer.window) else { return }
        warnings.append(DamageWords.foreign(end - start, at: start, "after the last packet", no: Self.kind))
    }

    /// Returns whether a range begins with a tag or contains only zeros.
    private static func isHarmless(from start: Int64, to end: Int64, _ window: ByteWindow) -> Bool {
        let length = Int(min(end - start, 4096))
        let shown = unsafe window.bytes(at: start, leastBytes: length)
        // Data that a pipe no longer holds cannot be examined.
        guard shown.count > 0 else { return false }
        let stretch = unsafe UnsafeRawBufferPointer(rebasing: shown.prefix(length))
        return unsafe StreamTag.begins(stretch) || stretch.allSatisfy { $0 == 0 }
    }
}
#endif
