// SPDX-License-Identifier: MIT

/// Bytes of a file, read big-endian and with bounds checks.
///
/// Parts share the memory of all the bytes.
struct MP4Bytes {
    /// The offset of the first byte in the file.
    let fileOffset: Int64
    private let bytes: [UInt8]
    private let range: Range<Int>

    init(_ bytes: [UInt8], fileOffset: Int64 = 0) {
        self.bytes = bytes
        self.fileOffset = fileOffset
        range = 0..<bytes.count
    }

    private init(_ bytes: [UInt8], range: Range<Int>, fileOffset: Int64) {
        self.bytes = bytes
        self.range = range
        self.fileOffset = fileOffset
    }

    var count: Int { range.count }

    var array: [UInt8] { Array(bytes[range]) }

    /// The bytes from an index on, at most `count`; all of them if `count` is nil.
    func part(from start: Int, count wanted: Int? = nil) -> MP4Bytes {
        let first = min(max(start, 0), count)
        let length = min(max(wanted ?? .max, 0), count - first)
        let lower = range.lowerBound + first
        return MP4Bytes(bytes, range: lower..<lower + length, fileOffset: fileOffset + Int64(first))
    }

    func uint8(at offset: Int) -> UInt8? {
        guard offset >= 0, offset < count else { return nil }
        return bytes[range.lowerBound + offset]
    }

    func uint16(at offset: Int) -> UInt16? { number(at: offset, byteCount: 2).map(UInt16.init) }
    func uint32(at offset: Int) -> UInt32? { number(at: offset, byteCount: 4).map(UInt32.init) }
    func uint64(at offset: Int) -> UInt64? { number(at: offset, byteCount: 8) }

    /// Returns a number of 1 to 8 bytes; nil if they are not all present.
    func number(at offset: Int, byteCount: Int) -> UInt64? {
        guard offset >= 0, byteCount <= count, offset <= count - byteCount else { return nil }
        var value: UInt64 = 0
        for position in 0..<byteCount {
            value = value << 8 | UInt64(bytes[range.lowerBound + offset + position])
        }
        return value
    }

    /// The number of complete entries in a table at `offset` that claims `entries` of `entryBytes` each.
    func entries(claimed: UInt32?, of entryBytes: Int, from offset: Int) -> Int {
        min(Int(claimed ?? 0), max(count - offset, 0) / entryBytes)
    }

    /// The bytes as text in UTF-8 or Latin-1.
    var text: String {
        unsafe bytes[range].withUnsafeBytes { unsafe TagText.decode($0) }
    }
}
