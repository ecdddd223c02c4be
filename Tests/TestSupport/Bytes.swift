/// The bytes of a number, the lowest first.
public func little(_ value: some FixedWidthInteger) -> [UInt8] {
    unsafe withUnsafeBytes(of: value.littleEndian) { unsafe Array($0) }
}

/// The bytes of a number, the highest first.
public func big(_ value: some FixedWidthInteger) -> [UInt8] {
    unsafe withUnsafeBytes(of: value.bigEndian) { unsafe Array($0) }
}

/// So many bytes of a number, the lowest first.
public func little(_ value: Int, _ bytes: Int) -> [UInt8] {
    (0..<bytes).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
}

/// So many bytes of a number, the highest first.
public func big(_ value: Int, _ bytes: Int) -> [UInt8] { little(value, bytes).reversed() }
