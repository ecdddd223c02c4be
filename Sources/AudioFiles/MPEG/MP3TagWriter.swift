#if HAVE_MPEG_AUDIO
/// Makes the tag in the first packet of an MP3 stream that LAME has not completed.
struct MP3TagWriter {
    /// How the bit rate is chosen, as the tag has it.
    typealias Coding = LAMETag.Coding

    let coding: Coding

    /// Frames that LAME puts before the sound. They do not include the decoder's own.
    static let delayFrames: Int64 = 576
    /// Frames by which a decoder's output lags behind the encoder's input.
    static let lagFrames: Int64 = delayFrames + LAMETag.decoderLagFrames

    /// True if a packet is empty, and long enough.
    func fits(_ packet: [UInt8]) -> Bool {
        guard let start = LAMETag.offset(in: packet), packet.count >= start + Self.tagBytes else {
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
        LAMETag(
            coding: coding, packets: mark?.packets, bytes: mark?.bytes,
            trims: LAMETag.Trims(delayFrames: Self.delayFrames, paddingFrames: paddingFrames)
        ).packet(replacing: packet)
    }

    /// Bytes of the tag with all the fields that are written here: there is no table of contents.
    private static let tagBytes = LAMETag.mostBytes - 100
}
#endif
