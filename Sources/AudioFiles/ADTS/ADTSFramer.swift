import CoreAudioTypes
import MagicCookies

/// A packet of an ADTS stream with its header.
struct ADTSFrame {
    /// Of the header, from the beginning of the file.
    var byteOffset: Int64
    var header: ADTSHeader
    /// Bytes since the end of the frame before that belong to none.
    var skippedBytes: Int64

    var packetBytes: Int { header.frameBytes - header.headerBytes }
}

/// Finds the packets of an ADTS stream one after another.
final class ADTSFramer {
    let window: ByteWindow
    /// Of the first frame: the format of the stream.
    let firstHeader: ADTSHeader
    /// Where the first frame begins.
    let streamByteOffset: Int64
    /// Where the next frame is looked for: the end of the last.
    private(set) var byteOffset: Int64
    /// True once ``next()`` returned nil.
    private(set) var isAtEnd = false

    private var pending: ADTSFrame?

    /// Finds the first packet.
    ///
    /// - Parameter byteOffset: Where to begin: behind a tag.
    /// - Throws: `unrecognised` if there is no packet, `damaged` if only a part of one, `unreadable`.
    init(window: ByteWindow, from byteOffset: Int64) throws(AudioFileError) {
        self.window = window
        guard let first = Self.search(window, from: byteOffset, like: nil) else {
            if let failure = window.failure { throw failure }
            let shown = unsafe window.bytes(at: byteOffset, leastBytes: ADTSHeader.maximumFrameBytes)
            guard let header = unsafe ADTSHeader(bytes: shown), shown.count < header.frameBytes else {
                throw AudioFileError(.unrecognised, "no packet of AAC was found")
            }
            throw AudioFileError(
                .damaged, "its only packet is cut short: \(shown.count) bytes of \(header.frameBytes)")
        }
        firstHeader = first.header
        streamByteOffset = first.byteOffset
        pending = first
        self.byteOffset = first.byteOffset
    }

    /// Finds the next packet; nil at the end of the stream.
    ///
    /// - Throws: `unreadable`.
    func next() throws(AudioFileError) -> ADTSFrame? {
        guard !isAtEnd else { return nil }
        guard let found = pending ?? step() ?? Self.search(window, from: byteOffset, like: firstHeader) else {
            isAtEnd = true
            if let failure = window.failure { throw failure }
            return nil
        }
        pending = nil
        byteOffset = found.byteOffset + Int64(found.header.frameBytes)
        return found
    }

    /// The frame that begins just where the last one ended, if it is of the same stream and whole.
    private func step() -> ADTSFrame? {
        let shown = unsafe window.bytes(at: byteOffset, leastBytes: ADTSHeader.leastBytes)
        guard let header = unsafe ADTSHeader(bytes: shown), header.isSameStream(as: firstHeader),
            unsafe window.bytes(at: byteOffset, leastBytes: header.frameBytes).count >= header.frameBytes
        else { return nil }
        return ADTSFrame(byteOffset: byteOffset, header: header, skippedBytes: 0)
    }

    /// Garbage that is searched for a next frame before the stream counts as ended.
    static let resyncBytes: Int64 = 1 << 20

    /// The first whole frame from `start` on that is likely to be one: twelve bits of sync are met by chance
    /// in any 4 KB. The first of the stream begins a chain; a later one is followed by its like, or by the end.
    /// Just behind another frame any header may follow, for the stream may change more than once.
    private static func search(
        _ window: ByteWindow, from start: Int64, like known: ADTSHeader?
    ) -> ADTSFrame? {
        var offset = start
        while offset - start <= resyncBytes {
            let shown = unsafe window.bytes(at: offset, leastBytes: ADTSHeader.leastBytes)
            guard shown.count >= ADTSHeader.leastBytes else { return nil }
            guard let place = unsafe shown.firstIndex(of: 0xFF) else {
                offset += Int64(shown.count)
                continue
            }
            offset += Int64(place)
            if let header = unsafe ADTSHeader(
                bytes: window.bytes(at: offset, leastBytes: ADTSHeader.leastBytes)),
                known == nil
                    ? isBeginning(at: offset, in: window, isExpected: offset == start)
                    : isPlausible(header, at: offset, in: window, like: known, isNext: offset == start)
            {
                return ADTSFrame(byteOffset: offset, header: header, skippedBytes: offset - start)
            }
            offset += 1
        }
        return nil
    }

    private static func isBeginning(at offset: Int64, in window: ByteWindow, isExpected: Bool) -> Bool {
        var wanted = ADTSHeader.leastBytes
        while true {
            let shown = unsafe window.bytes(at: offset, leastBytes: wanted)
            let isEnd = shown.count < wanted
            switch unsafe beginning(in: shown, from: 0, isExpected: isExpected, isEnd: isEnd) {
            case .stream: return true
            case .chance: return false
            case .needs(let count): wanted = count
            }
        }
    }

    /// Whether a stream begins at a place.
    ///
    /// - Parameter isExpected: True if nothing but tags is before.
    static func beginning(
        in bytes: UnsafeRawBufferPointer, from start: Int, isExpected: Bool, isEnd: Bool
    ) -> PacketChain.Verdict {
        func header(at place: Int) -> ADTSHeader? {
            guard place < bytes.count else { return nil }
            return unsafe ADTSHeader(bytes: UnsafeRawBufferPointer(rebasing: bytes[place...]))
        }
        guard bytes.count - start >= ADTSHeader.leastBytes || isEnd else {
            return .needs(start + ADTSHeader.leastBytes)
        }
        guard let first = header(at: start),
            unsafe !PacketChain.holdsItsHeader(
                bytes, from: start, packetBytes: first.frameBytes, headerBytes: ADTSHeader.leastBytes)
        else { return .chance }
        return PacketChain(isExpected: isExpected).verdict(
            from: start, count: bytes.count, isEnd: isEnd, headerBytes: StreamTag.markBytes,
            length: { place in header(at: place).flatMap { $0.isSameStream(as: first) ? $0.frameBytes : nil }
            },
            isTag: { unsafe StreamTag.begins(UnsafeRawBufferPointer(rebasing: bytes[$0...])) })
    }

    private static func isPlausible(
        _ header: ADTSHeader, at offset: Int64, in window: ByteWindow, like known: ADTSHeader?, isNext: Bool
    ) -> Bool {
        let wanted = header.frameBytes + ADTSHeader.leastBytes
        let shown = unsafe window.bytes(at: offset, leastBytes: wanted)
        guard shown.count >= header.frameBytes else { return false }
        let after = unsafe UnsafeRawBufferPointer(rebasing: shown[header.frameBytes...])
        if let next = unsafe ADTSHeader(bytes: after) {
            return isNext || next.isSameStream(as: header) || known.map(next.isSameStream) ?? false
        }
        let isOfStream = known.map(header.isSameStream) ?? true
        return unsafe isOfStream && (after.isEmpty || StreamTag.begins(after))
    }
}
