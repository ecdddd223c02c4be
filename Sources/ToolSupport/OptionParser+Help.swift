extension OptionParser {
    /// The text of `--help`: usage, summary, the groups of options, the sections, wrapped to `columns`.
    public func helpText(columns: Int = 80) -> String {
        var text = "Usage: \(toolName) [OPTION]... \(operandUsage)\n"
        Self.append(words: summary, indent: 0, columns: columns, to: &text)
        for group in groups {
            text += "\n\(group.title):\n"
            for option in group.options {
                Self.append(term: Self.term(for: option), option.help, columns: columns, to: &text)
            }
        }
        for section in sections {
            text += "\n\(section.title):\n"
            for row in section.rows {
                Self.append(term: "  \(row.term)", row.text, columns: columns, to: &text)
            }
        }
        return text
    }

    /// The text of `--version`.
    public var versionText: String { "\(toolName) \(PackageVersion.text)\n" }

    private static let textColumn = 28

    private static func term(for option: CommandOption) -> String {
        let short = option.short.map { "-\($0), " } ?? "    "
        switch option.value {
        case .none: return "  \(short)--\(option.long)"
        case .required(let name): return "  \(short)--\(option.long)=\(name)"
        case .optional(let name): return "  \(short)--\(option.long)[=\(name)]"
        }
    }

    private static func append(term: String, _ words: String, columns: Int, to text: inout String) {
        text += term
        let width = DisplayText.columns(of: term)
        if width + 2 > textColumn {
            text += "\n"
            append(words: words, indent: textColumn, columns: columns, to: &text)
        } else {
            text += String(repeating: " ", count: textColumn - width)
            append(words: words, indent: textColumn, columns: columns, isIndented: true, to: &text)
        }
    }

    private static func append(
        words: String, indent: Int, columns: Int, isIndented: Bool = false, to text: inout String
    ) {
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
