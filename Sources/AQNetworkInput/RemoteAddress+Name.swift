// SPDX-License-Identifier: MIT

extension RemoteAddress {
    /// A short name for display: the last part of the path without escapes, or the host.
    public var displayName: String {
        let path = description.drop { $0 != ":" }.dropFirst(3).prefix { $0 != "?" }
        let parts = path.split(separator: "/")
        guard parts.count > 1, let last = parts.last else { return host }
        return Self.unescaped(last) ?? String(last)
    }

    /// The text with its percent escapes decoded; nil if that is not UTF-8.
    private static func unescaped(_ text: Substring) -> String? {
        var bytes: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            let digits = rest.prefix(2).map { Character(Unicode.Scalar($0)).hexDigitValue }
            if byte == UInt8(ascii: "%"), digits.count == 2, let high = digits[0], let low = digits[1] {
                bytes.append(UInt8(high << 4 | low))
                rest = rest.dropFirst(2)
            } else {
                bytes.append(byte)
            }
        }
        return String(validating: bytes, as: UTF8.self)
    }
}
