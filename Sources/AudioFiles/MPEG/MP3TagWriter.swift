#if HAVE_MPEG_AUDIO
/// Makes the tag in the first packet of an MP3 stream before LAME completes it.
struct MP3TagWriter {
    /// The bit rate mode, as stored in the tag.
    typealias Coding = LAMETag.Coding

    let coding: Coding

    /// The frames that LAME inserts before the audio, without the decoder's own.
    static let delayFrames: Int64 = 576
    /// The delay of a decoder's output relative to the encoder's input.
    static let lagFrames: Int64 = delayFrames + LAMETag.decoderLagFrames

    /// Whether a packet is empty, and long enough.
    func fits(_ packet: [UInt8]) -> Bool {
        guard let start = LAMETag.offset(in: packet), packet.count >= start + Self.tagBytes else {
            return false
        }
        return packet.dropFirst(4).allSatisfy { $0 == 0 }
    }

    /// A packet with a tag instead of LAME's empty one.
    ///
    /// - Parameters:
    ///   - packet: The empty packet.
    ///   - mark: The end of the audio that the tag should count; nil to omit it.
    ///   - paddingFrames: The frames after the audio in the decoded last packets.
    func packet(replacing packet: [UInt8], mark: StreamMark?, paddingFrames: Int64) -> [UInt8] {
        LAMETag(
            coding: coding, packets: mark?.packets, bytes: mark?.bytes,
            trims: LAMETag.Trims(delayFrames: Self.delayFrames, paddingFrames: paddingFrames)
        ).packet(replacing: packet)
    }

    /// The size of the tag with all the fields written here, without a table of contents.
    private static let tagBytes = LAMETag.mostBytes - 100
}
#endif
