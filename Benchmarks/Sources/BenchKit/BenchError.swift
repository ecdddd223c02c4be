// SPDX-License-Identifier: MIT

/// A failed measurement. The description is in lower case without a full stop, and names the attempt and the reason.
public struct BenchError: Error, Sendable, CustomStringConvertible {
    public let description: String

    public init(_ description: String) { self.description = description }
}
