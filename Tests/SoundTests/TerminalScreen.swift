// SPDX-License-Identifier: MIT

/// A terminal's screen for a program's output, with each character at its largest width.
struct TerminalScreen {
    /// The screen's text after each line written with wrapping off.
    private(set) var progressLines: [String] = []
    /// Whether text was wrapped into the next row.
    private(set) var hasWrapped = false
    /// Whether text was written past the right edge while wrapping was off.
    private(set) var isCutOff = false
    /// Unknown escape sequences.
    private(set) var unknownSequences: [String] = []

    private let columns: Int
    private var rows: [[String]] = [[]]
    private var row = 0
    private var column = 0
    private var wraps = true

    init(columns: Int, showing output: String) {
        self.columns = columns
        var scalars = Array(output.unicodeScalars)[...]
        while let scalar = scalars.popFirst() {
            switch scalar {
            case "\r": column = 0
            case "\n":
                row += 1
                if row == rows.count { rows.append([]) }
            case "\u{1B}": takeSequence(&scalars)
            default: put(scalar)
            }
        }
    }

    /// The rows without trailing white space.
    var lines: [String] {
        rows.map { cells in
            var text = cells.joined()
            while text.last == " " { text.removeLast() }
            return text
        }
    }

    private mutating func takeSequence(_ scalars: inout ArraySlice<Unicode.Scalar>) {
        var sequence = ""
        while let scalar = scalars.popFirst() {
            sequence.unicodeScalars.append(scalar)
            if scalar.properties.isAlphabetic { break }
        }
        switch sequence {
        case "[K": rows[row] = Array(rows[row].prefix(column))
        case "[J":
            rows[row] = Array(rows[row].prefix(column))
            rows.removeLast(rows.count - row - 1)
        case "[?7l": wraps = false
        case "[?7h":
            wraps = true
            progressLines.append(rows[row].joined())
        default: unknownSequences.append(sequence)
        }
    }

    private mutating func put(_ scalar: Unicode.Scalar) {
        let width = Self.columns(of: scalar)
        if width == 0 {
            if column > 0 { rows[row][column - 1].unicodeScalars.append(scalar) }
            return
        }
        if column + width > columns {
            guard wraps else {
                isCutOff = true
                return
            }
            hasWrapped = true
            (row, column) = (row + 1, 0)
            if row == rows.count { rows.append([]) }
        }
        while rows[row].count < column + width { rows[row].append(" ") }
        rows[row][column] = String(scalar)
        if width == 2 { rows[row][column + 1] = "" }
        column += width
    }

    private static func columns(of scalar: Unicode.Scalar) -> Int {
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark: return 0
        case .format where scalar.value > 0x2000: return 0
        default: break
        }
        if scalar.properties.isEmoji && scalar.value > 0xFF { return 2 }
        switch scalar.value {
        case 0x1100...0x115F, 0x2E80...0xA4CF, 0xAC00...0xD7A3, 0xFF00...0xFF60, 0x1F000...0x3FFFF: return 2
        default: return 1
        }
    }
}
