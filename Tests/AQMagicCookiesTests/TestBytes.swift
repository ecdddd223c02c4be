// SPDX-License-Identifier: MIT

/// Bytes written as digits.
enum Bits {
    static func bytes(_ digits: String) -> [UInt8] {
        var bytes: [UInt8] = []
        for (place, digit) in digits.enumerated() {
            if place % 8 == 0 { bytes.append(0) }
            if digit == "1" { bytes[place / 8] |= 0x80 >> UInt8(place % 8) }
        }
        return bytes
    }
}
