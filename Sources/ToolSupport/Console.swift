import Synchronization

/// Everything a tool says, from any thread: messages and the progress line share the terminal without
/// running into each other.
public final class Console: Sendable {
    /// To the end of the screen: a terminal that has become narrower may have broken the line into several.
    private static let clearLine = "\r\u{1B}[J"

    /// Whether warnings are kept back.
    public let isQuiet: Bool
    private let diagnostics: Diagnostics
    private let isProgressShown = Mutex(false)

    /// - Parameter toolName: What stands before each message.
    public init(toolName: String, isQuiet: Bool) {
        self.isQuiet = isQuiet
        diagnostics = Diagnostics(toolName: toolName)
    }

    /// A line on why something could not be done.
    public func error(_ message: String) { say(message) }

    /// A line on something that was done, though not as it should be.
    public func warning(_ message: String) {
        if !isQuiet { say("warning: \(message)") }
    }

    /// A line that was asked for.
    public func detail(_ message: String) { say(message) }

    /// Shows a line in the place of the last one.
    ///
    /// - Parameter line: The line that fits a number of columns.
    public func showProgress(_ line: (_ columns: Int) -> String) {
        // The last column is left free: writing into it wraps the line on some terminals.
        let line = line(Terminal.columns(of: 2) - 1)
        isProgressShown.withLock { isShown in
            isShown = true
            // A terminal may be narrower than it says, or show characters wider than others do: it is not to wrap.
            // The cursor waits at the start, from where all can be cleared that the line may have become.
            StandardStream.error.write("\r\u{1B}[?7l\(line)\u{1B}[K\u{1B}[?7h\r")
        }
    }

    /// Shows a table that was asked for, above the progress line.
    public func show(_ section: HelpSection) {
        isProgressShown.withLock { isShown in
            let text = section.text(columns: Terminal.columns(of: 2) - 1)
            StandardStream.error.write(isShown ? Console.clearLine + text : text)
            isShown = false
        }
    }

    /// Takes the progress line away.
    public func clearProgress() {
        isProgressShown.withLock { isShown in
            if isShown { StandardStream.error.write(Console.clearLine) }
            isShown = false
        }
    }

    /// Writes a line of data to standard output.
    ///
    /// - Returns: The `errno` of a failure, or 0.
    public func output(_ line: String) -> Int32 {
        isProgressShown.withLock { isShown in
            if isShown { StandardStream.error.write(Console.clearLine) }
            isShown = false
            return StandardStream.output.write(line + "\n")
        }
    }

    private func say(_ message: String) {
        isProgressShown.withLock { isShown in
            let line = diagnostics.line(message)
            StandardStream.error.write(isShown ? Console.clearLine + line : line)
            isShown = false
        }
    }
}
