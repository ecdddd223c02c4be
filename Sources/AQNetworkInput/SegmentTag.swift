// SPDX-License-Identifier: MIT

import AQFiles

/// The ID3v2 tags before the packets of an HLS segment or of a stream.
///
/// Segments of packed audio begin with a tag that states their time (RFC 8216, 3.4), and may begin with another that
/// names the song.
package struct SegmentTag: Equatable, Sendable {
    /// The size of all tags in bytes, headers and footers included. The packets begin after them.
    package let byteCount: Int
    /// The title and artist in the tags that were read; nil if they are not stated.
    package let title: String?
    package let artist: String?

    /// The size of a tag's header in bytes, which determines the size of the tag.
    package static let headerBytes = 10

    /// Tags longer than this number of bytes are skipped without being read.
    package static let mostReadBytes = 1 << 20

    private static let mostTags = 8

    /// Reads the tags at the start of a segment; nil if there are none.
    ///
    /// - Parameter bytes: The segment, or its beginning. ``byteCount`` may exceed it; what is missing is not read.
    package init?(_ bytes: ArraySlice<UInt8>) {
        byteCount = Self.byteCount(of: bytes)
        guard byteCount > 0 else { return nil }
        var (title, artist): (String?, String?)
        var rest = bytes
        while let tagBytes = Self.tagBytes(in: rest) {
            if tagBytes <= Self.mostReadBytes {
                let tags = ID3Reader.tags(in: Array(rest.prefix(tagBytes)))
                title = title ?? tags.title
                artist = artist ?? tags.artist
            }
            rest = rest.dropFirst(tagBytes)
            // No more than `byteCount` counts.
            if bytes.count - rest.count >= byteCount { break }
        }
        self.title = title
        self.artist = artist
    }

    /// The size of all tags at the start of a segment in bytes; 0 without one.
    ///
    /// The result may exceed the bytes. Then it is the size of the tags so far, and further ones may follow.
    package static func byteCount(of bytes: ArraySlice<UInt8>) -> Int {
        var sum = 0
        for _ in 0..<mostTags {
            guard let tagBytes = tagBytes(in: bytes.dropFirst(sum)) else { break }
            // At most eight times 28 bits.
            sum += tagBytes
        }
        return sum
    }

    /// The size of the tag that begins at the first byte; nil if there is none.
    private static func tagBytes(in bytes: ArraySlice<UInt8>) -> Int? {
        let header = Array(bytes.prefix(headerBytes))
        guard header.count == headerBytes, header.starts(with: "ID3".utf8), 2...4 ~= header[3],
            header[4] != 0xFF, header[6...].allSatisfy({ $0 < 0x80 })
        else { return nil }
        let contents = header[6...].reduce(0) { $0 << 7 | Int($1) }
        let hasFooter = header[3] == 4 && header[5] & 0x10 != 0
        return headerBytes + contents + (hasFooter ? headerBytes : 0)
    }
}
