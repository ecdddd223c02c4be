// SPDX-License-Identifier: MIT

extension DisplayText {
    /// The lines of `line`, broken at spaces so that none takes more than `limit` columns.
    ///
    /// A line that fits is not changed. Further lines begin below the text after the label, which is two or more spaces
    /// before it, or at the indent of the line. A word that is longer than `limit`, such as the name of a device, is not
    /// broken, so that it can be copied.
    public static func wrapped(_ line: String, toColumns limit: Int) -> [String] {
        guard columns(of: line) > limit else { return [line] }
        let head = head(of: line)
        let width = columns(of: head)
        // A label that takes most of the width would leave a column of single words.
        let margin = String(repeating: " ", count: width <= limit / 2 ? width : min(2, max(0, limit / 2)))
        var lines: [String] = []
        var current = head
        var isEmpty = true
        for word in line.dropFirst(head.count).split(separator: " ") {
            if !isEmpty, columns(of: current) + 1 + columns(of: String(word)) > limit {
                lines.append(current)
                current = margin
                isEmpty = true
            }
            current += isEmpty ? "\(word)" : " \(word)"
            isEmpty = false
        }
        return lines + [current]
    }

    /// The indent of a line, and its label with the spaces after it.
    private static func head(of line: String) -> String {
        let indent = line.prefix { $0 == " " }
        let rest = line.dropFirst(indent.count)
        guard let gap = rest.firstRange(of: "  ") else { return String(indent) }
        let spaces = rest[gap.lowerBound...].prefix { $0 == " " }
        return String(line[..<spaces.endIndex])
    }
}
