import CoreAudioTypes

/// Where the chunks of a file are that is to be changed.
///
/// Readers make the best of a file that contradicts itself. Who changes it must not: a header that is wrong about
/// the sound would have the change fall into it. So this takes only files that hold what they promise.
struct ChunkMap {
    typealias Chunk = ChunkWalk.Chunk

    let grammar: ChunkGrammar
    private(set) var chunks: [Chunk] = []
    /// Where the next chunk would begin; a byte of padding before it may be missing.
    private(set) var end: Int64 = 0
    /// True for sound whose length the file leaves open, and which goes on to the end of the file.
    private(set) var isSoundOpen = false
    /// True for a file that says in 'ds64' how long it is.
    private(set) var isLarge = false

    private let file: EditableFile

    /// - Throws: `unsupported` for what is not made of chunks, `damaged` for a file that does not hold what it
    ///   promises, or more; what reading throws.
    init(_ file: EditableFile) throws(AudioFileError) {
        self.file = file
        let head = try file.read(at: 0, count: Int(min(file.byteCount, 12)))
        guard let grammar = ChunkGrammar(head: head) else {
            throw AudioFileError(.unsupported, "this kind of file is not made of chunks")
        }
        self.grammar = grammar
        isLarge = grammar == .riff(isBigEndian: false) && !head.starts(with: "RIFF".utf8)
        try walk()
        guard chunks.contains(where: { $0.type == grammar.sound }) else {
            throw AudioFileError(.damaged, "it has no chunk of sound")
        }
    }

    /// The chunks of a type in their order.
    func chunks(_ type: UInt32) -> [Chunk] { chunks.filter { $0.type == type } }

    private mutating func walk() throws(AudioFileError) {
        var walk = ChunkWalk(grammar, to: file.byteCount)
        while let chunk = walk.next(try file.read(at: walk.offset, count: walk.headerCount)) {
            guard FourCharacterCode(rawValue: chunk.type).isPrintable else {
                throw AudioFileError(.damaged, "what follows byte \(chunk.offset) is no chunk")
            }
            if isLarge, chunks.isEmpty, chunk.type == ChunkGrammar.code("ds64") {
                walk.takeSizes(try file.read(at: chunk.contents.lowerBound, count: 16))
            }
            if chunk.length == .open {
                guard grammar == .caf, !chunks.contains(where: { $0.type == chunk.type }) else {
                    throw AudioFileError(.damaged, "a chunk at byte \(chunk.offset) leaves its length open")
                }
                isSoundOpen = true
            } else if walk.stop != nil {
                throw AudioFileError(
                    .damaged,
                    "a chunk at byte \(chunk.offset) promises \(chunk.declaredBytes) bytes where there are "
                        + "\(file.byteCount - chunk.contents.lowerBound)")
            }
            chunks.append(chunk)
        }
        switch walk.stop {
        case .cutHeader:
            throw AudioFileError(
                .damaged, "\(file.byteCount - walk.offset) bytes behind its last chunk are none")
        case .mostChunks:
            throw AudioFileError(.unsupported, "it has more than \(FormatLimits.mostChunks) chunks")
        default: end = walk.offset
        }
    }
}
