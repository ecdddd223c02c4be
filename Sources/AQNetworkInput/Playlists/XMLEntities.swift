// SPDX-License-Identifier: MIT

/// The entities of XML: five names, and characters by number.
enum XMLEntities {
    /// Returns text with decoded entities. Anything else after `&` is kept as written.
    static func decoded(_ text: ArraySlice<UInt8>) -> [UInt8] {
        guard text.contains(UInt8(ascii: "&")) else { return Array(text) }
        var decoded: [UInt8] = []
        decoded.reserveCapacity(text.count)
        var rest = text
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "&"), let end = rest.prefix(mostBytes).firstIndex(of: UInt8(ascii: ";")),
                let character = character(rest[..<end])
            {
                decoded += character
                rest = rest[(end + 1)...]
            } else {
                decoded.append(byte)
            }
        }
        return decoded
    }

    private static let mostBytes = 10

    private static func character(_ name: ArraySlice<UInt8>) -> [UInt8]? {
        let name = String(decoding: name, as: UTF8.self)
        switch name {
        case "amp": return Array("&".utf8)
        case "lt": return Array("<".utf8)
        case "gt": return Array(">".utf8)
        case "quot": return Array("\"".utf8)
        case "apos": return Array("'".utf8)
        default: break
        }
        guard name.hasPrefix("#"), let first = name.dropFirst().first else { return nil }
        let digits = name.dropFirst(first == "x" || first == "X" ? 2 : 1)
        guard digits.utf8.allSatisfy(URLEscapes.isHexDigit),
            let number = UInt32(
                digits, radix: digits.startIndex == name.index(after: name.startIndex) ? 10 : 16),
            let scalar = Unicode.Scalar(number), number != 0
        else { return nil }
        return Array(String(Character(scalar)).utf8)
    }
}
