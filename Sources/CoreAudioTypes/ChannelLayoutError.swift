/// Why a channel layout cannot be used.
public struct ChannelLayoutError: Error, Sendable, Equatable, CustomStringConvertible {
    /// What is wrong with the layout.
    public enum Code: UInt8, Sendable {
        /// The memory ends before the layout does.
        case truncated
        /// The tag names no order of channels that is known here.
        case unknownTag
    }

    /// What is wrong, to decide by.
    public var code: Code
    /// Lower case, without full stop: what was attempted, on what, why.
    public var message: String
    public var description: String { message }

    /// An error and what to say of it.
    public init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }
}
