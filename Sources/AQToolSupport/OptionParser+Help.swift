// SPDX-License-Identifier: MIT

extension OptionParser {
    /// The text of `--help`: usage, summary, the groups of options, the sections, wrapped to `columns`.
    public func helpText(columns: Int = 80) -> String {
        var writer = HelpWriter(columns: columns, textColumn: 28)
        let operands = operandUsage.isEmpty ? "" : " \(operandUsage)"
        writer.append(line: "Usage: \(toolName) [OPTION]...\(operands)")
        writer.append(words: summary)
        for group in groups {
            writer.append(line: "\n\(group.title):")
            for option in group.options { writer.append(term: Self.term(for: option), option.help) }
        }
        for section in sections {
            writer.append(line: "")
            writer.append(section)
        }
        return writer.text
    }

    /// The text of `--version`.
    public var versionText: String { "\(toolName) \(PackageVersion.text)\n" }

    private static func term(for option: CommandOption) -> String {
        let short = option.short.map { "-\($0), " } ?? "    "
        switch option.value {
        case .none: return "  \(short)--\(option.long)"
        case .required(let name): return "  \(short)--\(option.long)=\(name)"
        case .optional(let name): return "  \(short)--\(option.long)[=\(name)]"
        }
    }
}
