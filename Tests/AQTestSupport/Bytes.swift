// SPDX-License-Identifier: MIT

/// The little-endian bytes of a number.
public func little(_ value: some FixedWidthInteger) -> [UInt8] {
    unsafe withUnsafeBytes(of: value.littleEndian) { unsafe Array($0) }
}

/// The big-endian bytes of a number.
public func big(_ value: some FixedWidthInteger) -> [UInt8] {
    unsafe withUnsafeBytes(of: value.bigEndian) { unsafe Array($0) }
}

/// A number of little-endian bytes.
public func little(_ value: Int, _ bytes: Int) -> [UInt8] {
    (0..<bytes).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
}

/// A number of big-endian bytes.
public func big(_ value: Int, _ bytes: Int) -> [UInt8] { little(value, bytes).reversed() }

/// A size below 256 MiB in an ID3 tag: four bytes with seven bits each.
public func synchsafe(_ value: Int) -> [UInt8] {
    [21, 14, 7, 0].map { (shift: Int) -> UInt8 in UInt8(value >> shift & 127) }
}
