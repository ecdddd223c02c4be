import Foundation

/// Standard output for results, standard error for what is of the moment.
enum Terminal {
    /// Whether somebody looks on.
    static let showsProgress = isatty(STDERR_FILENO) == 1
    /// Back to the line's start, and clear it.
    private static let clear = "\r\u{1b}[K"

    static func showProgress(_ line: String) {
        FileHandle.standardError.write(Data("\(clear)\(line)".utf8))
    }

    static func clearProgress() {
        if showsProgress { FileHandle.standardError.write(Data(clear.utf8)) }
    }
}

/// Writes a line to standard output at once, also where that is a file: runs take long.
func say(_ line: String) {
    Terminal.clearProgress()
    FileHandle.standardOutput.write(Data("\(line)\n".utf8))
}
