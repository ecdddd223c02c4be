// SPDX-License-Identifier: MIT

/// Integers of a packet table: seven bits per byte, highest first; the eighth bit is set on every byte except the last.
enum CAFVariableLength {
    enum Reading: Equatable {
        /// A number, and its size in bytes.
        case number(Int64, bytes: Int)
        /// The bytes end inside a number.
        case incomplete
        /// A number larger than any packet, or with more leading zeros than any writer produces.
        case excessive
    }

    static func read(_ bytes: [UInt8], at start: Int) -> Reading {
        var number: Int64 = 0
        var position = start
        while position < bytes.count {
            let byte = bytes[position]
            position += 1
            number = number << 7 | Int64(byte & 0x7F)
            if number > maximum || position - start > longestBytes { return .excessive }
            if byte & 0x80 == 0 { return .number(number, bytes: position - start) }
        }
        return .incomplete
    }

    /// Writes a number in the fewest bytes.
    static func append(_ number: Int64, to bytes: inout [UInt8]) {
        var shift = 63
        while shift > 0, number >> shift == 0 { shift -= 7 }
        while shift > 0 {
            bytes.append(0x80 | UInt8(truncatingIfNeeded: number >> shift & 0x7F))
            shift -= 7
        }
        bytes.append(UInt8(truncatingIfNeeded: number & 0x7F))
    }

    static let maximum = Int64(Int32.max)
    /// The size of the longest 64-bit number.
    private static let longestBytes = 10
}
