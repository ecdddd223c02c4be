import CMpg123

/// Finds the packets of an MPEG audio stream one after another.
///
/// libmpg123's parser finds the beginning, passes over tags and garbage, measures free format and decides
/// where the stream ends. Between such places, where one well-formed header leads to the next, this walks
/// by itself, as the parser would: that makes a scan of an hour of audio a matter of milliseconds.
///
/// Used by one thread at a time.
///
/// The corresponding C functions are `mpg123_framebyframe_next` and `mpg123_framedata`.
@safe public final class MPEGFramer {
    /// The bytes that are framed; also for reading the packets found.
    public let source: MPEGByteSource
    /// The header of the first packet of audio: the format of the stream.
    public let firstHeader: MPEGFrameHeader
    /// The tag that an encoder wrote into the first frame, if it did.
    public let infoTag: MPEGInfoTag?
    /// Where the first frame begins, be it audio or an information tag.
    public let streamByteOffset: Int64
    /// Bytes of the ID3v2 tag that the file begins with; 0 without one.
    public let leadingTagBytes: Int64
    /// Text of the ID3 tags, for display.
    public let tags: MPEGTags
    /// Where the next packet is looked for: the end of the last.
    public private(set) var byteOffset: Int64
    /// True once ``next()`` returned nil.
    public private(set) var isAtEnd = false
    /// Bytes of the first frame, be it audio or an information tag; in free format, of all but the padding.
    public let firstFrameBytes: Int

    private let handle: MPEGHandle
    private var pending: MPEGPacket?
    /// The header of the last packet that changed version, layer or rate.
    private var current: MPEGFrameHeader
    /// Packet lengths without padding by bit rate index, for these; 0 asks the parser.
    private var packetBytes: [16 of Int]

    /// Finds the first packet.
    ///
    /// - Throws: `notMPEGAudio` if there is none, `readFailed` if the bytes cannot be read.
    public init(source: MPEGByteSource) throws(MPEGAudioError) {
        self.source = source
        handle = try MPEGHandle()
        leadingTagBytes = Self.tagBytes(of: source)
        try Self.open(handle, on: source, tagBytes: leadingTagBytes)
        guard let first = try Self.parse(handle, source, from: 0) else {
            throw MPEGAudioError(.notMPEGAudio, "no MPEG audio frame was found")
        }
        streamByteOffset = first.byteOffset
        firstHeader = first.header
        tags = Self.tags(handle, source, tagBytes: leadingTagBytes)
        unsafe mpg123_meta_free(handle.pointer)
        packetBytes = Self.packetLengths(like: first.header)
        firstFrameBytes = first.bytes
        current = first.header
        byteOffset = first.byteOffset + Int64(first.bytes)
        let shown = unsafe source.bytes(at: first.byteOffset, leastBytes: first.bytes)
        let whole = unsafe UnsafeRawBufferPointer(rebasing: shown.prefix(first.bytes))
        infoTag = unsafe MPEGInfoTag(packet: whole.bytes, header: first.header)
        // COMPAT: libmpg123 knows Xing's tag but plays the frame with VBRI's, which is silent. To agree
        // with it to the frame, so is that frame a packet here.
        if infoTag == nil || infoTag?.kind == .vbri { pending = first }
    }

    /// Finds the next packet; nil at the end of the stream.
    ///
    /// - Throws: `readFailed` if the bytes cannot be read.
    public func next() throws(MPEGAudioError) -> MPEGPacket? {
        if let first = pending {
            pending = nil
            return first
        }
        if let packet = step() { return packet }
        guard !isAtEnd else { return nil }
        var searchOffset = byteOffset
        while let found = try Self.parse(handle, source, from: searchOffset),
            found.byteOffset - byteOffset <= Self.resyncBytes
        {
            if isPlausible(found) { return accept(found) }
            searchOffset = found.byteOffset + 1
        }
        isAtEnd = true
        return nil
    }

