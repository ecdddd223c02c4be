// SPDX-License-Identifier: MIT

/// An iteration over the chunks of a container by their headers.
///
/// The iteration stores no bytes, so it works for files and streams: the caller reads the header at ``offset`` and
/// passes it to ``next(_:)``. Sizes are checked here, so that no returned offset is beyond ``furthest``.
struct ChunkWalk {
    struct Chunk: Equatable {
        /// The source of a chunk's length.
        enum Length {
            /// The chunk's header.
            case own
            /// The chunk 'ds64'.
            case large
            /// None: the audio extends to the end.
            case open
        }

        let type: UInt32
        /// The offset of the chunk's header.
        let offset: Int64
        let length: Length
        /// The length in the file; negative in a damaged file, and for open audio in CAF.
        let declaredBytes: Int64
        /// The range of the contents, possibly beyond the end of the file; up to the end if the length is open.
        let contents: Range<Int64>

        /// The type as text, with "?" for unprintable characters.
        var name: String { FieldReader(bytes: ChunkGrammar.letters(type), isBigEndian: true).mark(at: 0) }
    }

    /// The reason for the end of the iteration.
    enum Stop {
        case end
        /// The data ends inside a chunk's header.
        case cutHeader
        /// The data ends inside a chunk's contents, or the length is negative.
        case cutChunk
        /// The limit of chunks is reached.
        case mostChunks
    }

    let grammar: ChunkGrammar
    let end: Int64
    /// The offset of the next header.
    private(set) var offset: Int64
    /// The reason why the iteration ended; nil if further chunks may follow.
    private(set) var stop: Stop?

    private var chunkCount = 0
    private var largeAudioBytes: Int64?

    /// - Parameters:
    ///   - offset: The offset of the first header; nil for the start of a file.
    ///   - end: The end of the file or of the list; omitted for a stream, which has none.
    init(_ grammar: ChunkGrammar, from offset: Int64? = nil, to end: Int64 = Self.furthest) {
        self.grammar = grammar
        self.offset = offset ?? grammar.firstChunkOffset
        self.end = min(end, Self.furthest)
    }

    /// The size of the next header in bytes, smaller only at the end of the data.
    var headerCount: Int { Int(max(min(grammar.headerBytes, end - offset), 0)) }

    /// Moves to the next chunk; nil if there is none, for the reason in ``stop``.
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

    /// Moves to the next chunk in available bytes.
    mutating func next(in bytes: [UInt8]) -> Chunk? {
        guard let start = Int(exactly: offset), start < bytes.count else { return next([]) }
        return next(Array(bytes[start...].prefix(headerCount)))
    }

    /// Reads the 64-bit lengths of RF64, which do not fit the other headers.
    ///
    /// - Parameter contents: At least the first 16 bytes of the chunk 'ds64'.
    /// - Returns: The end of the file according to these lengths; nil if there are fewer bytes.
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

    /// The largest offset: beyond any file, and far from overflow.
    static let furthest = Int64.max >> 1
}

/// Iteration over a stream.
extension ChunkWalk {
    /// Moves to the next chunk of a stream after its header; nil if the header has not arrived.
    ///
    /// - Throws: `damaged` at the limit of chunks.
    mutating func next(_ core: StreamCore) throws(AudioFileError) -> Chunk? {
        core.queue.skip(offset - core.queue.nextOffset)
        guard core.queue.count >= headerCount else { return nil }
        guard let chunk = next(core.queue.prefix(headerCount)) else {
            throw AudioFileError(
                .damaged, "it has more than \(FormatLimits.mostChunks) chunks before its audio")
        }
        core.queue.skip(grammar.headerBytes)
        return chunk
    }
}
