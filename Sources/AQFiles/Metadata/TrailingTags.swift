// SPDX-License-Identifier: MIT

/// The tags at the end of a file: ID3, APE and Lyrics3.
enum TrailingTags {
    /// The offset of the first tag, which is the end of the data before it. Unreadable bytes count as no tag.
    static func start(in file: OpenFile) -> Int64 { ends(in: file).last ?? .max }

    /// The end of the file, and the starts of its tags from the last one on; empty if the size of the file is unknown.
    static func ends(in file: OpenFile) -> [Int64] {
        guard let fileBytes = file.bytes else { return [] }
        var ends = [fileBytes]
        var end = fileBytes
        while ends.count <= mostTags, let tagBytes = bytes(of: file, before: end), tagBytes <= end {
            end -= tagBytes
            ends.append(end)
        }
        return ends
    }

    /// The size of the tag that ends at an offset; nil if there is none.
    private static func bytes(of file: OpenFile, before end: Int64) -> Int64? {
        func read(_ count: Int, before end: Int64) -> [UInt8] {
            guard end >= count else { return [] }
            return (try? file.read(at: end - Int64(count), count: count)) ?? []
        }
        let tail = read(32, before: end)
        guard tail.count == 32 else { return nil }
        if tail.starts(with: "APETAGEX".utf8) {
            let bytes = (0..<4).reduce(0 as Int64) { $0 | Int64(tail[12 + $1]) << (8 * $1) }
            // An APE tag's size includes the footer, but not the header.
            return bytes < 32 ? nil : bytes + (tail[23] & 0x80 == 0 ? 0 : 32)
        }
        if tail.suffix(9).elementsEqual("LYRICS200".utf8) {
            return Int64(String(decoding: tail.suffix(15).prefix(6), as: UTF8.self)).map { $0 + 15 }
        }
        if tail.suffix(9).elementsEqual("LYRICSEND".utf8) {
            // The first version has no length, and is short.
            let lyrics = read(Int(min(mostOldLyricsBytes, end)), before: end)
            let mark = Array("LYRICSBEGIN".utf8)
            return lyrics.indices.last { lyrics[$0...].starts(with: mark) }.map { Int64(lyrics.count - $0) }
        }
        if tail.suffix(10).starts(with: "3DI".utf8) {
            return tail.suffix(4).reduce(0 as Int64) { $0 << 7 | Int64($1 & 0x7F) } + 20
        }
        // Checked last, because APE's marker contains that of ID3v1.
        if read(128, before: end).starts(with: "TAG".utf8) {
            return read(128 + 227, before: end).starts(with: "TAG+".utf8) ? 128 + 227 : 128
        }
        return nil
    }

    private static let mostTags = 8
    private static let mostOldLyricsBytes: Int64 = 11 + 5100 + 9
}
