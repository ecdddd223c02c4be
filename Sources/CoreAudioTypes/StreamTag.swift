// SPDX-License-Identifier: MIT

/// Tags before, after or between the packets of a stream, which are not damage.
package enum StreamTag {
    /// The offset where a tag begins within a packet, which is therefore truncated.
    package enum Position: Equatable {
        case none
        case offset(Int)
        /// No decision before this number of bytes is available.
        case needs(Int)
    }

    /// The number of bytes that identify any tag.
    package static let markBytes = 12

    /// Returns whether the bytes begin with a tag of a known type.
    package static func begins(_ bytes: some Sequence<UInt8>) -> Bool {
        marks.contains { bytes.starts(with: $0.utf8) }
    }

    /// A search for the mark of an APE tag, which may be only at the tag's end, in bytes that arrive in pieces.
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

        /// The letters "APETAGEX" as one number.
        private static let mark: UInt64 = 0x4150_4554_4147_4558
    }

    /// Returns the size of the ID3v2 tag at the beginning of the bytes, with header and footer; nil if there is none.
    package static func id3Bytes(_ bytes: some Collection<UInt8>) -> Int64? {
        let head = Array(bytes.prefix(10))
        guard head.count == 10, head.starts(with: "ID3".utf8), head[3] != 0xFF,
            head[6..<10].allSatisfy({ $0 < 0x80 })
        else { return nil }
        let contents = head[6..<10].reduce(0 as Int64) { $0 << 7 | Int64($1) }
        return contents + (head[5] & 0x10 == 0 ? 10 : 20)
    }

    /// Returns the position of the first tag within a packet that is not followed by another packet of its stream.
    ///
    /// - Parameters:
    ///   - end: The end of the packet.
    ///   - isEnd: Whether no bytes follow `bytes`.
    package static func position(in bytes: UnsafeRawBufferPointer, before end: Int, isEnd: Bool) -> Position {
        for position in 0..<end {
            let letter = unsafe bytes[position]
            guard letter == 0x41 || letter == 0x4C || letter == 0x49 || letter == 0x54 else { continue }
            let rest = unsafe UnsafeRawBufferPointer(rebasing: bytes[position...])
            if !isEnd, rest.count < markBytes, marks.contains(where: { unsafe $0.utf8.starts(with: rest) }) {
                return .needs(position + markBytes)
            }
            // Three letters also occur by chance, so the rest of the tag is checked, too.
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
    /// The size of a tag of ID3's first version, which is at the end of a stream.
    private static let oldTagBytes = 128
}
