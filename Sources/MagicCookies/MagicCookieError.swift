/// The reason why the bytes of a magic cookie, or of a packet's header, cannot be used.
public struct MagicCookieError: Error, Sendable, Equatable, CustomStringConvertible {
    /// Lower case, without full stop: what was attempted, on what, why and where.
    public var message: String
    /// The message.
    public var description: String { message }

    /// Makes an error of a message.
    public init(_ message: String) {
        self.message = message
    }
}
