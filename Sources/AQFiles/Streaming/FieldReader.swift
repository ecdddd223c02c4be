// SPDX-License-Identifier: MIT

/// A reader of numbers in either byte order from bytes that may be too short.
struct FieldReader {
    let bytes: [UInt8]
    let isBigEndian: Bool

    /// Returns a number of `byteCount` bytes, at most eight; nil past the end.
    func number(at offset: Int, byteCount: Int) -> UInt64? {
        guard offset >= 0, offset <= bytes.count - byteCount else { return nil }
        let digits = bytes[offset..<offset + byteCount]
        return isBigEndian
            ? digits.reduce(0) { $0 << 8 | UInt64($1) } : digits.reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }

    func uint16(at offset: Int) -> UInt16? {
        number(at: offset, byteCount: 2).map { UInt16(truncatingIfNeeded: $0) }
    }

    func uint32(at offset: Int) -> UInt32? {
        number(at: offset, byteCount: 4).map { UInt32(truncatingIfNeeded: $0) }
    }

    /// Returns a number of at most four bytes; 0 past the end.
    func value(at offset: Int, byteCount: Int = 4) -> Int64 {
        Int64(number(at: offset, byteCount: byteCount) ?? 0)
    }

    func uint64(at offset: Int) -> UInt64? { number(at: offset, byteCount: 8) }

    /// Reads an 80-bit floating-point number: sign, 15-bit exponent, and the mantissa with its leading bit.
    func float80(at offset: Int) -> Double? {
        guard let exponent = uint16(at: offset), let mantissa = uint64(at: offset + 2) else { return nil }
        return Double(
            sign: exponent < 0x8000 ? .plus : .minus, exponent: Int(exponent & 0x7FFF) - 16383 - 63,
            significand: Double(mantissa))
    }

    /// Reads four characters; anything except printable ASCII becomes "?". Empty past the end.
    func mark(at offset: Int) -> String {
        guard offset >= 0, offset <= bytes.count - 4 else { return "" }
        return String(
            decoding: bytes[offset..<offset + 4].map { 0x20..<0x7F ~= $0 ? $0 : 0x3F }, as: UTF8.self)
    }
}