    /// True unless a packet is likely to be garbage that looks like one.
    ///
    /// The library takes any header for a packet once it has lost its way; in a megabyte of noise it finds a
    /// hundred. Here a packet that is not just where and what it should be must be followed by its like.
    private func isPlausible(_ packet: MPEGPacket) -> Bool {
        let isOfStream = packet.header.isCompatible(with: current)
        if packet.byteOffset == byteOffset, isOfStream { return true }
        let after = unsafe source.bytes(at: packet.byteOffset + Int64(packet.bytes), leastBytes: 12)
        if let next = unsafe MPEGFrameHeader(after.bytes) { return next.isCompatible(with: packet.header) }
        // Nothing but the end, or a tag there, can follow the last packet.
        let tags: [StaticString] = ["TAG", "APETAGEX", "LYRICSBEGIN", "ID3"]
        let isLast = unsafe after.isEmpty || tags.contains { unsafe after.starts(with: $0.description.utf8) }
        return isOfStream && isLast
    }

    private func accept(_ found: MPEGPacket) -> MPEGPacket {
        var packet = found
        packet.skippedBytes = packet.byteOffset - byteOffset
        if !packet.header.isCompatible(with: current) {
            current = packet.header
            packetBytes = Self.packetLengths(like: packet.header)
        }
        byteOffset = packet.byteOffset + Int64(packet.bytes)
        return packet
    }

    /// The packet that begins just where the last one ended, if that needs no parser to see.
    private func step() -> MPEGPacket? {
        // Just what is needed is asked for: more, near the end of the file, would be read anew for each packet.
        let head = unsafe source.bytes(at: byteOffset, leastBytes: 4)
        guard head.count >= 4 else { return nil }
        let bits = unsafe UInt32(bigEndian: head.loadUnaligned(as: UInt32.self))
        guard (bits ^ current.bits) & MPEGFrameHeader.streamMask == 0 else { return nil }
        var length = packetBytes[Int((bits >> 12) & 15)]
        guard length > 0 else { return nil }
        if bits & 0x200 != 0 { length += current.layer == 1 ? 4 : 1 }
        guard unsafe source.bytes(at: byteOffset, leastBytes: length).count >= length,
            let header = MPEGFrameHeader(bits: bits)
        else { return nil }
        defer { byteOffset += Int64(length) }
        return MPEGPacket(byteOffset: byteOffset, bytes: length, header: header, skippedBytes: 0)
    }

    private static func packetLengths(like header: MPEGFrameHeader) -> [16 of Int] {
        var lengths = [16 of Int](repeating: 0)
        for index in 1..<15 {
            let bits = header.bits & ~0xF200 | UInt32(index) << 12
            lengths[index] = MPEGFrameHeader(bits: bits)?.packetBytes ?? 0
        }
        return lengths
    }
}

/// The parser of libmpg123.
extension MPEGFramer {
    /// Garbage that is searched for a next frame before the stream counts as ended.
    static let resyncBytes: Int64 = 1 << 20
    /// The largest ID3v2 tag that the library may read whole into memory; a cover is often larger.
    static let largestTagBytes: Int64 = 256 << 10

