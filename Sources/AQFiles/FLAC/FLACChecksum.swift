// SPDX-License-Identifier: MIT

/// The checksums of FLAC frames and their headers.
enum FLACChecksum {
    /// The checksum of a header.
    static func short(_ bytes: some Sequence<UInt8>) -> UInt8 {
        bytes.reduce(0) { sum, byte in
            (0..<8).reduce(sum ^ byte) { sum, _ in sum << 1 ^ (sum >> 7 == 0 ? 0 : 0x07) }
        }
    }

    /// The checksum of a frame.
    static func long(_ bytes: some Sequence<UInt8>) -> UInt16 {
        bytes.reduce(0) { sum, byte in sum << 8 ^ remainders[Int(UInt8(sum >> 8) ^ byte)] }
    }

    /// The remainders of each byte modulo x^16 + x^15 + x^2 + 1.
    static let remainders: [UInt16] = (0..<256).map { byte in
        (0..<8).reduce(UInt16(byte) << 8) { sum, _ in sum << 1 ^ (sum >> 15 == 0 ? 0 : polynomial) }
    }

    /// Returns a value that is equal at the start and end of a complete frame: the checksum of all bytes before,
    /// divided by x^8 for each byte. The value finds the ends of frames without a separate checksum for each possible
    /// start.
    static func invariant(of sum: UInt16, behind bytes: Int64) -> UInt16 {
        var product = sum
        var exponent = (order - 8 * (bytes % order) % order) % order
        var power: UInt16 = 2
        while exponent > 0 {
            if exponent & 1 != 0 { product = multiply(product, power) }
            power = multiply(power, power)
            exponent >>= 1
        }
        return product
    }

    private static func multiply(_ one: UInt16, _ other: UInt16) -> UInt16 {
        var product: UInt16 = 0
        for bit in (0..<16).reversed() {
            product = product << 1 ^ (product >> 15 == 0 ? 0 : polynomial)
            if other >> UInt16(bit) & 1 != 0 { product ^= one }
        }
        return product
    }

    private static let polynomial: UInt16 = 0x8005
    /// The order of x: the power that equals 1.
    private static let order: Int64 = 32767
}
