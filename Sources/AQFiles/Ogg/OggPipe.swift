// SPDX-License-Identifier: MIT

/// The consecutive Ogg streams in a pipe, returned one by one, each with its own end.
///
/// Used by one thread at a time.
final class OggPipe: PipeBytes {
    private let file: OpenFile
    /// The bytes of the pipe that were not returned so far.
    private var pending: [UInt8]
    /// The number of next bytes to leave out.
    private var unneeded = 0
    /// The number of bytes after these that belong to the current stream.
    private var known = 0
    private var isBeginning = true
    /// Whether the pipe continues with a stream that has not begun.
    private(set) var hasNext = true
    /// The serial number of a FLAC stream, which is returned without pages; nil for all other streams.
    private var flacSerial: UInt32?
    private var isFirstPage = true

    init(file: OpenFile, head: [UInt8]) {
        self.file = file
        pending = head
    }

    /// Begins the next stream.
    ///
    /// - Returns: Whether it is FLAC, whose bytes are returned like those of a FLAC file.
    func begin() throws(AudioFileError) -> Bool {
        (hasNext, isBeginning, isFirstPage) = (false, true, true)
        try file.readOn(&pending, to: OggLinks.markEnd)
        flacSerial = OggLinks.isFLAC(head: pending) ? OggPage(pending[...])?.serial : nil
        return flacSerial != nil
    }

    var isReady: Bool { !pending.isEmpty || file.isReady }

    /// Reads bytes of the stream; returns 0 at its end, or at the end of the pipe.
    func readSome(into block: inout [UInt8]) throws(AudioFileError) -> Int {
        while !hasNext {
            if unneeded + known == 0 { try findBytes() }
            let wanted = unneeded + known
            guard wanted > 0 else { return 0 }
            if pending.isEmpty {
                pending = [UInt8](repeating: 0, count: min(wanted, Self.blockBytes))
                pending.removeLast(pending.count - (try file.readSome(into: &pending)))
                guard !pending.isEmpty else { return 0 }
            }
            let dropped = min(unneeded, pending.count)
            pending.removeFirst(dropped)
            unneeded -= dropped
            let count = min(known, pending.count, block.count)
            guard unneeded == 0, count > 0 else { continue }
            block.replaceSubrange(0..<count, with: pending[..<count])
            pending.removeFirst(count)
            known -= count
            return count
        }
        return 0
    }

    /// Determines how many of the next bytes belong to the stream.
    private func findBytes() throws(AudioFileError) {
        try file.readOn(&pending, to: OggPage.headerBytes)
        if pending.count >= OggPage.headerBytes, pending.starts(with: OggPage.mark) {
            try file.readOn(&pending, to: OggPage.headerBytes + Int(pending[26]))
        }
        guard let page = OggPage(pending[...]) else {
            // Without a page, takes all bytes up to one that may begin a page.
            let count = pending.dropFirst().firstIndex(of: OggPage.mark[0]) ?? pending.count
            (unneeded, known) = flacSerial == nil ? (0, count) : (count, 0)
            return
        }
        if page.isFirst, !isBeginning {
            hasNext = true
            return
        }
        isBeginning = page.isFirst
        guard let flacSerial else {
            known = page.byteCount
            return
        }
        guard page.serial == flacSerial else {
            unneeded = page.byteCount
            return
        }
        let mapping = isFirstPage ? min(OggLinks.flacHeaderBytes, page.byteCount - page.headerByteCount) : 0
        isFirstPage = false
        unneeded = page.headerByteCount + mapping
        known = page.byteCount - unneeded
    }

    private static let blockBytes = 16_384
}
