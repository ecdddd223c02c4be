/// The checksums of PNG and of zlib.
enum Checksum {
    /// The checksum of PNG (ISO/IEC 15948, annex D).
    static func crc32(_ bytes: [UInt8]) -> UInt32 {
        ~bytes.reduce(~0) { table[Int(($0 ^ UInt32($1)) & 0xFF)] ^ $0 >> 8 }
    }

    /// The checksum of zlib (RFC 1950).
    static func adler32(_ bytes: [UInt8]) -> UInt32 {
        var (low, high): (UInt32, UInt32) = (1, 0)
        for byte in bytes {
            low = (low + UInt32(byte)) % 65521
            high = (high + low) % 65521
        }
        return high << 16 | low
    }

    private static let table: [UInt32] = (0..<256).map { index in
        (0..<8).reduce(UInt32(index)) { value, _ in value & 1 != 0 ? 0xEDB8_8320 ^ value >> 1 : value >> 1 }
    }
}
