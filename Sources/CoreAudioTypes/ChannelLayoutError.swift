// SPDX-License-Identifier: MIT

/// The reason why a channel layout cannot be used.
public struct ChannelLayoutError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The type of a layout's fault.
    public enum Code: UInt8, Sendable {
        /// A layout that exceeds its memory.
        case truncated
        /// A tag that defines no known order of channels.
        case unknownTag
    }

    /// The type of the fault, by which a program decides how to react.
    public var code: Code
    /// The attempted action, its object and the cause, in lower case without full stop.
    public var message: String
    public var description: String { message }

    /// Makes an error with a code and a message.
    public init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }
}
