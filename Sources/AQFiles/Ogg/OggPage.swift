// SPDX-License-Identifier: MIT

/// The header of a page of an Ogg file (RFC 3533, 6).
struct OggPage {
    let serial: UInt32
    /// The number of the last frame that can be decoded with this page; nil if no packet ends in it.
    let granulePosition: Int64?
    let isFirst: Bool
    let isLast: Bool
    /// The size of the header and its table.
    let headerByteCount: Int
    /// The size of header and contents.
    let byteCount: Int

    /// Parses the start of a page; nil if it is no page, or its table is incomplete.
    init?(_ bytes: ArraySlice<UInt8>) {
        guard bytes.count >= Self.headerBytes, bytes.starts(with: Self.mark) else { return nil }
        let start = bytes.startIndex
        // Version 0 is the only one.
        guard bytes[start + 4] == 0 else { return nil }
        func number(_ offset: Int, _ count: Int) -> UInt64 {
            bytes[start + offset..<start + offset + count].reversed().reduce(0) { $0 << 8 | UInt64($1) }
        }
        let segments = Int(bytes[start + 26])
        guard bytes.count >= Self.headerBytes + segments else { return nil }
        let table = bytes[(start + Self.headerBytes)...].prefix(segments)
        isFirst = bytes[start + Self.flagsOffset] & Self.firstFlag != 0
        isLast = bytes[start + Self.flagsOffset] & Self.lastFlag != 0
        let position = Int64(bitPattern: number(6, 8))
        granulePosition = position < 0 ? nil : position
        serial = UInt32(number(14, 4))
        headerByteCount = Self.headerBytes + segments
        byteCount = headerByteCount + table.reduce(0) { $0 + Int($1) }
    }

    static func hasRightChecksum(_ page: ArraySlice<UInt8>) -> Bool {
        let sum = page.prefix(headerBytes).dropFirst(checksumOffset).prefix(4).reversed().reduce(0) {
            $0 << 8 | UInt32($1)
        }
        return checksum(of: page) == sum
    }

    /// The checksum of a page, in which its own field counts as zeros.
    static func checksum(of page: ArraySlice<UInt8>) -> UInt32 {
        unsafe page.withUnsafeBufferPointer { bytes in
            var remainder: UInt32 = 0
            for index in bytes.indices {
                let byte =
                    unsafe checksumOffset..<checksumOffset + 4 ~= index ? 0 : bytes[index]
                remainder = remainder << 8 ^ checksums[Int(UInt8(remainder >> 24) ^ byte)]
            }
            return remainder
        }
    }

    /// Finds complete pages among other bytes, by their checksums.
    ///
    /// - Parameter onPage: Called with each page and its offset; the search ends if it returns false.
    static func search(_ bytes: [UInt8], onPage: (OggPage, Int) -> Bool) {
        var offset = 0
        // Limits the checksums computed for data that only resembles pages.
        var budget = 4 * bytes.count
        while let start = bytes[offset...].firstIndex(of: mark[0]) {
            offset = start + 1
            guard let page = OggPage(bytes[start...]), page.byteCount <= bytes.count - start else { continue }
            budget -= page.byteCount
            guard budget >= 0 else { return }
            guard hasRightChecksum(bytes[start..<start + page.byteCount]) else { continue }
            guard onPage(page, start) else { return }
            offset = start + page.byteCount
        }
    }

    static let mark = Array("OggS".utf8)
    static let headerBytes = 27
    static let flagsOffset = 5
    static let checksumOffset = 22
    static let continuedFlag: UInt8 = 1
    static let firstFlag: UInt8 = 2
    static let lastFlag: UInt8 = 4
    /// The size of a header with the longest table.
    static let mostHeaderBytes = 27 + 255
    static let mostBytes = 27 + 255 + 255 * 255

    /// The remainders of each byte modulo the polynomial of RFC 3533.
    private static let checksums: [UInt32] = (0..<256).map { byte in
        (0..<8).reduce(UInt32(byte) << 24) { sum, _ in sum << 1 ^ (sum >> 31 == 0 ? 0 : 0x04C1_1DB7) }
    }
}
