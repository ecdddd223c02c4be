// SPDX-License-Identifier: MIT

/// Numbers on a command line: digits, at most one point, an optional sign.
///
/// Other forms that `Double.init` accepts (`inf`, `nan`, `0x1p3`, `1e400`) are refused.
public enum DecimalParser {
    /// The number that all of `text` means, or nil.
    public static func number(_ text: some StringProtocol) -> Double? {
        var digits = 0
        var points = 0
        for (index, byte) in text.utf8.enumerated() {
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): digits += 1
            case UInt8(ascii: "."): points += 1
            case UInt8(ascii: "-"), UInt8(ascii: "+"): if index > 0 { return nil }
            default: return nil
            }
        }
        guard digits > 0, points <= 1, digits <= 300 else { return nil }
        return Double(String(text))
    }

    /// The whole number that all of `text` means, if it is in `range`.
    public static func integer(_ text: String, in range: ClosedRange<Int>) -> Int? {
        guard let value = Int(text), range.contains(value) else { return nil }
        return value
    }

    /// The whole number that an option's value means.
    ///
    /// - Throws: ``UsageError`` unless it is in `range`.
    public static func integer(
        _ text: String, option: String, in range: ClosedRange<Int>
    ) throws(UsageError) -> Int {
        guard let value = integer(text, in: range) else {
            throw UsageError(
                "invalid number '\(text)' for '\(option)'; write a whole number from \(range.lowerBound) to "
                    + "\(range.upperBound)")
        }
        return value
    }
}
