// SPDX-License-Identifier: MIT

/// A writer of fields of any number of bits, most significant bit first.
package struct BitWriter {
    /// The bytes written; unwritten bits of the last one are 0.
    package private(set) var bytes: [UInt8] = []
    private var bitCount = 0

    package init() {}

    /// Appends the lowest bits of a value.
    package mutating func write(_ value: Int, _ bits: Int) {
        for bit in (0..<bits).reversed() {
            if bitCount % 8 == 0 { bytes.append(0) }
            bytes[bytes.count - 1] |= UInt8(value >> bit & 1) << UInt8(7 - bitCount % 8)
            bitCount += 1
        }
    }

    package mutating func write(_ flag: Bool) {
        write(flag ? 1 : 0, 1)
    }

    /// Pads the bits with zeros to a byte boundary.
    package mutating func align() {
        bitCount = bytes.count * 8
    }
}
