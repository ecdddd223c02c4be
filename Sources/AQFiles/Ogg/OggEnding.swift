// SPDX-License-Identifier: MIT

/// Information from the first and last pages of an Ogg file: whether it is complete, and where its last page begins.
///
/// libsndfile reports neither, and reads only the first of several consecutive streams.
struct OggEnding {
    /// The number of frames that end in the last page of the first stream; nil if unknown.
    private(set) var lastPageFrames: Int64?
    private(set) var warnings = WarningList()
    /// Whether further streams follow the first one.
    private(set) var isChained = false

    /// Reads the first and last pages; nil if the file does not begin with an Ogg page, or is a pipe.
    init?(file: any ReadableBytes) {
        guard let beginning = Self.beginning(of: file) else { return nil }
        let fileBytes = file.byteCount
        let start = max(beginning.end, fileBytes - Self.tailBytes)
        guard start < fileBytes else { return }
        let tail = file.bytes(at: start, count: Int(fileBytes - start))
        let (pages, end) = Self.pages(in: tail)
        let own = pages.filter { $0.serial == beginning.serials[0] }
        let positions = own.compactMap(\.granulePosition).suffix(2)
        if positions.count == 2, let first = positions.first, let last = positions.last, first <= last {
            lastPageFrames = last - first
        }
        isChained = pages.contains { $0.isFirst || !beginning.serials.contains($0.serial) }
        let rest = tail[end...]
        if rest.starts(with: OggPage.mark.prefix(rest.count)), !rest.isEmpty {
            warnings.append("the file ends inside a page, after \(rest.count) of its bytes")
        } else if !rest.isEmpty {
            warnings.append(
                "\(rest.count) bytes at the end of the file belong to no page", grade: .oddity)
        } else if !isChained, let last = own.last, !last.isLast {
            warnings.append("no page is marked as the last: the end of the audio may be missing")
        }
    }

    /// The multiplexed streams at the start of the file, beginning with the one that is read; and the offset of the
    /// first page that begins no stream.
    private static func beginning(of file: any ReadableBytes) -> (serials: [UInt32], end: Int64)? {
        var serials: [UInt32] = []
        var offset: Int64 = 0
        for _ in 0..<mostStreams {
            guard let page = OggPage(file.bytes(at: offset, count: OggPage.mostHeaderBytes)[...]),
                page.isFirst
            else { break }
            serials.append(page.serial)
            offset += Int64(page.byteCount)
        }
        return serials.isEmpty ? nil : (serials, offset)
    }

    /// The complete pages in the last bytes of a file, and the end of the last one.
    private static func pages(in tail: [UInt8]) -> (pages: [OggPage], end: Int) {
        var pages: [OggPage] = []
        var end = 0
        OggPage.search(tail) { page, start in
            pages.append(page)
            end = start + page.byteCount
            return true
        }
        return (pages, end)
    }

    /// The number of bytes to read: enough for two of the largest pages, after part of another page.
    private static let tailBytes = Int64(3 * OggPage.mostBytes)
    private static let mostStreams = 64
}
