// SPDX-License-Identifier: MIT

/// A system call that failed, and its purpose.
public struct SystemError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The `errno` of the failure.
    public var code: Int32
    /// The reason in lower case, without full stop: the attempt, its object, the cause.
    public var message: String
    public var description: String { message }

    /// - Parameter attempt: The attempted operation: `open 'x'`.
    public init(_ attempt: String, _ code: Int32) {
        self.code = code
        self.message = "cannot \(attempt): \(systemErrorText(code).lowercased())"
    }
}
