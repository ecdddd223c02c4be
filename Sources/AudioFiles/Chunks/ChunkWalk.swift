/// Steps through the chunks of a container by their headers.
///
/// It holds no bytes, so that files and streams are walked alike: the caller reads the header at ``offset`` and passes it
/// to ``next(_:)``. Sizes are checked here and nowhere else: no offset that it gives is beyond ``furthest``.
struct ChunkWalk {
    struct Chunk: Equatable {
        /// Where the length is.
        enum Length {
            /// In the chunk's header.
            case own
            /// In the chunk 'ds64'.
            case large
            /// Nowhere: the audio goes on to the end.
            case open
        }

        let type: UInt32
        /// Of its header.
        let offset: Int64
        let length: Length
        /// The length as the file gives it; negative in a damaged file, and for open audio of CAF.
        let declaredBytes: Int64
        /// Perhaps beyond the end of the file; up to the end, if the length is open.
        let contents: Range<Int64>

        /// The type as text, with "?" for what is not printable.
        var name: String { FieldReader(bytes: ChunkGrammar.letters(type), isBigEndian: true).mark(at: 0) }
    }

    /// Why no more chunks come.
    enum Stop {
        case end
        /// Inside the header of a chunk.
        case cutHeader
        /// Inside the contents of a chunk, or at one whose length is negative.
        case cutChunk
        /// At the limit of chunks that are read.
        case mostChunks
    }

    let grammar: ChunkGrammar
    /// Of all chunks.
    let end: Int64
    /// Of the next header.
    private(set) var offset: Int64
    /// Nil while chunks may come.
    private(set) var stop: Stop?

    private var chunkCount = 0
    private var largeAudioBytes: Int64?

    /// - Parameters:
    ///   - offset: Of the first header; nil is that of a file.
    ///   - end: Of the file, or of the list that is walked; a stream has none.
    init(_ grammar: ChunkGrammar, from offset: Int64? = nil, to end: Int64 = Self.furthest) {
        self.grammar = grammar
        self.offset = offset ?? grammar.firstChunkOffset
        self.end = min(end, Self.furthest)
    }

    /// The bytes of the next header, fewer only at the end.
    var headerCount: Int { Int(max(min(grammar.headerBytes, end - offset), 0)) }

    /// Steps to the next chunk; nil if none comes, for the reason ``stop``.
    ///
    /// - Parameter header: The ``headerCount`` bytes at ``offset``.
    mutating func next(_ header: [UInt8]) -> Chunk? {
        guard stop == nil else { return nil }
        guard headerCount == grammar.headerBytes, header.count == headerCount else {
            stop = offset < end ? .cutHeader : .end
            return nil
        }
        guard chunkCount < FormatLimits.mostChunks else {
            stop = .mostChunks
            return nil
        }
        chunkCount += 1
        let (type, ownBytes) = grammar.fields(ofHeader: header)
        let length = length(type, ownBytes)
        let declaredBytes = length == .large ? largeAudioBytes ?? ownBytes : ownBytes
        let start = offset + grammar.headerBytes
        let contentsEnd = length == .open ? end : start + min(max(declaredBytes, 0), Self.furthest - start)
        let chunk = Chunk(
            type: type, offset: offset, length: length, declaredBytes: declaredBytes,
            contents: start..<contentsEnd)
        if length != .open, declaredBytes < 0 || contentsEnd > end {
            stop = .cutChunk
        } else {
            offset = grammar.aligned(contentsEnd)
        }
        return chunk
    }

    /// Steps to the next chunk of bytes at hand.
    mutating func next(in bytes: [UInt8]) -> Chunk? {
        guard let start = Int(exactly: offset), start < bytes.count else { return next([]) }
        return next(Array(bytes[start...].prefix(headerCount)))
    }

    /// Takes the lengths of RF64 that its other headers have no room for.
    ///
    /// - Parameter contents: At least the first 16 bytes of the chunk 'ds64'.
    /// - Returns: Where they say that the file ends; nil if there are fewer bytes.
    @discardableResult
    mutating func takeSizes(_ contents: [UInt8]) -> Int64? {
        let fields = FieldReader(bytes: contents, isBigEndian: false)
        guard let fileBytes = fields.uint64(at: 0), let audioBytes = fields.uint64(at: 8) else { return nil }
        largeAudioBytes = Int64(clamping: audioBytes)
        return 8 + min(Int64(clamping: fileBytes), Self.furthest)
    }

    private func length(_ type: UInt32, _ ownBytes: Int64) -> Chunk.Length {
        guard type == grammar.sound, ownBytes == grammar.openBytes else { return .own }
        guard case .riff = grammar, let largeAudioBytes, largeAudioBytes != PlaceholderLength.large else {
            return .open
        }
        return .large
    }

    /// Far beyond any file, and far enough from overflow.
    static let furthest = Int64.max >> 1
}

/// Streams.
extension ChunkWalk {
    /// Steps to the next chunk of a stream, and passes its header; nil if that has not arrived.
    ///
    /// - Throws: `invalidFile` at the limit of chunks that are read.
    mutating func next(_ core: StreamCore) throws(AudioFileStreamError) -> Chunk? {
        core.queue.skip(offset - core.queue.nextOffset)
        guard core.queue.count >= headerCount else { return nil }
        guard let chunk = next(core.queue.prefix(headerCount)) else {
            throw AudioFileStreamError(
                .invalidFile,
                "cannot parse the stream: it has more than \(FormatLimits.mostChunks) chunks before its audio"
            )
        }
        core.queue.skip(grammar.headerBytes)
        return chunk
    }
}
