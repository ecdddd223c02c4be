/// The end of a packet in an encoded stream, and the audio up to there.
struct StreamMark: Equatable {
    /// The bytes from the start of the stream.
    var bytes: Int64 = 0
    /// The packets of audio.
    var packets: Int64 = 0
    /// The decoded frames of audio in these packets.
    var frames: Int64 = 0
}

/// Bytes that overwrite others.
struct StreamPatch: Equatable {
    var offset: Int64
    var bytes: [UInt8]
}

/// Follows the output of an encoder, so that the header can be kept correct before the encoder completes it.
protocol EncodedStream {
    /// Handles the bytes that the encoder appended in one call, and adds the ends of packets to `marks`.
    mutating func take(_ bytes: UnsafeRawBufferPointer, marks: inout [StreamMark])

    /// A patch that makes the header cover the stream exactly up to `mark`; nil if that is not possible.
    ///
    /// - Parameters:
    ///   - mark: Nil leaves the length open, for a stream whose header cannot be changed later.
    ///   - frames: The frames passed to the encoder.
    func header(upTo mark: StreamMark?, ofFrames frames: Int64) -> StreamPatch?

    /// Whether the header that the encoder writes at the end cannot count this stream.
    var isTooLongForEncoder: Bool { get }
}
