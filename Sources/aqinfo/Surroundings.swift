import ToolSupport

/// Where the tool's words go, and what can be shown there.
struct Surroundings {
    /// Writes to standard output; returns 0 or the `errno` of the failure.
    var write: (String) -> Int32
    /// Writes bytes that are no text to standard output.
    var writeBytes: ([UInt8]) -> Int32
    /// Writes a line for people to standard error.
    var complain: (String) -> Void
    /// How wide a line may be.
    var columns: Int
    /// Whether characters beyond ASCII are shown as what they are.
    var isUTF8: Bool

    /// Those of the process.
    static var process: Surroundings {
        let diagnostics = Diagnostics(toolName: InfoTool.name)
        // A window narrower than this would break every line.
        let columns = Terminal.isTerminal(1) ? max(40, Terminal.columns(of: 1)) : 80
        return Surroundings(
            write: { StandardStream.output.write($0) }, writeBytes: { ImageFile.write($0, to: 1) },
            complain: { diagnostics.report($0) }, columns: columns,
            isUTF8: CharacterEncoding.isUTF8)
    }
}
