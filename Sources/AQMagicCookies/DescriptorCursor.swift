// SPDX-License-Identifier: MIT

/// A cursor over the descriptors within an MPEG-4 descriptor (ISO/IEC 14496-1, 8.3.3).
struct DescriptorCursor {
    private let bytes: [UInt8]
    private var offset: Int
    private let end: Int

    init(_ bytes: [UInt8], range: Range<Int>) {
        self.bytes = bytes
        offset = range.lowerBound
        end = range.upperBound
    }

    /// Returns the tag of the next descriptor and the range of its body; nil at the end.
    mutating func next() throws(MagicCookieError) -> (tag: UInt8, range: Range<Int>)? {
        guard offset < end else { return nil }
        let start = offset
        let tag = try byte("tag")
        var length = 0
        for position in 0..<4 {
            let group = try byte("length of descriptor \(hex(tag))")
            length = length << 7 | Int(group & 0x7F)
            if group & 0x80 == 0 { break }
            guard position < 3 else {
                throw Self.failure(
                    "the length of descriptor \(hex(tag)) at byte \(start) has over four bytes")
            }
        }
        guard length <= end - offset else {
            throw Self.failure(
                "descriptor \(hex(tag)) at byte \(start) claims \(length) bytes of the \(end - offset) left")
        }
        defer { offset += length }
        return (tag, offset..<offset + length)
    }

    mutating func byte(_ field: String) throws(MagicCookieError) -> UInt8 {
        UInt8(try number(1, field))
    }

    mutating func number(_ count: Int, _ field: String) throws(MagicCookieError) -> Int {
        let start = offset
        try skip(count, field)
        return bytes[start..<offset].reduce(0) { $0 << 8 | Int($1) }
    }

    mutating func skip(_ count: Int, _ field: String) throws(MagicCookieError) {
        guard count <= end - offset else {
            throw Self.failure("it ends at byte \(end), within the \(field)")
        }
        offset += count
    }

    static func failure(_ reason: String) -> MagicCookieError {
        MagicCookieError("cannot read the ES descriptor: \(reason)")
    }
}

/// Formats a byte for messages, as in "0x0A".
func hex(_ byte: UInt8) -> String {
    "0x" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
}

/// Returns the big-endian bytes of a number, which is clamped to 32 bits.
func bigEndian(_ value: Int, _ bytes: Int) -> [UInt8] {
    let value = min(max(value, 0), Int(UInt32.max))
    return (0..<bytes).reversed().map { UInt8(value >> ($0 * 8) & 0xFF) }
}
