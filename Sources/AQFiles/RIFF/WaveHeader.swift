// SPDX-License-Identifier: MIT

import CoreAudioTypes

/// The header of WAVE in any of its containers (RIFF, RIFX, RF64, Wave64), up to the audio.
struct WaveHeader {
    let fileType: AudioFileType
    let grammar: ChunkGrammar
    /// The contents of the chunk 'fmt '.
    private(set) var format: [UInt8]?
    private(set) var audio: ChunkWalk.Chunk?
    /// Whether a chunk has an impossible length.
    private(set) var isDamaged = false

    private let declaredEnd: Int64

    /// Reads the chunks in the first bytes of a file or pipe; nil if they are not WAVE.
    init?(head: [UInt8]) {
        guard let type = AudioFileType(head: head), [.wave, .rf64, .wave64].contains(type),
            let grammar = ChunkGrammar(head: head)
        else { return nil }
        fileType = type
        self.grammar = grammar
        declaredEnd = grammar.declaredEnd(head: head)
        var walk = ChunkWalk(grammar, to: Int64(head.count))
        while let chunk = walk.next(in: head) {
            isDamaged = chunk.declaredBytes < 0
            guard !isDamaged, chunk.type != grammar.sound else {
                audio = isDamaged ? nil : chunk
                return
            }
            guard walk.stop == nil else { return }
            let contents = head[Int(chunk.contents.lowerBound)..<Int(chunk.contents.upperBound)]
            switch chunk.name {
            case "ds64" where type == .rf64: walk.takeSizes(Array(contents))
            case "fmt " where format == nil: format = Array(contents)
            default: break
            }
        }
    }

    /// The first bytes of a pipe to present to libsndfile, and the total number of bytes; nil if format or audio is
    /// missing.
    ///
    /// - Parameter head: The bytes that the header was read from.
    func shown(_ head: [UInt8]) -> (head: [UInt8], byteCount: Int64)? {
        guard let format, let audio else { return nil }
        let start = audio.contents.lowerBound
        let audioBytes = Self.audioBytes(
            of: audio, isUnfinished: Self.isUnfinished(end: declaredEnd, audioStart: start))
        // QUIRK: libsndfile 1.2 counts blocks in 32 bits.
        let mostBytes = Int64(UInt32.max - 1)
        let counted = audioBytes ?? (BlockCoding(format: format) == nil ? nil : mostBytes)
        let shown = Self.shown(
            format: format, isBigEndian: grammar.isBigEndian,
            audioBytes: counted.flatMap { $0 <= mostBytes ? $0 : nil })
        let byteCount = audioBytes.map { Int64(shown.count) + min($0, ChunkWalk.furthest) }
        return (shown + head[Int(start)...], byteCount ?? .max)
    }

    /// Makes a RIFF header with which libsndfile reads audio of a format.
    ///
    /// QUIRK: for some chunk lengths inside lists and in Wave64, libsndfile 1.2 goes back in the file and loops
    /// forever. It reads as many records as a chunk counts, whatever the chunk's length, and too much audio if chunks
    /// or padding follow. So libsndfile gets only the format and the audio.
    ///
    /// - Parameter audioBytes: The size of the audio; nil if it extends to the end.
    static func shown(format: [UInt8], isBigEndian: Bool, audioBytes: Int64? = nil) -> [UInt8] {
        let grammar = ChunkGrammar.riff(isBigEndian: isBigEndian)
        let chunks = Array("WAVE".utf8) + grammar.bytes(of: [AudioFileChunkContents("fmt ", format)])
        // QUIRK: libsndfile takes lengths of 8 and 0, as in its own unfinished recordings, for audio of any size up to
        // the end of the file.
        let outerBytes = audioBytes.map { Int64(chunks.count) + grammar.headerBytes + $0 } ?? 8
        return grammar.header(ChunkGrammar.code(isBigEndian ? "RIFX" : "RIFF"), contentsBytes: outerBytes)
            + chunks + grammar.header(grammar.sound, contentsBytes: audioBytes ?? 0)
    }

    /// Returns whether a recorder has not written the outermost length, or could not.
    ///
    /// - Parameters:
    ///   - end: The end of the file by that length.
    ///   - audioStart: The offset of the audio.
    static func isUnfinished(end: Int64, audioStart: Int64) -> Bool {
        end <= audioStart || PlaceholderLength.contains(end - 8)
    }

    /// The size of the audio in a stream, in bytes; nil if it extends to the end.
    ///
    /// - Parameter isUnfinished: Whether the outermost length is missing; see ``isUnfinished(end:audioStart:)``.
    static func audioBytes(of chunk: ChunkWalk.Chunk, isUnfinished: Bool) -> Int64? {
        let bytes = chunk.declaredBytes
        let isOpen =
            switch chunk.length {
            case .open: true
            // RF64 recorders that cannot seek back write 0 or the largest number less a header.
            case .large: bytes == 0 || bytes >= Int64.max - 0xFFFF
            case .own: bytes == 0 && isUnfinished || PlaceholderLength.contains(bytes)
            }
        return isOpen ? nil : bytes
    }
}
