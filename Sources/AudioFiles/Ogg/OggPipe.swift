/// The consecutive Ogg streams in a pipe, returned one by one, each with its own end.
///
/// Used by one thread at a time.
final class OggPipe: PipeBytes {
    private let file: OpenFile
    /// The bytes of the pipe that were not returned so far.
    private var pending: [UInt8]
    /// The number of next bytes that belong to the current stream.
    private var known = 0
    private var isBeginning = true
    /// Whether the pipe continues with a stream that has not begun.
    private(set) var hasNext = true

    init(file: OpenFile, head: [UInt8]) {
        self.file = file
        pending = head
    }

    func begin() {
        (hasNext, isBeginning) = (false, true)
    }

    /// Reads bytes of the stream; returns 0 at its end, or at the end of the pipe.
    func readSome(into block: inout [UInt8]) throws(AudioFileError) -> Int {
        guard !hasNext else { return 0 }
        if known == 0 { try findBytes() }
        if known > 0, pending.isEmpty {
            pending = [UInt8](repeating: 0, count: min(known, Self.blockBytes))
            pending.removeLast(pending.count - (try file.readSome(into: &pending)))
        }
        let count = min(known, pending.count, block.count)
        block.replaceSubrange(0..<count, with: pending[..<count])
        pending.removeFirst(count)
        known -= count
        return count
    }

    /// Determines how many of the next bytes belong to the stream.
    private func findBytes() throws(AudioFileError) {
        try file.readOn(&pending, to: OggPage.headerBytes)
        if pending.count == OggPage.headerBytes, pending.starts(with: OggPage.mark) {
            try file.readOn(&pending, to: OggPage.headerBytes + Int(pending[26]))
        }
        guard let page = OggPage(pending[...]) else {
            // Without a page, takes all bytes up to one that may begin a page.
            known = pending.dropFirst().firstIndex(of: OggPage.mark[0]) ?? pending.count
            return
        }
        if page.isFirst, !isBeginning {
            hasNext = true
            return
        }
        isBeginning = page.isFirst
        known = page.byteCount
    }

    private static let blockBytes = 16_384
}
