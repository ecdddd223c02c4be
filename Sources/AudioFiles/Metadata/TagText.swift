/// Text of unknown origin, made fit to be shown.
enum TagText {
    /// The text without control characters, which could move a terminal's cursor, and without spaces at
    /// its ends; nil if nothing is left.
    static func clean(_ text: String?) -> String? {
        guard let text else { return nil }
        // Most text is clean, and to look up what each character is takes long.
        if isClean(text) { return text }
        let kept = text.unicodeScalars.filter {
            // Bidirectional overrides would turn the rest of the line around.
            $0.properties.generalCategory != .control && !(0x202A...0x202E ~= $0.value)
        }
        var shown = Substring(String(String.UnicodeScalarView(kept.prefix(1024))))
        while shown.first?.isWhitespace == true { shown.removeFirst() }
        while shown.last?.isWhitespace == true { shown.removeLast() }
        return shown.isEmpty ? nil : String(shown)
    }

    /// True if nothing needs to be taken from a text; false also for what takes a closer look.
    private static func isClean(_ text: String) -> Bool {
        let bytes = text.utf8
        guard 1...1024 ~= bytes.count, bytes.first != space, bytes.last != space else { return false }
        return bytes.allSatisfy { 0x20..<0x7F ~= $0 }
    }

    private static let space = UInt8(ascii: " ")

    /// Text in UTF-8 if it is well-formed, else in Latin-1: containers do not say which.
    static func decode(_ bytes: UnsafeRawBufferPointer) -> String {
        if let text = unsafe String(validating: bytes, as: UTF8.self) { return text }
        return String(unsafe bytes.map { Character(Unicode.Scalar($0)) })
    }
}
