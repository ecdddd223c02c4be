// SPDX-License-Identifier: MIT

import AQToolSupport

/// Lines of names and values, aligned, and wrapped at the end of the line.
struct Report {
    private static let indent = 2
    /// The column of the values.
    static let textColumn = 18

    let columns: Int
    private(set) var text = ""

    init(columns: Int) { self.columns = columns }

    /// Appends a line.
    mutating func line(_ words: String) { text += DisplayText.sanitized(words) + "\n" }

    /// Appends a name and its value, wrapped if the value does not fit.
    mutating func field(_ name: String, _ words: String) {
        lines(name, wrapped(words))
    }

    /// Appends a name and lines that are not wrapped.
    mutating func lines(_ name: String, _ lines: [String]) {
        for (index, line) in lines.enumerated() {
            let head = index == 0 ? String(repeating: " ", count: Self.indent) + name : ""
            let padding = max(1, Self.textColumn - DisplayText.columns(of: head))
            text += head + String(repeating: " ", count: padding) + DisplayText.sanitized(line) + "\n"
        }
    }

    /// Returns phrases in lines that fit after a name. A phrase that fits into one line is not broken.
    func wrapped(phrases: [String]) -> [String] {
        let unbroken = phrases.map { String($0.map { $0 == " " ? Self.fixedSpace : $0 }) }
        return wrapped(unbroken.joined(separator: ", ")).map {
            String($0.map { $0 == Self.fixedSpace ? " " : $0 })
        }
    }

    /// A character that sanitized text does not contain.
    private static let fixedSpace: Character = "\u{0}"

    /// Returns words in lines that fit after a name.
    ///
    /// - Parameter hang: The indentation of all lines except the first.
    func wrapped(_ words: String, hang: Int = 0) -> [String] {
        let width = max(16, columns - Self.textColumn)
        var lines: [String] = []
        var line = ""
        var used = 0
        for word in words.split(separator: " ", omittingEmptySubsequences: false) {
            let length = DisplayText.columns(of: String(word))
            if used > hang || (lines.isEmpty && used > 0) {
                if used + 1 + length > width {
                    lines.append(line)
                    line = String(repeating: " ", count: hang)
                    used = hang
                } else {
                    line += " "
                    used += 1
                }
            }
            line += word
            used += length
        }
        lines.append(line)
        return lines
    }
}