    private static func open(
        _ handle: borrowing MPEGHandle, on source: MPEGByteSource, tagBytes: Int64
    ) throws(MPEGAudioError) {
        var flags = MPEG123.flags(MPG123_QUIET, MPG123_IGNORE_INFOFRAME, MPG123_AUTO_RESAMPLE)
        if source.fileBytes == nil {
            flags |= MPEG123.flags(MPG123_NO_PEEK_END, MPG123_FORCE_SEEKABLE)
        }
        if tagBytes > largestTagBytes { flags |= MPEG123.flags(MPG123_SKIP_ID3V2) }
        try handle.set(MPG123_FLAGS, flags)
        try handle.set(MPG123_VERBOSE, 0)
        try handle.set(MPG123_RESYNC_LIMIT, Int(resyncBytes))
        // Packets are remembered by the reader above; the library need not.
        try handle.set(MPG123_INDEX_SIZE, 0)
        // SAFETY: the framer keeps the source for as long as the handle.
        let context = unsafe Unmanaged.passUnretained(source).toOpaque()
        guard
            unsafe mpg123_replace_reader_handle(
                handle.pointer,
                { context, memory, byteCount in
                    guard let context = unsafe context, let memory = unsafe memory else { return -1 }
                    let source = unsafe Unmanaged<MPEGByteSource>.fromOpaque(context).takeUnretainedValue()
                    return unsafe source.readAtCursor(into: memory, maximumBytes: byteCount)
                },
                { context, distance, origin in
                    guard let context = unsafe context else { return -1 }
                    let source = unsafe Unmanaged<MPEGByteSource>.fromOpaque(context).takeUnretainedValue()
                    return off_t(source.moveCursor(by: Int64(distance), from: origin))
                }, nil) == MPEG123.ok,
            unsafe mpg123_open_handle(handle.pointer, context) == MPEG123.ok
        else {
            throw handle.failure("cannot start the MPEG audio parser")
        }
    }

    /// Bytes that the ID3v2 tag at the beginning claims to have, header and footer counted; 0 without one.
    private static func tagBytes(of source: MPEGByteSource) -> Int64 {
        let head = unsafe source.bytes(at: 0, leastBytes: 10)
        guard head.count >= 10, unsafe head.starts(with: "ID3".utf8) else { return 0 }
        let contents = unsafe head[6..<10].reduce(0 as Int64) { $0 << 7 | Int64($1 & 0x7F) }
        return contents + (unsafe head[5] & 0x10 == 0 ? 10 : 20)
    }

    /// Text of the tags that the library has passed, and of one that it skipped for its size.
    private static func tags(
        _ handle: borrowing MPEGHandle, _ source: MPEGByteSource, tagBytes: Int64
    ) -> MPEGTags {
        var tags = MPEGTags(of: handle)
        // In a pipe the tag has passed; reading it before would have lost the way back.
        guard tagBytes > largestTagBytes, source.fileBytes != nil else { return tags }
        let large = LargeTagReader.tags(in: source, tagBytes: tagBytes)
        tags.title = large.title ?? tags.title
        tags.artist = large.artist ?? tags.artist
        tags.album = large.album ?? tags.album
        return tags
    }

    /// Lets the library look for a packet from `offset` on; nil at the end of the stream.
    private static func parse(
        _ handle: borrowing MPEGHandle, _ source: MPEGByteSource, from offset: Int64
    ) throws(MPEGAudioError) -> MPEGPacket? {
        source.placeCursor(at: offset)
        while true {
            let status = unsafe mpg123_framebyframe_next(handle.pointer)
            guard status == MPEG123.ok || status == MPEG123.newFormat else {
                // A stream may end in anything; only the system's failures are failures.
                if let failure = source.failure { throw failure }
                return nil
            }
            var bits: UInt = 0
            var bodyBytes = 0
            guard unsafe mpg123_framedata(handle.pointer, &bits, nil, &bodyBytes) == MPEG123.ok else {
                throw handle.failure("cannot get an MPEG audio packet from the parser")
            }
            // The library has read up to the packet's end and no further. Its own count of bytes is of no
            // use: it does not see the packets that were walked over.
            let start = source.cursor - Int64(bodyBytes + 4)
            guard start >= offset else {
                throw MPEGAudioError(.libraryFailed, "cannot get an MPEG audio packet: the parser went back")
            }
            if let header = MPEGFrameHeader(bits: UInt32(truncatingIfNeeded: bits)) {
                return MPEGPacket(
                    byteOffset: start, bytes: bodyBytes + 4, header: header, skippedBytes: start - offset)
            }
            // QUIRK: the library takes the reserved version for MPEG-2.5; such a frame is garbage here.
            source.placeCursor(at: start + 1)
        }
    }
}
