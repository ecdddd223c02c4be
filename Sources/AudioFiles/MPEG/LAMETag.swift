#if HAVE_MPEG_AUDIO
import MPEGAudio

/// The tag that LAME puts into the first packet of a stream, in its own layout: Xing's, and what LAME added.
struct LAMETag {
    /// How the bit rate is chosen, as the tag has it.
    enum Coding: UInt8 {
        case constant = 1
        case average = 2
        case variable = 4
    }

    /// Frames around the sound, as the tag counts them: without the decoder's own 529 before it.
    struct Trims: Equatable {
        var delayFrames: Int64
        var paddingFrames: Int64
    }

    var coding: Coding
    /// Packets of sound, and bytes of the stream with this packet; nil, or what no field holds, is left out.
    var packets: Int64?
    var bytes: Int64?
    /// 100 places in 256ths; nil leaves them out.
    var tableOfContents: [UInt8]?
    /// Nil leaves out LAME's own part.
    var trims: Trims?
    /// Over all that follows this packet.
    var musicChecksum: UInt16 = 0

    /// The most that a field of the trims holds.
    static let mostTrimFrames: Int64 = 0xFFF
    /// Frames by which a decoder's output lags behind the encoder's input (ISO 11172-3, filterbank).
    static let decoderLagFrames: Int64 = 529
    /// Bytes that a tag with all its parts takes.
    static let mostBytes = 4 + 4 + 4 + 4 + 100 + 36

    /// Where a packet has its tag; nil if it is no packet.
    static func offset(in packet: [UInt8]) -> Int? {
        unsafe MPEGFrameHeader(packet.span.bytes).map { 4 + $0.sideInformationBytes }
    }

    /// An empty packet with this tag in it; itself if it has not the room.
    func packet(replacing packet: [UInt8]) -> [UInt8] {
        guard let start = Self.offset(in: packet) else { return packet }
        var tag = HeaderBytes()
        tag.append(coding == .constant ? "Info" : "Xing")
        // A count that does not fit its field is not given at all.
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
        // Readers believe the delay of an encoder that they know by name.
        tag.append("LAME     ")
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

/// The CRC-16 of LAME's tag: lowest bit first, beginning with 0.
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
