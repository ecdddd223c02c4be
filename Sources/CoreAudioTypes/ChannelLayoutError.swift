/// The reason why a channel layout cannot be used.
public struct ChannelLayoutError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The fault of a layout.
    public enum Code: UInt8, Sendable {
        /// The memory ends before the layout does.
        case truncated
        /// The tag defines no known order of channels.
        case unknownTag
    }

    /// The fault, for decisions in code.
    public var code: Code
    /// The reason in lower case, without full stop: the attempt, its object, the cause.
    public var message: String
    public var description: String { message }

    /// Makes an error of a code and a message.
    public init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }
}
