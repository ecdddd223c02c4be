// SPDX-License-Identifier: MIT

import CoreAudioTypes

/// The offsets of the chunks in a file to be changed.
///
/// Readers tolerate contradictions in a file. Changes must not: with a wrong header, a change could overwrite the
/// audio. Therefore only consistent files are accepted.
struct ChunkMap {
    typealias Chunk = ChunkWalk.Chunk

    let grammar: ChunkGrammar
    private(set) var chunks: [Chunk] = []
    /// The offset of the next chunk; a padding byte before it may be missing.
    private(set) var end: Int64 = 0
    /// Whether the audio has an open length and extends to the end of the file.
    private(set) var isSoundOpen = false
    /// Whether the length of the file is in 'ds64'.
    private(set) var isLarge = false

    private let file: EditableFile

    /// - Throws: `unsupported` for a file not made of chunks, `damaged` if its lengths do not match its contents; the
    ///   errors of reading.
    init(_ file: EditableFile) throws(AudioFileError) {
        self.file = file
        let head = try file.read(at: 0, count: Int(min(file.byteCount, 12)))
        guard let grammar = ChunkGrammar(head: head) else {
            throw AudioFileError(.unsupported, "this file type does not consist of chunks")
        }
        self.grammar = grammar
        isLarge = grammar == .riff(isBigEndian: false) && !head.starts(with: "RIFF".utf8)
        try walk()
        guard chunks.contains(where: { $0.type == grammar.sound }) else {
            throw AudioFileError(.damaged, "it has no audio chunk")
        }
    }

    func chunks(_ type: UInt32) -> [Chunk] { chunks.filter { $0.type == type } }

    private mutating func walk() throws(AudioFileError) {
        var walk = ChunkWalk(grammar, to: file.byteCount)
        while let chunk = walk.next(try file.read(at: walk.offset, count: walk.headerCount)) {
            guard FourCharacterCode(rawValue: chunk.type).isPrintable else {
                throw AudioFileError(.damaged, "the data after byte \(chunk.offset) is not a chunk")
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
                .damaged, "\(file.byteCount - walk.offset) bytes after its last chunk are not a chunk")
        case .mostChunks:
            throw AudioFileError(.unsupported, "it has more than \(FormatLimits.mostChunks) chunks")
        default: end = walk.offset
        }
    }
}
