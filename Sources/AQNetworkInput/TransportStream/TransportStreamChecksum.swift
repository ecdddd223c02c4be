// SPDX-License-Identifier: MIT

/// The checksum of sections: CRC-32 of MPEG-2, most significant bit first, without final inversion.
package enum TransportStreamChecksum {
    /// The checksum of the bytes; 0 for a whole valid section.
    package static func value(of bytes: some Sequence<UInt8>) -> UInt32 {
        bytes.reduce(0xFFFF_FFFF) { sum, byte in sum << 8 ^ table[Int(sum >> 24) ^ Int(byte)] }
    }

    private static let table: [UInt32] = (0..<256).map { index in
        (0..<8).reduce(UInt32(index) << 24) { sum, _ in
            sum & 0x8000_0000 != 0 ? sum << 1 ^ 0x04C1_1DB7 : sum << 1
        }
    }
}
