// SPDX-License-Identifier: MIT

/// A cursor that reads fields from the front of bytes, which may be too short.
struct FieldCursor {
    private(set) var rest: ArraySlice<UInt8>

    private let isBigEndian: Bool

    init(_ bytes: some Sequence<UInt8>, isBigEndian: Bool = true) {
        rest = ArraySlice(bytes)
        self.isBigEndian = isBigEndian
    }

    /// Reads the next field; nil without consuming bytes if too few remain.
    mutating func read<Field: FixedWidthInteger>(_: Field.Type = Field.self) -> Field? {
        let bytes = Field.bitWidth / 8
        guard rest.count >= bytes else { return nil }
        defer { rest = rest.dropFirst(bytes) }
        let field = rest.prefix(bytes).reduce(0) { $0 << 8 | Field(truncatingIfNeeded: $1) }
        return isBigEndian ? field : field.byteSwapped
    }

    /// Reads the next 64 bits as a floating-point number; nil if too few bytes remain.
    mutating func readDouble() -> Double? {
        read(UInt64.self).map { Double(bitPattern: $0) }
    }

    /// Reads text up to the next 0 byte, which is consumed too; nil if there is no 0 byte.
    mutating func readText() -> String? {
        guard let end = rest.firstIndex(of: 0) else { return nil }
        let bytes = rest[..<end]
        rest = rest[(end + 1)...]
        return unsafe bytes.withUnsafeBytes { unsafe TagText.decode($0) }
    }

    /// Reads a 32-bit length and that many bytes; nil if they are not all present.
    mutating func readCounted() -> ArraySlice<UInt8>? {
        guard let count = read(UInt32.self), count <= rest.count else { return nil }
        defer { rest = rest.dropFirst(Int(count)) }
        return rest.prefix(Int(count))
    }

    /// Skips bytes; returns false without consuming any if too few remain.
    mutating func skip(_ bytes: Int) -> Bool {
        guard rest.count >= bytes else { return false }
        rest = rest.dropFirst(bytes)
        return true
    }
}
