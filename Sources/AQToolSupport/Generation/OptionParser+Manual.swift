// SPDX-License-Identifier: MIT

extension OptionParser {
    /// The manual page, in the macros of man(7). Its text depends on the package's version alone.
    var manualPage: String {
        var text = ManualText(valueNames: valueNames)
        text.append(".\\\" Written by '\(toolName) --generate-manual'.")
        // The version alone, and an empty title instead of the default one: a longer header or footer would overlap in
        // a window of 40 columns.
        text.append(
            ".TH \(toolName.uppercased()) 1 \(PackageVersion.date) \"\(PackageVersion.text)\" \"\"")
        // Commands and names must not be hyphenated.
        text.append(".nh")
        text.append(".ad l")
        // Without it, each paragraph is justified again since groff 1.23.
        text.append(".ds AD l")
        appendIntroduction(to: &text)
        text.append(section: "Options")
        for group in groups {
            text.append(subsection: group.title)
            for option in group.options { text.append(tag: Self.tag(for: option), option.help) }
        }
        for section in sections where section.manualTitle != Self.statusTitle { append(section, to: &text) }
        appendExamples(to: &text)
        for section in sections where section.manualTitle == Self.statusTitle { append(section, to: &text) }
        append(HelpSection("Environment", manual.environment), to: &text)
        append(HelpSection("Files", manual.files), to: &text)
        text.append(section: "Reporting bugs")
        text.append(text: Manual.bugReports)
        appendRelated(to: &text)
        return text.lines.joined(separator: "\n") + "\n"
    }

    private static let statusTitle = "Exit status"

    private func appendIntroduction(to text: inout ManualText) {
        text.append(section: "Name")
        text.append("\(toolName) \\- \(ManualText.prose(purpose))")
        text.append(section: "Synopsis")
        // A long list of alternatives may be broken after a bar.
        let usage = ManualText.usage(operandUsage).replacing("|", with: "|\\:")
        let operands = usage.isEmpty ? "" : " " + usage
        text.append("\\fB\(toolName)\\fR [\\fIOPTION\\fR]...\(operands)")
        text.append(section: "Description")
        text.append(text: summary)
        for paragraph in manual.paragraphs {
            text.append(".PP")
            text.append(text: paragraph)
        }
    }

    private var purpose: String {
        let text = manual.purpose ?? summary.firstSentence
        return text.prefix(1).lowercased() + text.dropFirst()
    }

    private func append(_ section: HelpSection, to text: inout ManualText) {
        guard !section.rows.isEmpty else { return }
        text.append(section: section.manualTitle)
        for row in section.rows { text.append(tag: ManualText.bold(row.term), row.text) }
    }

    private func appendExamples(to text: inout ManualText) {
        guard !manual.examples.isEmpty else { return }
        text.append(section: "Examples")
        for example in manual.examples {
            text.append(tag: ManualText.bold(example.command), example.text)
        }
    }

    private func appendRelated(to text: inout ManualText) {
        let tools = Manual.tools.filter { $0 != toolName }.map { "\($0)(1)" }
        let pages = (tools + manual.related).sorted()
        text.append(section: "See also")
        for (index, page) in pages.enumerated() {
            let name = page.prefix { $0 != "(" }
            let end = index == pages.count - 1 ? "" : ","
            text.append(".BR \(ManualText.literal(String(name))) \(page.dropFirst(name.count))\(end)")
        }
    }

    /// The names of the values and operands, which the texts mention.
    private var valueNames: Set<String> {
        let usages = options.compactMap(\.value.name) + [operandUsage]
        return Set(usages.flatMap { $0.split { !("A"..."Z" ~= $0) }.map(String.init) })
    }

    private static func tag(for option: CommandOption) -> String {
        let short = option.short.map { "\\fB\\-\($0)\\fR, " } ?? ""
        let name = short + "\\fB\\-\\-\(ManualText.literal(option.long))\\fR"
        switch option.value {
        case .none: return name
        case .required(let value): return "\(name)=\(ManualText.usage(value))"
        case .optional(let value): return "\(name)[=\(ManualText.usage(value))]"
        }
    }
}
