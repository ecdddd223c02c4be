/// Percent escapes, and the classes of bytes in URLs (RFC 3986, 2).
enum URLEscapes {
    /// Escapes every byte that is not unreserved, a sub-delimiter, a valid escape, or in `others`.
    static func escaped(_ bytes: some Collection<UInt8>, besides others: String) -> [UInt8] {
        var escaped: [UInt8] = []
        escaped.reserveCapacity(bytes.count)
        var rest = Array(bytes)[...]
        while let byte = rest.popFirst() {
            let isEscape =
                byte == UInt8(ascii: "%") && rest.count >= 2 && rest.prefix(2).allSatisfy(isHexDigit)
            if isEscape || isUnreserved(byte) || "!$&'()*+,;=".utf8.contains(byte)
                || others.utf8.contains(byte)
            {
                escaped.append(byte)
            } else {
                escaped += escape(byte)
            }
        }
        return escaped
    }

    static func escape(_ byte: UInt8) -> [UInt8] {
        let digits = Array("0123456789ABCDEF".utf8)
        return [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 0xF)]]
    }

    static func isUnreserved(_ byte: UInt8) -> Bool {
        isLetter(byte) || isDigit(byte) || "-._~".utf8.contains(byte)
    }

    static func isScheme(_ byte: UInt8) -> Bool {
        isLetter(byte) || isDigit(byte) || "+-.".utf8.contains(byte)
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
