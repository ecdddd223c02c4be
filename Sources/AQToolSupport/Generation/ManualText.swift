// SPDX-License-Identifier: MIT

/// Text of a manual page as lines of roff, in the macros of man(7).
struct ManualText {
    /// The longest line, in bytes.
    private static let lineBytes = 78

    /// The names of values, which are set in italics.
    private let valueNames: Set<String>
    private(set) var lines: [String] = []

    init(valueNames: Set<String>) { self.valueNames = valueNames }

    /// Appends a line of roff.
    mutating func append(_ line: String) { lines.append(line) }

    mutating func append(section title: String) { append(".SH \(Self.argument(title.uppercased()))") }

    mutating func append(subsection title: String) { append(".SS \(Self.argument(title))") }

    /// Appends a paragraph below a tag.
    ///
    /// - Parameter tag: The tag, as roff.
    mutating func append(tag: String, _ text: String) {
        append(".TP")
        append(tag)
        append(text: text)
    }

    /// Appends sentences. Each begins a line, which sets the space between them.
    mutating func append(text: String) {
        var line = ""
        for word in text.split(separator: " ") {
            let set = roff(word)
            if !line.isEmpty, line.utf8.count + 1 + set.utf8.count > Self.lineBytes { end(&line) }
            line += line.isEmpty ? set : " " + set
            if word.hasSuffix(".") || word.hasSuffix(".)") { end(&line) }
        }
        end(&line)
    }

    private mutating func end(_ line: inout String) {
        // A full stop at the start would make it a request.
        if !line.isEmpty { append(line.hasPrefix(".") ? "\\&" + line : line) }
        line = ""
    }

    /// The terms of a table's row in bold: `left, right`.
    static func bold(_ terms: String) -> String {
        terms.split(separator: ",").map { term in
            let space = term.prefix { $0 == " " }
            return "\(space)\\fB\(literal(term.dropFirst(space.count)))\\fR"
        }.joined(separator: ",")
    }

    /// Text that the reader may type. Its hyphens stay hyphens when they are copied.
    static func literal(_ text: some StringProtocol) -> String {
        text.unicodeScalars.map { scalar in
            switch scalar {
            case "-": "\\-"
            default: plain(scalar)
            }
        }.joined()
    }

    /// Text in which a hyphen joins words.
    static func prose(_ text: some StringProtocol) -> String { text.unicodeScalars.map(plain).joined() }

    /// The usage of operands, or the name of a value, with names in italics: `FILE|-...`.
    static func usage(_ text: String) -> String { italic(text) { _ in true } }

    private static func plain(_ scalar: Unicode.Scalar) -> String {
        switch scalar {
        case "\\": "\\e"
        case "'": "\\(aq"
        case "`": "\\(ga"
        case "^": "\\(ha"
        case "~": "\\(ti"
        case "\"": "\\(dq"
        default: scalar.isASCII ? String(scalar) : "\\[u\(hexadecimal(scalar))]"
        }
    }

    private static func hexadecimal(_ scalar: Unicode.Scalar) -> String {
        let digits = String(scalar.value, radix: 16, uppercase: true)
        return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }

    private static func argument(_ text: String) -> String {
        text.contains(" ") ? "\"\(literal(text))\"" : literal(text)
    }

    /// A word of a sentence. Options are bold; names of values are in italics.
    private func roff(_ word: Substring) -> String {
        let before = word.prefix { "'(".contains($0) }
        let rest = word.dropFirst(before.count)
        let name = rest.prefix { $0 == "-" || $0.isLetter }
        if name.first == "-", name.contains(where: \.isLetter),
            Self.isEndOfName(rest.dropFirst(name.count).first)
        {
            let after = rest.dropFirst(name.count)
            return "\(Self.prose(before))\\fB\(Self.literal(name))\\fR\(Self.literal(after))"
        }
        let isLiteral = rest.first == "-" || word.contains { "./=@".contains($0) }
        return Self.italic(word, isLiteral: isLiteral, where: valueNames.contains)
    }

    private static func isEndOfName(_ character: Character?) -> Bool {
        guard let character else { return true }
        return "=',.;:)".contains(character)
    }

    /// Sets some of the words in capital letters in italics.
    private static func italic(
        _ text: some StringProtocol, isLiteral: Bool = true, where isName: (String) -> Bool
    ) -> String {
        var result = ""
        var rest = Substring(text)
        while let first = rest.first {
            let isLetter = first.isLetter || first.isNumber || first == "_"
            let run = rest.prefix { ($0.isLetter || $0.isNumber || $0 == "_") == isLetter }
            rest = rest.dropFirst(run.count)
            let isCapital = run.utf8.allSatisfy { UInt8(ascii: "A")...UInt8(ascii: "Z") ~= $0 }
            if isCapital, isName(String(run)) {
                result += "\\fI\(run)\\fR"
            } else {
                result += isLiteral ? literal(run) : prose(run)
            }
        }
        return result
    }
}
