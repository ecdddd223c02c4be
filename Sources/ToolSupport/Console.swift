import Synchronization

/// Everything a tool says, from any thread: messages and the progress line share the terminal without
/// running into each other.
public final class Console: Sendable {
    private static let clearLine = "\r\u{1B}[K"

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

    /// Shows the line in the place of the last one.
    public func showProgress(_ line: String) {
        isProgressShown.withLock { isShown in
            isShown = true
            StandardStream.error.write("\r\(line)\u{1B}[K")
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
