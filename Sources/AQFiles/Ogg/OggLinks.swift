// SPDX-License-Identifier: MIT

import CoreAudioTypes

/// The consecutive streams of an Ogg file (RFC 3533, 4), found by reading the headers of all its pages.
struct OggLinks {
    struct Link {
        /// The range of bytes, including all multiplexed streams.
        var bytes: Range<Int64>
        /// The ranges of the stream as a FLAC file, if it is FLAC: without pages and the mapping's own header.
        var flac: [Range<Int64>] = []
        /// The frame number after the last frame; nil if no page has one.
        var endPosition: Int64?
        var isFLAC: Bool
        /// The serial number of the first stream in the range, which the other properties describe.
        fileprivate let serial: UInt32
    }

    private(set) var links: [Link] = []
    private(set) var warnings = WarningList()

    private var isBeginning = false
    private var flacPages = 0

    init(file: OpenFile) {
        let window = file.window(end: file.byteCount)
        var offset: Int64 = 0
        while offset < file.byteCount {
            let bytes = unsafe Array(
                window.bytes(at: offset, leastBytes: OggPage.mostHeaderBytes).prefix(OggPage.mostHeaderBytes))
            guard let page = OggPage(bytes[...]), offset + Int64(page.byteCount) <= file.byteCount else {
                guard let next = Self.nextPage(in: file, behind: offset) else { break }
                offset = next
                continue
            }
            guard add(page, at: offset, of: file) else { break }
            offset += Int64(page.byteCount)
        }
        if let last = links.indices.last {
            links[last].bytes = links[last].bytes.lowerBound..<file.byteCount
        }
    }

    /// Adds a page; returns false if the file has more ranges than are kept in memory.
    private mutating func add(_ page: OggPage, at offset: Int64, of file: OpenFile) -> Bool {
        let body = offset + Int64(page.headerByteCount)..<offset + Int64(page.byteCount)
        if page.isFirst, !isBeginning {
            guard links.count < Self.mostLinks else {
                warnings.append("the streams from byte \(offset) on are too many, and are not read")
                return false
            }
            if let last = links.indices.last { links[last].bytes = links[last].bytes.lowerBound..<offset }
            let head = file.bytes(at: body.lowerBound, count: Self.flacMark.count)
            links.append(
                Link(bytes: offset..<offset, isFLAC: head == Self.flacMark, serial: page.serial))
        }
        isBeginning = page.isFirst
        guard let last = links.indices.last, page.serial == links[last].serial else { return true }
        if let position = page.granulePosition { links[last].endPosition = position }
        guard links[last].isFLAC, !body.isEmpty else { return true }
        flacPages += 1
        guard flacPages <= Self.mostPages else {
            warnings.append("the pages from byte \(offset) on are too many, and are not read")
            return false
        }
        let skipped = links[last].flac.isEmpty ? min(Int64(Self.flacHeaderBytes), Int64(body.count)) : 0
        links[last].flac.append(body.lowerBound + skipped..<body.upperBound)
        return true
    }

    /// Returns whether the first bytes of a file are FLAC in Ogg.
    static func isFLAC(head: [UInt8]) -> Bool {
        guard let page = OggPage(head[...]) else { return false }
        return head.dropFirst(page.headerByteCount).starts(with: flacMark)
    }

    /// The offset of the next complete page after invalid bytes.
    private static func nextPage(in file: OpenFile, behind offset: Int64) -> Int64? {
        var start = offset + 1
        while start < file.byteCount {
            let block = file.bytes(at: start, count: 4 * OggPage.mostBytes)
            var found: Int?
            OggPage.search(block) { _, offset in
                found = offset
                return false
            }
            if let found { return start + Int64(found) }
            // A page may begin in the last bytes of the block.
            start += Int64(max(block.count - OggPage.mostBytes, 1))
            if block.count < 4 * OggPage.mostBytes { return nil }
        }
        return nil
    }

    /// The number of bytes needed to recognise FLAC.
    static let markEnd = OggPage.headerBytes + 1 + flacMark.count

    private static let flacMark: [UInt8] = [0x7F] + Array("FLAC".utf8)
    /// The size of the mapping's marker, version, and number of header packets.
    static let flacHeaderBytes = 9
    private static let mostLinks = 4096
    private static let mostPages = 1 << 22
}
