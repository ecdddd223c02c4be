// SPDX-License-Identifier: MIT

import AQFiles
import AQToolSupport

/// The names of a recording's files: `out-001.aif`, `out-002.aif` and so on, or `out.aif` and then `out-002.aif`.
struct FileNames {
    private let stem: FilePath
    private let dotExtension: FilePath
    private let numbersFirst: Bool
    private var number = 0

    /// - Parameter numbersFirst: Whether the first name has a number too.
    init(path: FilePath, numbersFirst: Bool) {
        (stem, dotExtension) = path.splitExtension
        self.numbersFirst = numbersFirst
    }

    /// The name of the next file.
    mutating func next() -> FilePath {
        number += 1
        if number == 1 && !numbersFirst { return stem + dotExtension }
        return stem + FilePath("-\(Decimal.digits(number, count: 3))") + dotExtension
    }
}
