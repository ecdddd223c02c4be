// SPDX-License-Identifier: MIT

/// A code of four characters, such as a format ID, with conversions to and from text.
///
/// The first character is in the most significant byte: `'aac '` is 0x61616320. Only printable ASCII is converted to
/// and from characters; all other codes are written as hexadecimal numbers.
public struct FourCharacterCode: RawRepresentable, Hashable, Sendable {
    public var rawValue: UInt32

    public init(rawValue: UInt32) {
        self.rawValue = rawValue
    }

    /// Whether all four bytes are printable ASCII.
    public var isPrintable: Bool {
        bytes.allSatisfy { 0x20...0x7E ~= $0 }
    }

    private var bytes: [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: rawValue >> UInt32($0)) }
    }
}

extension FourCharacterCode: LosslessStringConvertible {
    /// The code in single quotes, or as a hexadecimal number if it is not printable.
    public var description: String {
        guard isPrintable else {
            let digits = String(rawValue, radix: 16, uppercase: true)
            return "0x" + String(repeating: "0", count: 8 - digits.utf8.count) + digits
        }
        return "'" + String(decoding: bytes, as: UTF8.self) + "'"
    }

    /// Makes a code from four characters, plain or in single quotes, or from `0x` and eight digits.
    ///
    /// - Parameter text: The text. Any other length, and characters that are not printable ASCII, give nil.
    public init?(_ text: String) {
        var bytes = Array(text.utf8)
        if bytes.count == 10, text.hasPrefix("0x") {
            // Checked because the integer's initialiser also accepts a sign.
            guard bytes.dropFirst(2).allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }),
                let number = UInt32(text.dropFirst(2), radix: 16)
            else { return nil }
            self.init(rawValue: number)
            return
        }
        if bytes.count == 6, bytes.first == 0x27, bytes.last == 0x27 {
            bytes = Array(bytes[1..<5])
        }
        guard bytes.count == 4, bytes.allSatisfy({ 0x20...0x7E ~= $0 }) else { return nil }
        self.init(rawValue: bytes.reduce(0) { $0 << 8 | UInt32($1) })
    }
}
