// SPDX-License-Identifier: MIT

/// A reader of fields of any number of bits, most significant bit first.
///
/// An error at the end of the bits names the field and its offset.
package struct BitReader {
    private let bytes: [UInt8]
    private let name: String
    /// The number of bits read so far.
    package private(set) var bitOffset = 0

    /// - Parameter name: The name of the bytes, for errors: "the AudioSpecificConfig".
    package init(_ bytes: [UInt8], name: String) {
        self.bytes = bytes
        self.name = name
    }

    package var bitsLeft: Int { bytes.count * 8 - bitOffset }

    /// Reads a field of up to 32 bits.
    ///
    /// - Parameter field: The field's name, for the error.
    package mutating func read(_ bits: Int, _ field: String) throws(MagicCookieError) -> Int {
        guard bits <= bitsLeft else {
            throw failure("its \(bytes.count) bytes end within the \(field) at bit \(bitOffset)")
        }
        var value = 0
        for _ in 0..<bits {
            value = value << 1 | Int(bytes[bitOffset / 8] >> UInt8(7 - bitOffset % 8) & 1)
            bitOffset += 1
        }
        return value
    }

    package mutating func readFlag(_ field: String) throws(MagicCookieError) -> Bool {
        try read(1, field) == 1
    }

    /// Skips to the next byte boundary, counted from the first byte.
    package mutating func align() {
        bitOffset = (bitOffset + 7) / 8 * 8
    }

    /// Makes an error about the bytes, in the words that follow "cannot read …: ".
    package func failure(_ reason: String) -> MagicCookieError {
        MagicCookieError("cannot read \(name): \(reason)")
    }
}
