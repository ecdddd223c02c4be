// SPDX-License-Identifier: MIT

import CoreAudioTypes
import AQMagicCookies

/// A scan of the chunks of a CAF file.
struct CAFFileScan {
    private(set) var header = CAFHeader()
    private(set) var chunks: [AudioFileChunk] = []
    /// The offset of the audio; nil before it is found.
    private(set) var dataStart: Int64?
    /// The size of the available audio.
    private(set) var dataBytes: Int64 = 0

    private let file: OpenFile

    /// - Throws: `damaged` and `unsupported` if packets cannot be read; `notSeekable` if a file allows reading them,
    ///   but a pipe does not; `unreadable` if the system fails.
    init(_ file: OpenFile) throws(AudioFileError) {
        self.file = file
        let fileHeader = try file.read(at: 0, count: Int(ChunkGrammar.caf.firstChunkOffset))
        if fileHeader.dropFirst(4).prefix(2) != [0, 1] {
            header.note("the file's version is not 1")
        }
        try walk()
        guard header.description != nil else {
            throw AudioFileError(.damaged, "it has no description of its format")
        }
        guard dataStart != nil else {
            throw AudioFileError(.damaged, "it has no audio chunk")
        }
        try header.completePacketTable(dataBytes: dataBytes)
        if let config = foundConfig() { header.take(found: config) }
    }

    /// The AAC configuration with the extensions that the first packets show; nil if they show none.
    private func foundConfig() -> AudioSpecificConfig? {
        guard let format = header.description?.format, format.mFramesPerPacket > 0, let dataStart,
            let index = header.index,
            let config = MP4Coding.config(format: format, magicCookie: header.magicCookie)
        else { return nil }
        let shown = file.config(
            announced: config, shownBy: CAFPositions(index: index, dataStart: dataStart, isTimed: false))
        return shown == config ? nil : shown
    }

    private mutating func walk() throws(AudioFileError) {
        var walk = ChunkWalk(.caf, to: file.byteCount)
        while let chunk = walk.next(try file.read(at: walk.offset, count: walk.headerCount)) {
            let code = FourCharacterCode(rawValue: chunk.type)
            guard code.isPrintable else {
                header.note("the data after byte \(chunk.offset) is not a chunk")
                return
            }
            let contents = chunk.contents.lowerBound
            let available = file.byteCount - contents
            let type = CAFChunkType(rawValue: chunk.type)
            guard header.description != nil || type == .desc else {
                throw AudioFileError(.damaged, "its first chunk is \(code), not the format's description")
            }
            if type == .data, dataStart == nil {
                takeAudio(chunk, available: available)
                let held = dataBytes + (dataStart ?? contents) - contents
                chunks.append(AudioFileChunk(type: code, offset: chunk.offset, byteCount: held))
                if isOpen(chunk) { return }
            } else {
                let held = min(chunk.declaredBytes, available)
                chunks.append(AudioFileChunk(type: code, offset: chunk.offset, byteCount: max(held, 0)))
                guard chunk.declaredBytes >= 0 else {
                    header.note("chunk \(code) at byte \(chunk.offset) has a size of \(chunk.declaredBytes)")
                    return
                }
                // A 'free' chunk lacks no data: its writer may have been killed before the next chunk was written.
                if chunk.declaredBytes > available, type != .free {
                    header.note(
                        "chunk \(code) at byte \(chunk.offset) runs \(chunk.declaredBytes - available) bytes "
                            + "past the end of the file")
                }
                if let type { try read(type, at: contents, bytes: chunk.declaredBytes, available: available) }
            }
        }
        switch walk.stop {
        case .cutHeader: header.note("the data after byte \(walk.offset) is not a chunk")
        case .mostChunks:
            header.note("it has more than \(FormatLimits.mostChunks) chunks; the rest are left out")
        default: break
        }
    }

    /// Reads the contents of a chunk, if they are complete.
    private mutating func read(
        _ type: CAFChunkType, at offset: Int64, bytes: Int64, available: Int64
    ) throws(AudioFileError) {
        switch type {
        case .data: header.note("there is a second 'data' chunk, which is left out")
        case .free: break
        case .pakt: try readPacketTable(at: offset, bytes: min(bytes, available))
        default:
            guard bytes <= CAFHeader.maximumContentsBytes else {
                header.note("chunk \(type.code) of \(bytes) bytes is too large to be read")
                return
            }
            let contents = try file.read(at: offset, count: Int(min(bytes, available)))
            // A partial cookie or partial metadata would be worse than none.
            guard contents.count == Int(bytes) || type == .desc else { return }
            try header.take(type, contents)
        }
    }

    private mutating func readPacketTable(at offset: Int64, bytes: Int64) throws(AudioFileError) {
        let start = Int64(CAFPacketTableHeader.bytes)
        let first = try file.read(at: offset, count: Int(min(bytes, start)))
        guard try header.takePacketTableHeader(first) else { return }
        var done = start
        while done < bytes {
            let piece = try file.read(at: offset + done, count: Int(min(bytes - done, Self.pieceBytes)))
            guard !piece.isEmpty, header.takePacketTableEntries(piece) else { return }
            done += Int64(piece.count)
        }
    }

    /// Determines how much of the declared audio is available.
    private mutating func takeAudio(_ chunk: ChunkWalk.Chunk, available: Int64) {
        let editCountBytes = CAFChunkHeader.editCountBytes
        // A file may end inside the edit count before the audio.
        dataStart = chunk.contents.lowerBound + min(editCountBytes, available)
        let promised = chunk.declaredBytes
        if isOpen(chunk) {
            dataBytes = max(available - editCountBytes, 0)
            if promised >= 0, available > editCountBytes {
                header.note("the header was never finished; all that follows it is read as audio")
            } else if promised < -1 {
                header.note("the audio has a size of \(promised); all that follows is read as audio")
            }
        } else {
            dataBytes = max(min(promised, available) - editCountBytes, 0)
            if promised > available {
                header.note(
                    "the header promises \(promised) bytes of audio, but the file ends after \(available)")
            }
        }
    }

    /// Returns whether the audio extends to the end of the file: as declared, or because a recorder was killed before
    /// it declared even the edit count.
    private func isOpen(_ chunk: ChunkWalk.Chunk) -> Bool {
        chunk.declaredBytes < CAFChunkHeader.editCountBytes
    }

    private static let pieceBytes: Int64 = 65536
}
