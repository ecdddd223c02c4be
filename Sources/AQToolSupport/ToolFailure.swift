// SPDX-License-Identifier: MIT

/// A failure that ends a tool, or its work on one file: the exit status and the message.
public struct ToolFailure: Error, Sendable, Equatable {
    public var status: ExitStatus
    /// The message, after the tool's name.
    public var message: String

    public init(_ status: ExitStatus, _ message: String) {
        self.status = status
        self.message = message
    }
}
