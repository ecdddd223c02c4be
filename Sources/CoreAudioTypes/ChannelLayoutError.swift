/// Why a channel layout cannot be used.
public struct ChannelLayoutError: Error, Sendable, Equatable, CustomStringConvertible {
    public enum Code: UInt8, Sendable {
        /// The memory ends before the layout does.
        case truncated
        /// The tag names no order of channels that is known here.
        case unknownTag
    }

    public var code: Code
    /// Lower case, without full stop: what was attempted, on what, why.
    public var message: String
    public var description: String { message }

    public init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }
}
