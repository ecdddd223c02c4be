// SPDX-License-Identifier: MIT

/// The start of a file, built field by field. Some fields are updated as the file grows.
///
/// Updating fields does not allocate.
struct HeaderBytes {
    private(set) var bytes: [UInt8] = []

    var count: Int { bytes.count }

    mutating func append(_ code: StaticString) {
        // SAFETY: a static string is UTF-8 as long as the program runs; all here are ASCII.
        unsafe bytes.append(
            contentsOf: UnsafeBufferPointer(start: code.utf8Start, count: code.utf8CodeUnitCount))
    }

    mutating func append(raw: [UInt8]) {
        bytes += raw
    }

    mutating func append(little value: some FixedWidthInteger) {
        bytes.append(contentsOf: repeatElement(0, count: value.bitWidth / 8))
        set(little: value, at: bytes.count - value.bitWidth / 8)
    }

    mutating func append(big value: some FixedWidthInteger) {
        append(little: value.byteSwapped)
    }

    mutating func set(_ code: StaticString, at offset: Int) {
        for index in 0..<code.utf8CodeUnitCount {
            // SAFETY: a static string is UTF-8 as long as the program runs.
            bytes[offset + index] = unsafe code.utf8Start[index]
        }
    }

    mutating func set(little value: some FixedWidthInteger, at offset: Int) {
        for index in 0..<value.bitWidth / 8 {
            bytes[offset + index] = UInt8(truncatingIfNeeded: value >> (8 * index))
        }
    }

    mutating func set(big value: some FixedWidthInteger, at offset: Int) {
        set(little: value.byteSwapped, at: offset)
    }
}
