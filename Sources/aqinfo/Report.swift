import ToolSupport

/// Lines of names and what they stand for, aligned, and broken where the line ends.
struct Report {
    private static let indent = 2
    /// Where the text begins.
    static let textColumn = 18

    let columns: Int
    private(set) var text = ""

    init(columns: Int) { self.columns = columns }

    /// A line of its own.
    mutating func line(_ words: String) { text += DisplayText.sanitized(words) + "\n" }

    /// A name and words behind it, which go on below where they do not fit.
    mutating func field(_ name: String, _ words: String) {
        lines(name, wrapped(words))
    }

    /// A name and lines that are as long as they are.
    mutating func lines(_ name: String, _ lines: [String]) {
        for (index, line) in lines.enumerated() {
            let head = index == 0 ? String(repeating: " ", count: Self.indent) + name : ""
            let padding = max(1, Self.textColumn - DisplayText.columns(of: head))
            text += head + String(repeating: " ", count: padding) + DisplayText.sanitized(line) + "\n"
        }
    }

    /// Phrases in lines that fit behind a name, none of them broken if one line holds it.
    func wrapped(phrases: [String]) -> [String] {
        let unbroken = phrases.map { String($0.map { $0 == " " ? Self.fixedSpace : $0 }) }
        return wrapped(unbroken.joined(separator: ", ")).map {
            String($0.map { $0 == Self.fixedSpace ? " " : $0 })
        }
    }

    /// A character that no text has once it is made fit to be shown.
    private static let fixedSpace: Character = "\u{0}"

    /// Words in lines that fit behind a name.
    ///
    /// - Parameter hang: Spaces before all lines but the first.
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
