// SPDX-License-Identifier: MIT

import AudioFiles
import ToolSupport

@testable import aqplay

extension PlayOptions {
    static func parse(_ arguments: [String]) throws(UsageError) -> Invocation {
        try parse(arguments.map { FilePath($0) })
    }
}
