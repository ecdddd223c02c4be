#if HAVE_MPEG_AUDIO
import MPEGAudio

/// Makes the tag in the first packet of an MP3 stream that LAME has not completed, in LAME's own layout.
struct MP3TagWriter {
    /// How the bit rate is chosen, as the tag has it.
    enum Coding: UInt8 {
        case constant = 1
        case average = 2
        case variable = 4
    }

    let coding: Coding

    /// Frames that LAME puts before the sound. They do not include the decoder's own.
    static let delayFrames: Int64 = 576
    /// Frames by which a decoder's output lags behind the encoder's input.
    static let lagFrames: Int64 = delayFrames + 529

    /// True if a packet is empty, and long enough.
    func fits(_ packet: [UInt8]) -> Bool {
        guard let start = Self.tagOffset(in: packet), packet.count >= start + Self.tagBytes else {
            return false
        }
        return packet.dropFirst(4).allSatisfy { $0 == 0 }
    }

    /// A packet with a tag in place of LAME's empty one.
    ///
    /// - Parameters:
    ///   - packet: The empty packet.
    ///   - mark: What the tag shall count; nil for nothing.
    ///   - paddingFrames: Frames that the last packets decode to after the sound.
    func packet(replacing packet: [UInt8], mark: StreamMark?, paddingFrames: Int64) -> [UInt8] {
        guard let start = Self.tagOffset(in: packet) else { return packet }
        var tag = HeaderBytes()
        tag.append(coding == .constant ? "Info" : "Xing")
        // A count that does not fit its field is not given at all.
        let packets = mark.flatMap { UInt32(exactly: $0.packets) }
        let bytes = mark.flatMap { UInt32(exactly: $0.bytes) }
        tag.append(big: UInt32((packets == nil ? 0 : 1) | (bytes == nil ? 0 : 2)))
        if let packets { tag.append(big: packets) }
        if let bytes { tag.append(big: bytes) }
        // Readers believe the delay of an encoder that they know by name.
        tag.append("LAME     ")
        tag.append(big: coding.rawValue)
        // Low-pass, peak, gains, flags and bit rate: unknown.
        tag.append(raw: [UInt8](repeating: 0, count: 11))
        let padding = min(max(paddingFrames, 0), 0xFFF)
        let trims = UInt32(Self.delayFrames << 12 | padding)
        tag.append(raw: [UInt8(trims >> 16), UInt8(trims >> 8 & 0xFF), UInt8(trims & 0xFF)])
        // Source, gain and preset unknown; length of the music; no checksum of it.
        tag.append(raw: [0, 0, 0, 0])
        tag.append(big: bytes ?? 0)
        tag.append(big: UInt16(0))
        var result = Array(packet.prefix(start)) + tag.bytes
        result += [0, 0]
        let checksum = Self.checksum(result.dropLast(2))
        result[result.count - 2] = UInt8(checksum >> 8)
        result[result.count - 1] = UInt8(checksum & 0xFF)
        return result + packet.dropFirst(result.count)
    }

    private static func tagOffset(in packet: [UInt8]) -> Int? {
        unsafe MPEGFrameHeader(packet.span.bytes).map { 4 + $0.sideInformationBytes }
    }

    /// CRC-16 over everything in front of it, lowest bit first.
    private static func checksum(_ bytes: ArraySlice<UInt8>) -> UInt16 {
        bytes.reduce(0) { checksum, byte in
            (0..<8).reduce(checksum ^ UInt16(byte)) { rest, _ in
                rest & 1 == 0 ? rest >> 1 : rest >> 1 ^ 0xA001
            }
        }
    }

    /// Bytes of the tag with all the fields that are written here.
    private static let tagBytes = 4 + 4 + 4 + 4 + 36
}
#endif
