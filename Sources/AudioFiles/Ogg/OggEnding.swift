/// What the first and the last pages of an Ogg file tell: whether it is whole, and where its last page begins.
///
/// libsndfile says nothing of either, and reads the first of several streams that follow each other.
struct OggEnding {
    /// Frames that end in the last page of the first stream; nil if the end of the file does not tell.
    private(set) var lastPageFrames: Int64?
    private(set) var problems: [AudioFileProblem] = []
    /// Whether streams follow that do not begin where the first does.
    private(set) var isChained = false

    /// Nil if the file does not begin with such a page, or is a pipe.
    init?(file: any MendedBytes) {
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
            problems.append(
                AudioFileProblem(.damage, "the file ends inside a page, after \(rest.count) of its bytes"))
        } else if !rest.isEmpty {
            problems.append(
                AudioFileProblem(.oddity, "\(rest.count) bytes at the end of the file belong to no page"))
        } else if !isChained, let last = own.last, !last.isLast {
            problems.append(
                AudioFileProblem(
                    .damage, "no page says that it is the last: the end of the sound may be missing"))
        }
    }

    /// The streams that begin at the beginning, side by side, the one that is read first; and where the first page of
    /// another kind stands.
    private static func beginning(of file: any MendedBytes) -> (serials: [UInt32], end: Int64)? {
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

    /// The whole pages in the last bytes of a file, and where the last of them ends.
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

    /// Room for two of the largest pages, one of them behind a part of another.
    private static let tailBytes = Int64(3 * OggPage.mostBytes)
    private static let mostStreams = 64
}
