// SPDX-License-Identifier: MIT

/// Text for a terminal: sanitized, measured in columns, and truncated.
public enum DisplayText {
    /// `text` without characters that could move the cursor, start an escape sequence or reorder the line:
    /// white space becomes a space, others become `?`.
    public static func sanitized(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: { replacement(for: $0) != nil }) else { return text }
        var result = String.UnicodeScalarView()
        for scalar in text.unicodeScalars { result.append(replacement(for: scalar) ?? scalar) }
        return String(result)
    }

    /// The largest number of columns that `text` takes. East Asian wide characters and emoji take two,
    /// combining marks none.
    ///
    /// Terminals differ in the width of joined emoji, flags and Korean letters. The sum of the parts is the
    /// largest width.
    public static func columns(of text: String) -> Int {
        text.reduce(0) { $0 + columns(of: $1) }
    }

    /// The longest prefix of `text` that fits `columns`, with an ellipsis if it was truncated.
    public static func truncated(_ text: String, toColumns limit: Int) -> String {
        guard limit > 0 else { return "" }
        var result = ""
        var used = 0
        var endOfRoomForEllipsis = result.endIndex
        for character in text {
            let width = columns(of: character)
            if used + width > limit { return String(result[..<endOfRoomForEllipsis]) + "…" }
            result.append(character)
            used += width
            if used < limit { endOfRoomForEllipsis = result.endIndex }
        }
        return result
    }

    private static func replacement(for scalar: Unicode.Scalar) -> Unicode.Scalar? {
        switch scalar.value {
        case 0x09...0x0D, 0x85, 0x2028, 0x2029: " "
        case 0x00...0x1F, 0x7F...0x9F: "?"
        // Marks that change the direction of the following text, and the byte order mark.
        case 0x061C, 0x200E, 0x200F, 0x202A...0x202E, 0x2066...0x2069, 0xFEFF: "?"
        default: nil
        }
    }

    private static func columns(of character: Character) -> Int {
        var sum = 0
        var isPicture = false
        for scalar in character.unicodeScalars {
            sum += columns(of: scalar)
            // Variation selector 16 selects the picture form of the character before it.
            if scalar.value == 0xFE0F { isPicture = true }
        }
        return isPicture ? max(2, sum) : sum
    }

    private static func columns(of scalar: Unicode.Scalar) -> Int {
        if scalar.value < 0x300 { return scalar.value < 0x20 ? 0 : 1 }
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .control: return 0
        case .format: return visibleFormats.contains { $0.contains(scalar.value) } ? 1 : 0
        default: break
        }
        // Some terminals show all emoji in two columns, also those that Unicode calls narrow: half of a flag,
        // or a symbol such as U+2708.
        if scalar.properties.isEmoji { return 2 }
        return wideRanges.contains { $0.contains(scalar.value) } ? 2 : 1
    }

    /// Visible signs before or around numbers. Their Unicode category also contains the invisible joiners.
    private static let visibleFormats: [ClosedRange<UInt32>] = [
        0x0600...0x0605, 0x06DD...0x06DD, 0x070F...0x070F, 0x0890...0x0891, 0x08E2...0x08E2,
        0x110BD...0x110BD, 0x110CD...0x110CD,
    ]

    /// The blocks that are wide or full-width in Unicode's East Asian Width (UAX 11), merged.
    private static let wideRanges: [ClosedRange<UInt32>] = [
        0x1100...0x115F, 0x231A...0x231B, 0x23E9...0x23EC, 0x25FD...0x25FE, 0x2614...0x2615, 0x2648...0x2653,
        0x26AA...0x26AB, 0x26BD...0x26BE, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF, 0x4E00...0x9FFF,
        0xA000...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF00...0xFF60,
        0xFFE0...0xFFE6, 0x16FE0...0x18CFF, 0x1B000...0x1B2FF, 0x1F004...0x1F004, 0x1F18E...0x1F19A,
        0x1F200...0x1F320, 0x1F32D...0x1F64F, 0x1F680...0x1F6FF, 0x1F900...0x1F9FF, 0x1FA70...0x1FAFF,
        0x20000...0x3FFFD,
    ]
}
