// SPDX-License-Identifier: MIT

#if HAVE_MPEG_AUDIO
import AQMPEGAudio

/// The tag that LAME writes into the first packet of a stream: Xing's layout with LAME's additions.
struct LAMETag {
    /// The bit rate mode, as stored in the tag.
    enum Coding: UInt8 {
        case constant = 1
        case average = 2
        case variable = 4
    }

    /// The numbers of frames around the audio in the tag, without the decoder's own 529.
    struct Trims: Equatable {
        var delayFrames: Int64
        var paddingFrames: Int64
    }

    var coding: Coding
    /// The number of audio packets, and the stream's bytes including this packet. Nil and too large values are omitted.
    var packets: Int64?
    var bytes: Int64?
    /// The offsets of 100 steps of time, in 256ths of the stream; nil omits the table.
    var tableOfContents: [UInt8]?
    /// The frames around the audio; nil omits LAME's part of the tag.
    var trims: Trims?
    /// The encoder's name, up to 9 bytes. Readers accept the delay only from an encoder that they know.
    var encoderName = "LAME"
    /// The checksum of all bytes after this packet.
    var musicChecksum: UInt16 = 0

    /// The largest value of a trim field, in frames.
    static let mostTrimFrames: Int64 = 0xFFF
    /// The delay of a decoder's output relative to the encoder's input, in frames (ISO 11172-3, filterbank).
    static let decoderLagFrames: Int64 = 529
    /// The size of a tag with all its parts.
    static let mostBytes = 4 + 4 + 4 + 4 + 100 + 36

    /// The offset of the tag in a packet; nil if the bytes are no packet.
    static func offset(in packet: [UInt8]) -> Int? {
        unsafe MPEGFrameHeader(packet.span.bytes).map { 4 + $0.sideInformationBytes }
    }

    /// The packet with this tag written into it; unchanged if the packet is too short.
    func packet(replacing packet: [UInt8]) -> [UInt8] {
        guard let start = Self.offset(in: packet) else { return packet }
        var tag = HeaderBytes()
        tag.append(coding == .constant ? "Info" : "Xing")
        // A count that does not fit its field is omitted.
        let packets = packets.flatMap { UInt32(exactly: $0) }
        let bytes = bytes.flatMap { UInt32(exactly: $0) }
        tag.append(
            big: UInt32((packets == nil ? 0 : 1) | (bytes == nil ? 0 : 2) | (tableOfContents == nil ? 0 : 4)))
        if let packets { tag.append(big: packets) }
        if let bytes { tag.append(big: bytes) }
        if let tableOfContents { tag.append(raw: tableOfContents) }
        if let trims { append(trims, bytes: bytes ?? 0, to: &tag) }
        var result = Array(packet.prefix(start)) + tag.bytes
        if trims != nil {
            var checksum = MPEGChecksum()
            checksum.add(result)
            result += [UInt8(checksum.value >> 8), UInt8(checksum.value & 0xFF)]
        }
        return result.count <= packet.count ? result + packet.dropFirst(result.count) : packet
    }

    private func append(_ trims: Trims, bytes: UInt32, to tag: inout HeaderBytes) {
        tag.append(raw: Array((encoderName + "         ").utf8.prefix(9)))
        tag.append(big: coding.rawValue)
        // Low-pass, peak, gains, flags and bit rate: unknown.
        tag.append(raw: [UInt8](repeating: 0, count: 11))
        let delay = min(max(trims.delayFrames, 0), Self.mostTrimFrames)
        let padding = min(max(trims.paddingFrames, 0), Self.mostTrimFrames)
        let both = UInt32(delay << 12 | padding)
        tag.append(raw: [UInt8(both >> 16), UInt8(both >> 8 & 0xFF), UInt8(both & 0xFF)])
        // Source, gain and preset unknown.
        tag.append(raw: [0, 0, 0, 0])
        tag.append(big: bytes)
        tag.append(big: musicChecksum)
    }
}

/// The CRC-16 of LAME's tag: lowest bit first, starting with 0.
struct MPEGChecksum {
    private(set) var value: UInt16 = 0

    mutating func add(_ bytes: some Sequence<UInt8>) {
        for byte in bytes {
            value = value >> 8 ^ Self.table[Int(UInt8(truncatingIfNeeded: value) ^ byte)]
        }
    }

    private static let table: [UInt16] = (0..<256).map { index in
        (0..<8).reduce(UInt16(index)) { rest, _ in rest & 1 == 0 ? rest >> 1 : rest >> 1 ^ 0xA001 }
    }
}
#endif
