// SPDX-License-Identifier: MIT

/// Writes one JSON value (RFC 8259) as text, field by field.
public struct JSONWriter: Sendable {
    /// The text written.
    public private(set) var text = ""
    private var needsComma = false

    public init() {}

    /// Writes an object that `body` fills.
    public mutating func object(_ body: (inout JSONWriter) -> Void) { nest("{", "}", body) }

    /// Writes an array that `body` fills.
    public mutating func array(_ body: (inout JSONWriter) -> Void) { nest("[", "]", body) }

    /// Writes the name of the field whose value follows.
    public mutating func key(_ name: String) {
        separate()
        quote(name)
        text += ":"
        needsComma = false
    }

    public mutating func value(_ string: String) {
        separate()
        quote(string)
    }

    public mutating func value(_ integer: some BinaryInteger) {
        separate()
        text += String(integer)
    }

    public mutating func value(_ flag: Bool) {
        separate()
        text += flag ? "true" : "false"
    }

    /// Writes a number rounded to `decimals` decimals. Numbers that JSON cannot express (infinite or undefined), and
    /// those of 1e9 or more, become `null`.
    public mutating func value(_ number: Double, decimals: Int) {
        guard number.isFinite, number.magnitude < 1e9 else { return null() }
        separate()
        text += Decimal.text(number, decimals: decimals)
    }

    public mutating func null() {
        separate()
        text += "null"
    }

    // MARK: Fields

    /// Writes a field. A value of nil becomes `null`, as in the functions below.
    public mutating func field(_ name: String, _ text: String?) {
        key(name)
        if let text { value(text) } else { null() }
    }

    public mutating func field(_ name: String, _ integer: (some BinaryInteger)?) {
        key(name)
        if let integer { value(integer) } else { null() }
    }

    public mutating func field(_ name: String, _ flag: Bool) {
        key(name)
        value(flag)
    }

    public mutating func field(_ name: String, _ number: Double?, decimals: Int) {
        key(name)
        value(number ?? .nan, decimals: decimals)
    }

    public mutating func field(_ name: String, _ values: [String]) {
        key(name)
        array { json in for value in values { json.value(value) } }
    }

    private mutating func nest(_ open: String, _ close: String, _ body: (inout JSONWriter) -> Void) {
        separate()
        text += open
        needsComma = false
        body(&self)
        text += close
        needsComma = true
    }

    private mutating func separate() {
        if needsComma { text += "," }
        needsComma = true
    }

    private mutating func quote(_ string: String) {
        text += "\""
        for scalar in string.unicodeScalars {
            switch scalar {
            case "\"": text += "\\\""
            case "\\": text += "\\\\"
            case "\n": text += "\\n"
            case "\r": text += "\\r"
            case "\t": text += "\\t"
            case "\0"..." ", "\u{7F}"..."\u{9F}", "\u{2028}", "\u{2029}":
                if scalar == " " { text += " " } else { escape(scalar) }
            default: text.unicodeScalars.append(scalar)
            }
        }
        text += "\""
    }

    /// Writes a character as an escape such as `\u001b`. All characters that could control a terminal are escaped,
    /// which are more than the RFC requires.
    private mutating func escape(_ scalar: Unicode.Scalar) {
        let digits = String(scalar.value, radix: 16)
        text += "\\u" + String(repeating: "0", count: 4 - digits.utf8.count) + digits
    }
}
