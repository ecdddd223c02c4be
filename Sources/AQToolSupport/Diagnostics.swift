// SPDX-License-Identifier: MIT

/// One-line messages to standard error, in the form `aqplay: cannot open 'x': no such file`.
public struct Diagnostics: Sendable {
    /// The prefix of each message.
    public let toolName: String

    public init(toolName: String) { self.toolName = toolName }

    /// The line for `message`, with its final newline. Control characters, which a file name or a tag may
    /// contain, become `?`, so that a message is one line and cannot control the terminal.
    public func line(_ message: String) -> String {
        "\(toolName): \(DisplayText.sanitized(message))\n"
    }

    /// Writes the line for `message` to standard error.
    public func report(_ message: String) {
        StandardStream.error.write(line(message))
    }

    /// Writes requested text (help, a list) to standard output, and reports an error if the text cannot be written.
    ///
    /// - Returns: The exit status of a tool that does nothing else.
    public func show(_ text: String) -> ExitStatus {
        let failure = StandardStream.output.write(text)
        guard failure != 0 else { return .success }
        report("cannot write to standard output: \(systemErrorText(failure).lowercased())")
        return .inputOutput
    }
}
