/// Why a measurement could not be made: lower case, without full stop, naming what was attempted and why it failed.
public struct HarnessError: Error, Sendable, CustomStringConvertible {
    public let description: String

    public init(_ description: String) { self.description = description }
}
