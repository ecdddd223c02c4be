/// What the first and the last pages of an Ogg file tell: whether it is whole, and where its last page begins.
///
/// libsndfile says nothing of either, and reads the first of several streams that follow each other.
struct OggEnding {
    /// Frames that end in the last page of the first stream; nil if the end of the file does not tell.
    private(set) var lastPageFrames: Int64?
    private(set) var faults: [String] = []

    /// Nil if the file does not begin with such a page, or is a pipe.
    init?(file: OpenFile) {
        guard let fileBytes = file.bytes, let beginning = Self.beginning(of: file) else { return nil }
        let start = max(beginning.end, fileBytes - Self.tailBytes)
        guard start < fileBytes, let tail = try? file.read(at: start, count: Int(fileBytes - start)) else {
            return
        }
        let (pages, end) = Self.pages(in: tail)
        let own = pages.filter { $0.serial == beginning.serials[0] }
        let positions = own.compactMap(\.granulePosition).suffix(2)
        if positions.count == 2, let first = positions.first, let last = positions.last, first <= last {
            lastPageFrames = last - first
        }
        if pages.contains(where: { $0.isFirst || !beginning.serials.contains($0.serial) }) {
            faults.append("another stream follows the first one, and is not read")
        }
        let rest = tail[end...]
        if !rest.isEmpty {
            faults.append(
                rest.starts(with: OggPage.mark.prefix(rest.count))
                    ? "the file ends inside a page, after \(rest.count) of its bytes"
                    : "\(rest.count) bytes at the end of the file belong to no page")
        } else if faults.isEmpty, let last = own.last, !last.isLast {
            faults.append("no page says that it is the last: the end of the sound may be missing")
        }
    }

    /// The streams that begin at the beginning, side by side, the one that is read first; and where the first page of
    /// another kind stands.
    private static func beginning(of file: OpenFile) -> (serials: [UInt32], end: Int64)? {
        var serials: [UInt32] = []
        var offset: Int64 = 0
        for _ in 0..<mostStreams {
            guard let bytes = try? file.read(at: offset, count: OggPage.headerBytes + 255),
                let page = OggPage(bytes[...]), page.isFirst
            else { break }
            serials.append(page.serial)
            offset += Int64(page.byteCount)
        }
        return serials.isEmpty ? nil : (serials, offset)
    }

    /// The whole pages in the last bytes of a file, and where the last of them ends.
    private static func pages(in tail: [UInt8]) -> (pages: [OggPage], end: Int) {
        var pages: [OggPage] = []
        var (place, end) = (0, 0)
        // What looks like pages, and is none, must not be summed up over and over.
        var budget = 4 * tail.count
        while let start = tail[place...].firstIndex(of: OggPage.mark[0]) {
            place = start + 1
            guard let page = OggPage(tail[start...]), page.byteCount <= tail.count - start else { continue }
            budget -= page.byteCount
            guard budget >= 0 else { break }
            guard OggPage.hasRightChecksum(tail[start..<start + page.byteCount]) else { continue }
            pages.append(page)
            place = start + page.byteCount
            end = place
        }
        return (pages, end)
    }

    /// Room for two of the largest pages, one of them behind a part of another.
    private static let tailBytes = Int64(3 * OggPage.mostBytes)
    private static let mostStreams = 64
}
