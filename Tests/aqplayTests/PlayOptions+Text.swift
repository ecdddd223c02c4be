import AudioFiles
import ToolSupport

@testable import aqplay

extension PlayOptions {
    /// Parses a command line of text.
    static func parse(_ arguments: [String]) throws(UsageError) -> Invocation {
        try parse(arguments.map { FilePath($0) })
    }
}
