/// Why a command line cannot be carried out, with what to write instead.
public struct UsageError: Error, Sendable, Equatable, CustomStringConvertible {
    /// Lower case, without full stop.
    public var message: String
    public var description: String { message }

    public init(_ message: String) { self.message = message }
}
