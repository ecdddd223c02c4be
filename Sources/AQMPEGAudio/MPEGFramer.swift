// SPDX-License-Identifier: MIT

package import CoreAudioTypes

/// A framer that finds the packets of an MPEG audio stream in order, by the rules of ``MPEGFrameScan``.
///
/// Used by one thread at a time.
public final class MPEGFramer {
    /// The bytes of the stream, from which the packets are also read.
    package let window: ByteWindow
    /// The header of the first frame, audio or an information tag, which determines the format of the stream.
    public let firstHeader: MPEGFrameHeader
    /// The tag that the encoder wrote into the first frame; nil if it wrote none.
    public let infoTag: MPEGInfoTag?
    /// The offset of the first frame, which is audio or an information tag.
    public let streamByteOffset: Int64
    /// The size of the ID3v2 tags at the beginning of the stream, in bytes; 0 if there are none.
    public let leadingTagBytes: Int64
    /// The offset where the search for the next packet begins: the end of the last one.
    public private(set) var byteOffset: Int64
    /// Whether ``next()`` has returned nil.
    public private(set) var isAtEnd = false
    /// The offset of a truncated last packet, its available bytes, and its full size; nil before the end of the stream,
    /// or if no packet is truncated.
    public private(set) var cutPacket: (byteOffset: Int64, bytes: Int, of: Int)?
    /// The size in bytes of the first frame, which is audio or an information tag.
    public let firstFrameBytes: Int

    private var scan: MPEGFrameScan
    private var pending: MPEGPacket?

    /// Finds the first packet; nil if there is none in the first 1 MiB after tags, or if the bytes cannot be read.
    ///
    /// - Parameter start: The start of the stream, including tags before it.
    package init?(window: ByteWindow, from start: Int64 = 0) {
        self.window = window
        scan = MPEGFrameScan()
        var search = Search(offset: start)
        guard let first = Self.search(&search, &scan, window) else { return nil }
        leadingTagBytes = search.tagEnd - start
        streamByteOffset = first.byteOffset
        firstHeader = first.header
        firstFrameBytes = first.bytes
        byteOffset = first.byteOffset + Int64(first.bytes)
        let shown = unsafe window.bytes(at: first.byteOffset, leastBytes: first.bytes)
        let whole = unsafe UnsafeRawBufferPointer(rebasing: shown.prefix(first.bytes))
        infoTag = unsafe MPEGInfoTag(packet: whole.bytes, header: first.header)
        if infoTag == nil { pending = first }
    }

    /// Finds the next packet; nil at the end of the stream, after 1 MiB without a packet, or if the bytes cannot be
    /// read.
    public func next() -> MPEGPacket? {
        if let first = pending {
            pending = nil
            return first
        }
        guard !isAtEnd else { return nil }
        var search = Search(offset: byteOffset)
        guard let found = Self.search(&search, &scan, window) else {
            isAtEnd = true
            cutPacket = search.cut
            return nil
        }
        byteOffset = found.byteOffset + Int64(found.bytes)
        return found
    }

    /// A search for a packet, and the bytes that it skipped.
    private struct Search {
        var offset: Int64
        /// The end of the tags at the beginning of the search.
        var tagEnd: Int64
        var cut: (byteOffset: Int64, bytes: Int, of: Int)?
        let start: Int64

        init(offset: Int64) { (self.offset, tagEnd, start) = (offset, offset, offset) }
    }

    private static func search(
        _ search: inout Search, _ scan: inout MPEGFrameScan, _ window: ByteWindow
    ) -> MPEGPacket? {
        var wanted = leastBytes
        // Tags are skipped at once, whatever their length.
        var passedBytes: Int64 = 0
        while passedBytes <= resyncBytes {
            let left = max(window.end - search.offset, 0)
            let bytes = unsafe window.bytes(at: search.offset, leastBytes: wanted)
            let isEnd = bytes.count < wanted || Int64(bytes.count) == left
            switch unsafe scan.next(in: bytes, isEnd: isEnd) {
            case .frame(let header, let length):
                return MPEGPacket(
                    byteOffset: search.offset, bytes: length, header: header,
                    skippedBytes: search.offset - search.start)
            case .tag(let length):
                if search.offset == search.tagEnd { search.tagEnd += length }
                search.offset += length
            case .needs(let count):
                guard !isEnd else { return nil }
                wanted = count
                continue
            case .cut(let count, let length):
                search.cut = (search.offset, count, length)
                search.offset += Int64(count)
                passedBytes += Int64(count)
                scan.passGap()
            case .other:
                let passed = unsafe MPEGFrameScan.nextCandidate(in: bytes) ?? bytes.count
                guard passed > 0 else { return nil }
                search.offset += Int64(passed)
                passedBytes += Int64(passed)
            }
            wanted = leastBytes
        }
        return nil
    }

    /// The number of bytes without a packet after which the stream counts as ended.
    private static let resyncBytes: Int64 = 1 << 20
    /// The number of bytes needed to recognise a header or the mark of a tag.
    private static let leastBytes = 12
}
