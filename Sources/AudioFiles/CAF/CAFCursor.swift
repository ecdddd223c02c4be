/// Takes big-endian fields off the front of bytes, which need not be long enough.
struct CAFCursor {
    /// What is left.
    private(set) var rest: ArraySlice<UInt8>

    init(_ bytes: some Sequence<UInt8>) {
        rest = ArraySlice(bytes)
    }

    /// The next field; nil, and nothing taken, if fewer bytes are left.
    mutating func read<Field: FixedWidthInteger>(_: Field.Type = Field.self) -> Field? {
        let bytes = Field.bitWidth / 8
        guard rest.count >= bytes else { return nil }
        defer { rest = rest.dropFirst(bytes) }
        return rest.prefix(bytes).reduce(0) { $0 << 8 | Field(truncatingIfNeeded: $1) }
    }

    /// The next field of 64 bits, as a floating-point number.
    mutating func readDouble() -> Double? {
        read(UInt64.self).map { Double(bitPattern: $0) }
    }

    /// The bytes up to the next 0, which is taken too; nil if there is no 0.
    mutating func readText() -> String? {
        guard let end = rest.firstIndex(of: 0) else { return nil }
        let bytes = rest[..<end]
        rest = rest[(end + 1)...]
        return unsafe bytes.withUnsafeBytes { unsafe TagText.decode($0) }
    }

    /// Passes over bytes; false, and nothing passed, if fewer are left.
    mutating func skip(_ bytes: Int) -> Bool {
        guard rest.count >= bytes else { return false }
        rest = rest.dropFirst(bytes)
        return true
    }
}
