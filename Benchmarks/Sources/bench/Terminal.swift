// SPDX-License-Identifier: MIT

import Foundation

/// Results are written to standard output, progress to standard error.
enum Terminal {
    /// Whether standard error is a terminal.
    static let showsProgress = isatty(STDERR_FILENO) == 1
    /// Returns to the start of the line, and clears it.
    private static let clear = "\r\u{1b}[K"

    static func showProgress(_ line: String) {
        FileHandle.standardError.write(Data("\(clear)\(line)".utf8))
    }

    static func clearProgress() {
        if showsProgress { FileHandle.standardError.write(Data(clear.utf8)) }
    }
}

/// Writes a line to standard output at once, without a buffer, because runs take long.
func say(_ line: String) {
    Terminal.clearProgress()
    FileHandle.standardOutput.write(Data("\(line)\n".utf8))
}
