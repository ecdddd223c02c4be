import CoreAudioTypes

/// Where the chunks of a file are that is to be changed.
///
/// Readers make the best of a file that contradicts itself. Who changes it must not: a header that is wrong about
/// the sound would have the change fall into it. So this takes only files that hold what they promise.
struct ChunkMap {
    struct Chunk: Equatable {
        var type: UInt32
        /// Of its header.
        var offset: Int64
        var contents: Range<Int64>
    }

    let grammar: ChunkGrammar
    private(set) var chunks: [Chunk] = []
    /// Where the next chunk would begin; a byte of padding before it may be missing.
    private(set) var end: Int64 = 0
    /// True for sound whose length the file leaves open, and which goes on to the end of the file.
    private(set) var isSoundOpen = false
    /// True for a file that says in 'ds64' how long it is.
    private(set) var isLarge = false

    private let file: EditableFile
    private var largeSoundBytes: Int64?

    /// - Throws: `unsupported` for what is not made of chunks, `damaged` for a file that does not hold what it
    ///   promises, or more; what reading throws.
    init(_ file: EditableFile) throws(AudioFileError) {
        self.file = file
        let head = try file.read(at: 0, count: Int(min(file.byteCount, 40)))
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
        var offset = grammar.firstChunkOffset
        while offset < file.byteCount {
            let left = file.byteCount - offset
            guard left >= grammar.headerBytes else {
                throw AudioFileError(.damaged, "\(left) bytes behind its last chunk are none")
            }
            guard chunks.count < FormatLimits.mostChunks else {
                throw AudioFileError(.unsupported, "it has more than \(FormatLimits.mostChunks) chunks")
            }
            let header = try file.read(at: offset, count: Int(grammar.headerBytes))
            let type = header[0..<4].reduce(0) { $0 << 8 | UInt32($1) }
            guard FourCharacterCode(rawValue: type).isPrintable else {
                throw AudioFileError(.damaged, "what follows byte \(offset) is no chunk")
            }
            let start = offset + grammar.headerBytes
            let byteCount = try contentsBytes(type, header, left: left - grammar.headerBytes, at: offset)
            chunks.append(Chunk(type: type, offset: offset, contents: start..<start + byteCount))
            offset = grammar.aligned(start + byteCount)
        }
        end = offset
    }

    private mutating func contentsBytes(
        _ type: UInt32, _ header: [UInt8], left: Int64, at offset: Int64
    ) throws(AudioFileError) -> Int64 {
        let digits = header[Int(grammar.typeBytes)...]
        let isSound = type == grammar.sound && !chunks.contains { $0.type == type }
        var byteCount: Int64
        switch grammar {
        case .riff(let isBigEndian):
            byteCount = ContainerDetails.clamped(
                ContainerDetails.number(digits, isBigEndian: isBigEndian))
            if isLarge, type == ChunkGrammar.code("ds64"), chunks.isEmpty {
                let sizes = try file.read(at: offset + grammar.headerBytes, count: 16)
                largeSoundBytes = ContainerDetails.clamped(
                    ContainerDetails.number(sizes[8..<16], isBigEndian: false))
            }
            if byteCount == Int64(UInt32.max) {
                guard isSound, let largeSoundBytes else {
                    throw AudioFileError(.damaged, "a chunk at byte \(offset) leaves its length open")
                }
                byteCount = largeSoundBytes
            }
        case .aiff:
            byteCount = ContainerDetails.clamped(ContainerDetails.number(digits, isBigEndian: true))
        case .caf:
            byteCount = Int64(bitPattern: ContainerDetails.number(digits, isBigEndian: true))
            if isSound, byteCount == -1 {
                isSoundOpen = true
                byteCount = left
            }
        case .wave64:
            let whole = ContainerDetails.clamped(ContainerDetails.number(digits, isBigEndian: false))
            byteCount = whole - grammar.headerBytes
        }
        guard 0...left ~= byteCount else {
            throw AudioFileError(
                .damaged, "a chunk at byte \(offset) promises \(byteCount) bytes where there are \(left)")
        }
        return byteCount
    }
}
