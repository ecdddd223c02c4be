import Glibc
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
        let diagnostics = Diagnostics(toolName: Tool.name)
        // A window narrower than this would break every line.
        let columns = Terminal.isTerminal(1) ? max(40, Terminal.columns(of: 1)) : 80
        return Surroundings(
            write: { StandardStream.output.write($0) }, writeBytes: { ImageFile.write($0, to: 1) },
            complain: { diagnostics.report($0) }, columns: columns,
            isUTF8: isUTF8(environment: ["LC_ALL", "LC_CTYPE", "LANG"].map(variable)))
    }

    /// Whether a locale's variables, the strongest first, ask for UTF-8.
    static func isUTF8(environment values: [String?]) -> Bool {
        guard let locale = values.lazy.compactMap({ $0 }).first(where: { !$0.isEmpty }) else { return false }
        let name = locale.lowercased()
        return name.contains("utf-8") || name.contains("utf8")
    }

    private static func variable(_ name: String) -> String? {
        // SAFETY: nothing in this process changes the environment.
        guard let value = unsafe getenv(name) else { return nil }
        return unsafe String(cString: value)
    }
}
