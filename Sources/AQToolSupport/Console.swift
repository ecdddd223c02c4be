// SPDX-License-Identifier: MIT

import Synchronization

/// Writes the messages and the progress line of a tool, from any thread, without mixing them on the terminal.
public final class Console: Sendable {
    /// Clears to the end of the screen, because a terminal that has become narrower may have wrapped the line.
    private static let clearLine = "\r\u{1B}[J"

    /// Whether warnings are suppressed.
    public let isQuiet: Bool
    private let diagnostics: Diagnostics
    private let isProgressShown = Mutex(false)

    /// - Parameter toolName: The prefix of each message.
    public init(toolName: String, isQuiet: Bool) {
        self.isQuiet = isQuiet
        diagnostics = Diagnostics(toolName: toolName)
    }

    /// Writes the reason why an operation failed.
    public func error(_ message: String) { say(message) }

    /// Writes a warning about a fault in an operation that succeeded.
    public func warning(_ message: String) {
        if !isQuiet { say("warning: \(message)") }
    }

    /// Writes a requested message.
    public func detail(_ message: String) { say(message) }

    /// Replaces the progress line.
    ///
    /// - Parameter line: Makes the line for a number of columns.
    public func showProgress(_ line: (_ columns: Int) -> String) {
        // The last column stays free: writing into it wraps the line on some terminals.
        let line = line(Terminal.columns(of: 2) - 1)
        isProgressShown.withLock { isShown in
            isShown = true
            // Wrapping is turned off, because a terminal may be narrower than it reports, or show characters wider than
            // usual. The cursor stays at the start, so that the whole line can be cleared.
            StandardStream.error.write("\r\u{1B}[?7l\(line)\u{1B}[K\u{1B}[?7h\r")
        }
    }

    /// Shows a requested table, above the progress line.
    public func show(_ section: HelpSection) {
        replaceProgress(by: section.text(columns: Terminal.columns(of: 2) - 1))
    }

    /// Removes the progress line.
    public func clearProgress() { replaceProgress(by: "") }

    /// Writes a line of data to standard output.
    ///
    /// - Returns: The `errno` of a failure, or 0.
    public func output(_ line: String) -> Int32 { replaceProgress(by: line + "\n", on: .output) }

    private func say(_ message: String) { replaceProgress(by: diagnostics.line(message)) }

    /// Removes the progress line, and writes text to `stream`.
    @discardableResult
    private func replaceProgress(by text: String, on stream: StandardStream = .error) -> Int32 {
        isProgressShown.withLock { isShown in
            let clearing = isShown ? Console.clearLine : ""
            isShown = false
            if stream == .error { return StandardStream.error.write(clearing + text) }
            StandardStream.error.write(clearing)
            return stream.write(text)
        }
    }
}
