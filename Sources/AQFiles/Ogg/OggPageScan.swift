// SPDX-License-Identifier: MIT

/// A scan for damaged or missing pages of an Ogg file by their checksums and numbers (RFC 3533, 6).
///
/// libsndfile skips such pages silently, so that all later audio comes too early.
struct OggPageScan {
    private(set) var warnings = WarningList()

    /// Reads a whole file.
    init(file: any ReadableBytes) {
        let fileBytes = file.byteCount
        var offset: Int64 = 0
        // The next page number of each stream.
        var nextNumbers: [UInt32: UInt32] = [:]
        var lostStart: Int64?
        var budget = 4 * fileBytes
        while offset < fileBytes {
            let head = file.bytes(at: offset, count: OggPage.mostHeaderBytes)
            let page = OggPage(head[...])
            let bytes = file.bytes(at: offset, count: budget > 0 ? page?.byteCount ?? 0 : 0)
            guard let page, bytes.count == page.byteCount, OggPage.hasRightChecksum(bytes[...]) else {
                budget -= Int64(page?.byteCount ?? 0)
                lostStart = lostStart ?? offset
                offset = Self.nextMark(in: file, from: offset + 1) ?? fileBytes
                continue
            }
            let number = bytes[18..<22].reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
            if let next = nextNumbers[page.serial], next != number, !page.isFirst {
                let count = number &- next
                warnings.append(
                    count == 1
                        ? "the page before byte \(offset) is damaged or missing"
                        : count < UInt32(Int32.max)
                            ? "\(count) pages before byte \(offset) are damaged or missing"
                            : "pages before byte \(offset) are out of order")
            }
            guard nextNumbers.count < Self.mostStreams else { return }
            nextNumbers[page.serial] = number &+ 1
            lostStart = nil
            offset += Int64(page.byteCount)
        }
        if let lostStart, Self.nextMark(in: file, from: lostStart) == lostStart {
            warnings.append("the last page, at byte \(lostStart), is damaged or cut")
        }
    }

    /// Finds the offset where a page may begin.
    private static func nextMark(in file: any ReadableBytes, from first: Int64) -> Int64? {
        var start = first
        while true {
            let block = file.bytes(at: start, count: 1 << 16)
            guard block.count >= OggPage.mark.count else { return nil }
            if let found = block.indices.first(where: { block[$0...].starts(with: OggPage.mark) }) {
                return start + Int64(found)
            }
            start += Int64(block.count - OggPage.mark.count + 1)
        }
    }

    /// The largest number of streams, multiplexed or consecutive.
    private static let mostStreams = 4096
}
