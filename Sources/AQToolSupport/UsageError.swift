// SPDX-License-Identifier: MIT

/// The reason why a command line is wrong, with an alternative.
public struct UsageError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The message in lower case, without full stop.
    public var message: String
    public var description: String { message }

    public init(_ message: String) { self.message = message }
}
