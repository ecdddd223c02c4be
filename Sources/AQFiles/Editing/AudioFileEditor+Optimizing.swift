// SPDX-License-Identifier: MIT

extension AudioFileEditor {
    /// Replaces the file with a copy without fillers, whose audio is after all other chunks.
    ///
    /// Does nothing if the audio is already at the end. Chunks of odd sizes in RF64 and AIFF remain after the audio,
    /// with the other chunks of their types there, because some readers cannot handle them before it. The new file is
    /// complete on disk before it takes the name. It has the same owner, group and permissions as far as the system
    /// allows; other hard links keep the old file.
    ///
    /// - Throws: `unsupported` for a file without a name, or an error of writing, such as `diskFull`. The file is then
    ///   unchanged.
    ///
    /// The corresponding C function is `AudioFileOptimize`.
    public func optimize() throws(AudioFileError) {
        try named { () throws(AudioFileError) in
            let map = try ChunkMap(file)
            guard let sound = map.chunks.firstIndex(where: { $0.type == map.grammar.sound }) else { return }
            let trailing = map.chunks[(sound + 1)...]
            let stuck = trailing.filter { chunk in
                !map.grammar.isFiller(chunk.type)
                    && !map.grammar.canLead(contentsBytes: chunk.contents.count, isRF64: map.isLarge)
            }
            // All chunks of a type stay together, to keep their numbers.
            let stuckTypes = Set(stuck.map(\.type))
            let moved = trailing.filter { !stuckTypes.contains($0.type) }
            guard !moved.isEmpty else { return }
            let left = map.chunks[sound...].filter { !moved.contains($0) }
            try rewrite((map.chunks[..<sound] + moved + left).map { .stored($0) }, in: map)
        }
    }

    /// A chunk of the rewritten file.
    enum Piece {
        case stored(ChunkMap.Chunk)
        case new(UInt32, [UInt8])

        var type: UInt32 {
            switch self {
            case .stored(let chunk): chunk.type
            case .new(let type, _): type
            }
        }
    }

    /// Replaces the file with one of these chunks, without fillers.
    func rewrite(_ pieces: [Piece], in map: ChunkMap) throws(AudioFileError) {
        try Replacement.replace(path) { (replacement) throws(AudioFileError) in
            try write(pieces, to: replacement.file, from: map)
            try sound.check(path: replacement.path)
        }
        try reopen()
    }

    private func write(
        _ pieces: [Piece], to output: EditableFile, from map: ChunkMap
    ) throws(AudioFileError) {
        let grammar = map.grammar
        // The first filler of a WAVE file is the room for 'ds64'.
        var kept = pieces.enumerated().filter { $0.offset == 0 || !grammar.isFiller($0.element.type) }
            .map(\.element)
        if !grammar.canFollowSound {
            kept = kept.filter { $0.type != grammar.sound } + kept.filter { $0.type == grammar.sound }
        }
        try output.write(file.read(at: 0, count: Int(grammar.firstChunkOffset)), at: 0)
        var position = grammar.firstChunkOffset
        for piece in kept {
            let start = position + grammar.headerBytes
            switch piece {
            case .stored(let chunk):
                // Copied unchanged: the type may be longer than four letters, the length may be elsewhere.
                try output.write(file.read(at: chunk.offset, count: Int(grammar.headerBytes)), at: position)
                try output.copy(chunk.contents, of: file, to: start)
                position = start + Int64(chunk.contents.count)
            case .new(let type, let contents):
                try output.write(
                    grammar.header(type, contentsBytes: Int64(contents.count)) + contents, at: position)
                position = start + Int64(contents.count)
            }
            let next = grammar.aligned(position)
            // QUIRK: at the end of a Wave64 file, libsndfile 1.2 takes padding for samples.
            if piece.type == grammar.sound, !grammar.canFollowSound { break }
            try output.write([UInt8](repeating: 0, count: Int(next - position)), at: position)
            position = next
        }
        guard let outerLength = try outerLength(upTo: position, in: map) else { return }
        // The bytes before the first chunk's contents keep their offset.
        try output.write(outerLength.bytes, at: outerLength.offset)
    }
}
