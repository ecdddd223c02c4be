// SPDX-License-Identifier: MIT

import AQToolSupport

/// The outputs of the tool, and the properties of the terminal.
struct Surroundings {
    /// Writes to standard output; returns 0 or the `errno` of the failure.
    var write: (String) -> Int32
    /// Writes binary data to standard output.
    var writeBytes: ([UInt8]) -> Int32
    /// Writes a message to standard error.
    var complain: @Sendable (String) -> Void
    /// The width of a line.
    var columns: Int
    /// Whether characters beyond ASCII can be shown.
    var isUTF8: Bool

    /// The outputs of the process, and the properties of its terminal.
    static var process: Surroundings {
        let diagnostics = Diagnostics(toolName: InfoTool.name)
        // In a narrower window, every line would wrap.
        let columns = Terminal.isTerminal(1) ? max(40, Terminal.columns(of: 1)) : 80
        return Surroundings(
            write: { StandardStream.output.write($0) }, writeBytes: { ImageFile.write($0, to: 1) },
            complain: { diagnostics.report($0) }, columns: columns,
            isUTF8: CharacterEncoding.isUTF8)
    }
}
