import AudioFiles
import ToolSupport

@testable import aqrecord

extension Options {
    /// Reads a command line of text.
    static func parse(_ arguments: [String]) throws(UsageError) -> Invocation {
        try parse(arguments.map { FilePath($0) })
    }
}

extension Tool {
    /// Runs a command line of text.
    static func run(_ arguments: [String]) -> ExitStatus { run(arguments.map { FilePath($0) }) }
}
