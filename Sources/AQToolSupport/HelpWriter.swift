// SPDX-License-Identifier: MIT

/// Terms with their explanations, and paragraphs, as lines of a given width.
struct HelpWriter {
    let columns: Int
    /// The column in which explanations begin.
    let textColumn: Int
    private(set) var text = ""

    init(columns: Int, textColumn: Int) {
        self.columns = columns
        self.textColumn = textColumn
    }

    mutating func append(line: String) { text += line + "\n" }

    /// Appends a term, and its explanation beside it, or below it if the term is too long.
    mutating func append(term: String, _ words: String) {
        text += term
        let width = DisplayText.columns(of: term)
        if width + 2 > textColumn {
            text += "\n"
            append(words: words, indent: textColumn)
        } else {
            text += String(repeating: " ", count: textColumn - width)
            append(words: words, indent: textColumn, isIndented: true)
        }
    }

    mutating func append(_ section: HelpSection) {
        append(line: "\(section.title):")
        for row in section.rows { append(term: "  \(row.term)", row.text) }
    }

    mutating func append(words: String, indent: Int = 0, isIndented: Bool = false) {
        let margin = String(repeating: " ", count: indent)
        var used = 0
        if !isIndented { text += margin }
        for word in words.split(separator: " ") {
            let width = DisplayText.columns(of: String(word))
            if used > 0 && indent + used + 1 + width > columns {
                text += "\n\(margin)"
                used = 0
            }
            if used > 0 {
                text += " "
                used += 1
            }
            text += word
            used += width
        }
        text += "\n"
    }
}

extension HelpSection {
    /// The table alone, with its title, at most `columns` wide.
    public func text(columns: Int) -> String {
        let longest = rows.map { DisplayText.columns(of: $0.term) }.max() ?? 0
        // Without room for two columns, explanations are below the terms.
        var writer = HelpWriter(columns: columns, textColumn: columns < 30 ? 4 : longest + 4)
        writer.append(self)
        return writer.text
    }
}
