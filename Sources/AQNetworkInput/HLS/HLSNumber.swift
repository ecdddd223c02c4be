// SPDX-License-Identifier: MIT

/// The numbers of HLS playlists, which are limited so that the sum of two is valid.
enum HLSNumber {
    /// The largest integer. Some stations number segments by nanoseconds since 1970.
    static let most: Int64 = 1 << 61

    /// Parses a decimal integer; nil if the text is not one.
    ///
    /// - Throws: An error if it exceeds ``most``.
    static func integer(_ text: ArraySlice<UInt8>, line: Int) throws(HLSPlaylistError) -> Int64? {
        let digits = TextLines.trimmed(text)
        guard !digits.isEmpty, digits.allSatisfy(URLEscapes.isDigit) else { return nil }
        var number: Int64 = 0
        for digit in digits {
            let (product, isTooLarge) = number.multipliedReportingOverflow(by: 10)
            guard !isTooLarge, product <= most else { throw tooLarge(line) }
            number = product + Int64(digit - 0x30)
        }
        guard number <= most else { throw tooLarge(line) }
        return number
    }

    /// Parses a number with optional sign and fraction; nil if the text is not one. Larger ones become ±10⁹.
    static func decimal(_ text: ArraySlice<UInt8>) -> Double? {
        let text = TextLines.trimmed(text)
        let isNegative = text.first == UInt8(ascii: "-")
        let digits = text.dropFirst(isNegative || text.first == UInt8(ascii: "+") ? 1 : 0)
        let whole = digits.prefix(while: URLEscapes.isDigit)
        let fraction = digits[whole.endIndex...]
        guard !whole.isEmpty || fraction.count > 1,
            fraction.isEmpty
                || fraction.first == UInt8(ascii: ".") && fraction.dropFirst().allSatisfy(URLEscapes.isDigit)
        else { return nil }
        let size = whole.reduce(0.0) { min($0 * 10 + Double($1 - 0x30), 1e9) }
        // Twelve digits are more than any clock has.
        let part = fraction.dropFirst().prefix(12).reversed().reduce(0.0) { ($0 + Double($1 - 0x30)) / 10 }
        return isNegative ? -(size + part) : size + part
    }

    /// Parses a byte range `LENGTH@OFFSET`; nil if the text is not one.
    ///
    /// - Parameter start: The offset if the text states none.
    /// - Throws: An error if a number is too large.
    static func byteRange(
        _ text: ArraySlice<UInt8>, from start: Int64, line: Int
    ) throws(HLSPlaylistError) -> Range<Int64>? {
        let length = text.prefix { $0 != UInt8(ascii: "@") }
        let offset = text[length.endIndex...].dropFirst()
        guard let bytes = try integer(length, line: line) else { return nil }
        let first = length.endIndex == text.endIndex ? start : try integer(offset, line: line)
        guard let first else { return nil }
        guard first <= most else { throw tooLarge(line) }
        return first..<first + bytes
    }

    private static func tooLarge(_ line: Int) -> HLSPlaylistError {
        HLSPlaylistError("a number in line \(line) is too large")
    }
}
