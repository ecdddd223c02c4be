// SPDX-License-Identifier: MIT

/// The reason why the bytes of a magic cookie, or of a packet's header, cannot be used.
public struct MagicCookieError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The reason in lower case, without full stop: the attempt, its object, the cause and, if bytes are missing, the
    /// offset.
    public var message: String
    /// The text of ``message``.
    public var description: String { message }

    /// Makes an error from a message.
    public init(_ message: String) {
        self.message = message
    }
}
