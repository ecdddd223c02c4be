// SPDX-License-Identifier: MIT

import AQFiles
import AQToolSupport

@testable import aqconvert

extension ConvertOptions {
    static func parse(_ arguments: [String]) throws(UsageError) -> Invocation {
        try parse(arguments.map { FilePath($0) })
    }
}

extension ConvertTool {
    static func run(_ arguments: [String]) -> ExitStatus { run(arguments.map { FilePath($0) }) }
}
