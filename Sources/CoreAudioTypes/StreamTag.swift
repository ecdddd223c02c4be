/// Tags in a stream of packets, before, after or between them, which are not damage.
package enum StreamTag {
    /// The offset in a packet where a tag begins, so that the packet is truncated.
    package enum Position: Equatable {
        case none
        case offset(Int)
        /// This many bytes are necessary to decide.
        case needs(Int)
    }

    /// The number of bytes that identify any tag.
    package static let markBytes = 12

    /// Returns whether a tag of a known type begins here.
    package static func begins(_ bytes: some Sequence<UInt8>) -> Bool {
        marks.contains { bytes.starts(with: $0.utf8) }
    }

    /// Searches bytes that arrive in pieces for the mark of an APE tag, which may be only at the tag's end.
    package struct FooterSearch {
        package private(set) var isFound = false
        private var lastEight: UInt64 = 0

        package init() {}

        package mutating func search(_ bytes: some Sequence<UInt8>) {
            for byte in bytes where !isFound {
                lastEight = lastEight << 8 | UInt64(byte)
                isFound = lastEight == Self.mark
            }
        }

        /// "APETAGEX", read as one number.
        private static let mark: UInt64 = 0x4150_4554_4147_4558
    }

    /// The size of the ID3v2 tag that begins here, with header and footer; nil if none does.
    package static func id3Bytes(_ bytes: some Collection<UInt8>) -> Int64? {
        let head = Array(bytes.prefix(10))
        guard head.count == 10, head.starts(with: "ID3".utf8), head[3] != 0xFF,
            head[6..<10].allSatisfy({ $0 < 0x80 })
        else { return nil }
        let contents = head[6..<10].reduce(0 as Int64) { $0 << 7 | Int64($1) }
        return contents + (head[5] & 0x10 == 0 ? 10 : 20)
    }

    /// The first tag within a packet that is not followed by another of its stream.
    ///
    /// - Parameters:
    ///   - end: The end of the packet.
    ///   - isEnd: True if no bytes follow these.
    package static func position(in bytes: UnsafeRawBufferPointer, before end: Int, isEnd: Bool) -> Position {
        for position in 0..<end {
            let letter = unsafe bytes[position]
            guard letter == 0x41 || letter == 0x4C || letter == 0x49 || letter == 0x54 else { continue }
            let rest = unsafe UnsafeRawBufferPointer(rebasing: bytes[position...])
            if !isEnd, rest.count < markBytes, marks.contains(where: { unsafe $0.utf8.starts(with: rest) }) {
                return .needs(position + markBytes)
            }
            // Three letters occur by chance, so the rest of the tag is checked too.
            if unsafe rest.starts(with: "TAG".utf8) {
                if !isEnd, rest.count <= oldTagBytes { return .needs(position + oldTagBytes + 1) }
                if isEnd, rest.count == oldTagBytes { return .offset(position) }
            } else if unsafe rest.starts(with: "ID3".utf8) {
                if !isEnd, rest.count < markBytes { return .needs(position + markBytes) }
                if unsafe id3Bytes(rest) != nil { return .offset(position) }
            } else if unsafe begins(rest) {
                return .offset(position)
            }
        }
        return .none
    }

    private static let marks = ["TAG", "APETAGEX", "LYRICSBEGIN", "ID3"]
    /// The size of ID3's first version, which is at the end of a stream.
    private static let oldTagBytes = 128
}
