// SPDX-License-Identifier: MIT

/// Text from the network, made safe for display.
package enum StreamText {
    /// The size of the longest text, in characters of Unicode.
    package static let mostScalars = 1024

    /// Decodes UTF-8 if it is well-formed, else Windows-1252, because radio stations do not declare the encoding.
    ///
    /// White space becomes a space. Control characters, and those that change the direction of text, are removed.
    static func decode(_ bytes: some Collection<UInt8>) -> String {
        if let text = String(validating: bytes, as: UTF8.self) { return clean(text.unicodeScalars) }
        return clean(bytes.lazy.map(scalar))
    }

    private static func clean(_ scalars: some Sequence<Unicode.Scalar>) -> String {
        var kept = String.UnicodeScalarView()
        var count = 0
        var isAfterSpace = true
        for scalar in scalars {
            guard count < mostScalars else { break }
            let isSpace = scalar.properties.isWhitespace
            if isSpace ? isAfterSpace : isRemoved(scalar) { continue }
            kept.append(isSpace ? " " : scalar)
            count += 1
            isAfterSpace = isSpace
        }
        if kept.last == " " { kept.removeLast() }
        return String(kept)
    }

    /// Returns whether a character controls a terminal or the direction of text.
    private static func isRemoved(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x00...0x1F, 0x7F...0x9F: true
        case 0x061C, 0x200E, 0x200F, 0x202A...0x202E, 0x2066...0x2069, 0xFEFF: true
        default: false
        }
    }

    private static func scalar(_ byte: UInt8) -> Unicode.Scalar {
        guard 0x80...0x9F ~= byte else { return Unicode.Scalar(byte) }
        return windows1252[Int(byte - 0x80)]
    }

    /// The characters 0x80 to 0x9F of Windows-1252; a replacement character where there is none.
    private static let windows1252 = Array(
        "€\u{FFFD}‚ƒ„…†‡ˆ‰Š‹Œ\u{FFFD}Ž\u{FFFD}\u{FFFD}‘’“”•–—˜™š›œ\u{FFFD}žŸ".unicodeScalars)
}
