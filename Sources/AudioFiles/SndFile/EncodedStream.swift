/// How far an encoded stream is whole: where a packet ends, and what the packets up to there decode to.
struct StreamMark: Equatable {
    /// Bytes from the beginning of the stream.
    var bytes: Int64 = 0
    /// Packets of sound.
    var packets: Int64 = 0
    /// Frames of sound that a decoder gives for these packets.
    var frames: Int64 = 0
}

/// Bytes to be written over others.
struct StreamPatch: Equatable {
    var offset: Int64
    var bytes: [UInt8]
}

/// Follows what an encoder writes, so that the header can be kept honest before the encoder completes it.
protocol EncodedStream {
    /// Takes note of what the encoder appended in one call, and tells where packets end in it.
    mutating func take(_ bytes: UnsafeRawBufferPointer, marks: inout [StreamMark])

    /// What makes the header promise the stream up to `mark`, and nothing behind it; nil if there is no such
    /// place.
    ///
    /// - Parameters:
    ///   - mark: Nil leaves the length open, for a stream whose header cannot be changed later.
    ///   - frames: Frames given to the encoder.
    func header(upTo mark: StreamMark?, ofFrames frames: Int64) -> StreamPatch?

    /// True if the header that the encoder writes at the end cannot count this stream.
    var isTooLongForEncoder: Bool { get }
}
