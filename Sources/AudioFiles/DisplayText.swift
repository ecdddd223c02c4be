/// Text of unknown origin, made fit to be shown.
enum DisplayText {
    /// The text without control characters, which could move a terminal's cursor, and without spaces at
    /// its ends; nil if nothing is left.
    static func clean(_ text: String?) -> String? {
        guard let text else { return nil }
        let kept = text.unicodeScalars.filter {
            // Bidirectional overrides would turn the rest of the line around.
            $0.properties.generalCategory != .control && !(0x202A...0x202E ~= $0.value)
        }
        var shown = Substring(String(String.UnicodeScalarView(kept.prefix(1024))))
        while shown.first?.isWhitespace == true { shown.removeFirst() }
        while shown.last?.isWhitespace == true { shown.removeLast() }
        return shown.isEmpty ? nil : String(shown)
    }

    /// Text in UTF-8 if it is well-formed, else in Latin-1: containers do not say which.
    static func decode(_ bytes: UnsafeRawBufferPointer) -> String {
        if let text = unsafe String(validating: bytes, as: UTF8.self) { return text }
        return String(unsafe bytes.map { Character(Unicode.Scalar($0)) })
    }
}
