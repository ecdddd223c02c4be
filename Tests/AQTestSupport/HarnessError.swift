// SPDX-License-Identifier: MIT

/// The reason why a measurement failed: lower case, without full stop, with the attempt and the cause.
public struct HarnessError: Error, Sendable, CustomStringConvertible {
    public let description: String

    public init(_ description: String) { self.description = description }
}
