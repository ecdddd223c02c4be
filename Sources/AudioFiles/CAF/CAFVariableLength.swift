/// Integers of a packet table: seven bits a byte, the highest first, with the eighth bit set on all but the
/// last byte.
enum CAFVariableLength {
    enum Reading: Equatable {
        /// A number, and how many bytes it took.
        case number(Int64, bytes: Int)
        /// The bytes end inside a number.
        case incomplete
        /// No packet is as large as this; or the number has more zeros in front than any writer puts there.
        case excessive
    }

    /// Reads the number that begins at a place.
    static func read(_ bytes: [UInt8], at start: Int) -> Reading {
        var number: Int64 = 0
        var place = start
        while place < bytes.count {
            let byte = bytes[place]
            place += 1
            number = number << 7 | Int64(byte & 0x7F)
            if number > maximum || place - start > longestBytes { return .excessive }
            if byte & 0x80 == 0 { return .number(number, bytes: place - start) }
        }
        return .incomplete
    }

    /// Writes a number in as few bytes as hold it.
    static func append(_ number: Int64, to bytes: inout [UInt8]) {
        var shift = 63
        while shift > 0, number >> shift == 0 { shift -= 7 }
        while shift > 0 {
            bytes.append(0x80 | UInt8(truncatingIfNeeded: number >> shift & 0x7F))
            shift -= 7
        }
        bytes.append(UInt8(truncatingIfNeeded: number & 0x7F))
    }

    /// The largest number that is read.
    static let maximum = Int64(Int32.max)
    /// What a number of 64 bits takes.
    private static let longestBytes = 10
}
