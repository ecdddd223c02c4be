// SPDX-License-Identifier: MIT

/// Text of unknown origin, made safe for display.
enum TagText {
    /// The text without control characters, which could move a terminal's cursor, and without leading and trailing
    /// spaces; nil if nothing is left.
    static func clean(_ text: String?) -> String? {
        guard let text else { return nil }
        // Most text is clean, and the lookup of each character's category is slow.
        if isClean(text) { return text }
        let kept = text.unicodeScalars.filter {
            // Bidirectional overrides would reverse the rest of the line.
            $0.properties.generalCategory != .control && !(0x202A...0x202E ~= $0.value)
        }
        var shown = Substring(String(String.UnicodeScalarView(kept.prefix(1024))))
        while shown.first?.isWhitespace == true { shown.removeFirst() }
        while shown.last?.isWhitespace == true { shown.removeLast() }
        return shown.isEmpty ? nil : String(shown)
    }

    /// Returns whether a text certainly needs no change.
    private static func isClean(_ text: String) -> Bool {
        let bytes = text.utf8
        guard 1...1024 ~= bytes.count, bytes.first != space, bytes.last != space else { return false }
        return bytes.allSatisfy { 0x20..<0x7F ~= $0 }
    }

    private static let space = UInt8(ascii: " ")

    /// Decodes UTF-8 if it is well-formed, else Latin-1, because containers do not declare the encoding.
    static func decode(_ bytes: UnsafeRawBufferPointer) -> String {
        if let text = unsafe String(validating: bytes, as: UTF8.self) { return text }
        return String(unsafe bytes.map { Character(Unicode.Scalar($0)) })
    }
}
