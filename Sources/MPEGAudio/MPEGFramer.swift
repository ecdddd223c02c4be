/// Finds the packets of an MPEG audio stream one after another, by the rules of ``MPEGFrameScan``.
///
/// Used by one thread at a time.
public final class MPEGFramer {
    /// The bytes that are framed; also for reading the packets found.
    public let source: MPEGByteSource
    /// The header of the first packet of audio: the format of the stream.
    public let firstHeader: MPEGFrameHeader
    /// The tag that an encoder wrote into the first frame, if it did.
    public let infoTag: MPEGInfoTag?
    /// Where the first frame begins, be it audio or an information tag.
    public let streamByteOffset: Int64
    /// Bytes of the ID3v2 tags that the stream begins with; 0 without one.
    public let leadingTagBytes: Int64
    /// Where the next packet is looked for: the end of the last.
    public private(set) var byteOffset: Int64
    /// True once ``next()`` returned nil.
    public private(set) var isAtEnd = false
    /// Where the last packet begins, its bytes that are there, and how many it should have, if it is cut short.
    public private(set) var cutPacket: (byteOffset: Int64, bytes: Int, of: Int)?
    /// Bytes of the first frame, be it audio or an information tag.
    public let firstFrameBytes: Int

    private let end: Int64
    private var scan: MPEGFrameScan
    private var pending: MPEGPacket?

    /// Finds the first packet.
    ///
    /// - Parameters:
    ///   - source: The bytes of a file or pipe.
    ///   - range: Where the stream is, with tags in front.
    /// - Throws: `notMPEGAudio` if there is no packet, `readFailed` if the bytes cannot be read.
    public init(source: MPEGByteSource, range: Range<Int64> = 0..<(.max)) throws(MPEGAudioError) {
        self.source = source
        end = min(range.upperBound, source.fileBytes ?? .max)
        scan = MPEGFrameScan()
        var search = Search(offset: range.lowerBound)
        guard let first = Self.search(&search, &scan, source, end) else {
            if let failure = source.failure { throw failure }
            throw MPEGAudioError(.notMPEGAudio, "no MPEG audio frame was found")
        }
        leadingTagBytes = search.tagEnd - range.lowerBound
        streamByteOffset = first.byteOffset
        firstHeader = first.header
        firstFrameBytes = first.bytes
        byteOffset = first.byteOffset + Int64(first.bytes)
        let shown = unsafe source.bytes(at: first.byteOffset, leastBytes: first.bytes)
        let whole = unsafe UnsafeRawBufferPointer(rebasing: shown.prefix(first.bytes))
        infoTag = unsafe MPEGInfoTag(packet: whole.bytes, header: first.header)
        if infoTag == nil { pending = first }
    }

    /// Finds the next packet; nil at the end of the stream.
    ///
    /// - Throws: `readFailed` if the bytes cannot be read.
    public func next() throws(MPEGAudioError) -> MPEGPacket? {
        if let first = pending {
            pending = nil
            return first
        }
        guard !isAtEnd else { return nil }
        var search = Search(offset: byteOffset)
        guard let found = Self.search(&search, &scan, source, end) else {
            isAtEnd = true
            cutPacket = search.cut
            if let failure = source.failure { throw failure }
            return nil
        }
        byteOffset = found.byteOffset + Int64(found.bytes)
        return found
    }

    /// A search for a packet, and what it passed.
    private struct Search {
        var offset: Int64
        /// Where the tags end that the search began with.
        var tagEnd: Int64
        var cut: (byteOffset: Int64, bytes: Int, of: Int)?
        let start: Int64

        init(offset: Int64) { (self.offset, tagEnd, start) = (offset, offset, offset) }
    }

    private static func search(
        _ search: inout Search, _ scan: inout MPEGFrameScan, _ source: MPEGByteSource, _ end: Int64
    ) -> MPEGPacket? {
        var wanted = leastBytes
        // Tags are passed at once, whatever their length.
        var passedBytes: Int64 = 0
        while passedBytes <= resyncBytes {
            let left = max(end - search.offset, 0)
            let shown = unsafe source.bytes(at: search.offset, leastBytes: Int(min(Int64(wanted), left)))
            let bytes = unsafe UnsafeRawBufferPointer(
                rebasing: shown.prefix(Int(min(Int64(shown.count), left))))
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
                let passed = unsafe MPEGFrameScan.nextPlace(in: bytes) ?? bytes.count
                guard passed > 0 else { return nil }
                search.offset += Int64(passed)
                passedBytes += Int64(passed)
            }
            wanted = leastBytes
        }
        return nil
    }

    /// Garbage that is searched for a next frame before the stream counts as ended.
    private static let resyncBytes: Int64 = 1 << 20
    /// What is asked for of a place: a header, or the mark of a tag.
    private static let leastBytes = 12
}
