// SPDX-License-Identifier: MIT

/// Percent escapes, and the classes of bytes in URLs (RFC 3986, 2).
enum URLEscapes {
    /// A part of a URL, by the delimiters that it may contain.
    enum Part { case user, path, query }

    /// Escapes every byte that the part cannot contain. Valid escapes are kept.
    static func escaped(_ bytes: some Collection<UInt8>, in part: Part) -> [UInt8] {
        var escaped: [UInt8] = []
        escaped.reserveCapacity(bytes.count)
        var rest = Array(bytes)[...]
        while let byte = rest.popFirst() {
            let isEscape =
                byte == UInt8(ascii: "%") && rest.count >= 2 && rest.prefix(2).allSatisfy(isHexDigit)
            if isEscape || isUnreserved(byte) || isDelimiter(byte, in: part) {
                escaped.append(byte)
            } else {
                escaped += escape(byte)
            }
        }
        return escaped
    }

    private static func isDelimiter(_ byte: UInt8, in part: Part) -> Bool {
        switch Unicode.Scalar(byte) {
        case "!", "$", "&", "'", "(", ")", "*", "+", ",", ";", "=", ":": true
        // Brackets are invalid in both, but common in queries.
        case "/", "@", "[", "]": part != .user
        case "?": part == .query
        default: false
        }
    }

    static func escape(_ byte: UInt8) -> [UInt8] {
        [UInt8(ascii: "%"), digit(byte >> 4), digit(byte & 0xF)]
    }

    private static func digit(_ value: UInt8) -> UInt8 { value < 10 ? 0x30 + value : 0x41 + value - 10 }

    static func isUnreserved(_ byte: UInt8) -> Bool {
        switch Unicode.Scalar(byte) {
        case "-", ".", "_", "~": true
        default: isLetter(byte) || isDigit(byte)
        }
    }

    static func isScheme(_ byte: UInt8) -> Bool {
        switch Unicode.Scalar(byte) {
        case "+", "-", ".": true
        default: isLetter(byte) || isDigit(byte)
        }
    }

    static func isLetter(_ byte: UInt8) -> Bool { 0x61...0x7A ~= byte | 0x20 }

    static func isDigit(_ byte: UInt8) -> Bool { 0x30...0x39 ~= byte }

    static func isHexDigit(_ byte: UInt8) -> Bool { hexDigit(byte) != nil }

    static func hexDigit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case 0x30...0x39: byte - 0x30
        case 0x41...0x46: byte - 0x41 + 10
        case 0x61...0x66: byte - 0x61 + 10
        default: nil
        }
    }

    static func lowercased(_ byte: UInt8) -> UInt8 { 0x41...0x5A ~= byte ? byte | 0x20 : byte }
}
