// SPDX-License-Identifier: MIT

import AQFiles
import AQToolSupport

@testable import aqplay

extension PlayOptions {
    static func parse(_ arguments: [String]) throws(UsageError) -> Invocation {
        try parse(arguments.map { FilePath($0) })
    }
}
