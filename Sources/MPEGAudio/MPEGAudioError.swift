/// Why MPEG audio could not be read or decoded, and what was being done.
public struct MPEGAudioError: Error, Sendable, Equatable, CustomStringConvertible {
    /// What kind of failure, for callers that act on it.
    public enum Code: UInt8, Sendable {
        /// No frame was found where a stream should begin.
        case notMPEGAudio
        /// The rate, channel count or frame length is none that MPEG audio has.
        case unsupportedFormat
        /// The output does not hold the frames of one packet.
        case outputTooSmall
        /// A system call failed while bytes were read.
        case readFailed
        /// libmpg123 failed for another reason that ``MPEGAudioError/message`` tells.
        case libraryFailed
    }

    /// What kind of failure.
    public var code: Code
    /// Lower case, without full stop: what was attempted, on what, why.
    public var message: String
    /// The message.
    public var description: String { message }

    /// Makes an error of a kind and a message in the manner of ``message``.
    public init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }
}
