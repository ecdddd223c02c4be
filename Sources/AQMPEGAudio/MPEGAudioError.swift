// SPDX-License-Identifier: MIT

/// The reason why MPEG audio could not be decoded.
public struct MPEGAudioError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The type of failure, for decisions in code.
    public enum Code: UInt8, Sendable {
        /// A rate, number of channels or frame length that MPEG audio does not have.
        case unsupportedFormat
        /// An output with no room for the frames of one packet.
        case outputTooSmall
        /// Another failure of libmpg123, which ``MPEGAudioError/message`` states.
        case libraryFailed
    }

    /// The type of failure.
    public var code: Code
    /// The reason in lower case, without full stop: the attempt, its object, the cause.
    public var message: String
    /// The text of ``message``.
    public var description: String { message }

    /// Makes an error from a code and a message.
    public init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }
}
