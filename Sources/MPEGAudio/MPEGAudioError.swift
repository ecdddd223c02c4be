/// The reason why MPEG audio could not be decoded.
public struct MPEGAudioError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The type of failure, for decisions in code.
    public enum Code: UInt8, Sendable {
        /// MPEG audio has no such rate, number of channels or frame length.
        case unsupportedFormat
        /// The output has no room for the frames of one packet.
        case outputTooSmall
        /// libmpg123 failed for another reason, which ``MPEGAudioError/message`` states.
        case libraryFailed
    }

    /// The type of failure.
    public var code: Code
    /// The reason in lower case, without full stop: the attempt, its object, the cause.
    public var message: String
    /// The message.
    public var description: String { message }

    /// Makes an error of a code and a message.
    public init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }
}
