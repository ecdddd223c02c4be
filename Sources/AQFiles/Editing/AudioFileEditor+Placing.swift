// SPDX-License-Identifier: MIT

/// Changes whose order of writes leaves the file valid after each step.
extension AudioFileEditor {
    /// Overwrites the contents of a chunk, if the new contents have the same size or leave enough room for a filler.
    ///
    /// - Returns: False if the contents do not fit.
    func replace(
        _ chunk: ChunkMap.Chunk, by contents: [UInt8], in map: ChunkMap
    ) throws(AudioFileError) -> Bool {
        let grammar = map.grammar
        let start = chunk.contents.lowerBound
        let end = grammar.aligned(start + Int64(contents.count))
        let left = grammar.aligned(chunk.contents.upperBound) - end
        guard left == 0 || left >= grammar.headerBytes else { return false }
        // The filler is not visible so far, because the chunk still covers it.
        if left > 0 {
            try file.write(
                grammar.header(grammar.filler, contentsBytes: left - grammar.headerBytes), at: end)
        }
        try file.write(Self.padded(contents, to: end - start), at: start)
        if chunk.contents.count != contents.count {
            try file.write(
                grammar.lengthField(contentsBytes: Int64(contents.count)),
                at: chunk.offset + grammar.typeBytes)
        }
        return true
    }

    /// Writes a chunk at the end, then copies of the `moved` chunks, then turns the `retired` chunks into fillers.
    func append(
        _ type: UInt32, _ contents: [UInt8], moving moved: [ChunkMap.Chunk],
        retiring retired: [ChunkMap.Chunk], in map: ChunkMap
    ) throws(AudioFileError) {
        let grammar = map.grammar
        guard map.chunks.count + 1 + moved.count <= FormatLimits.mostChunks else {
            throw AudioFileError(
                .containerFull, "it has \(map.chunks.count) chunks, and readers stop there")
        }
        let sizes = [Int64(contents.count)] + moved.map { Int64($0.contents.count) }
        let end = sizes.reduce(map.end) { grammar.aligned($0 + grammar.headerBytes + $1) }
        // Checked before anything is written.
        let outerLength = try outerLength(upTo: end, in: map)
        if map.isSoundOpen { try closeSound(in: map) }
        try pad(to: map.end)
        var position = map.end
        for (index, byteCount) in sizes.enumerated() {
            // The contents come first, so that no chunk promises more than is present.
            let start = position + grammar.headerBytes
            if index == 0 {
                try file.write(contents, at: start)
            } else {
                try file.copy(moved[index - 1].contents, of: file, to: start)
            }
            try file.write(grammar.header(type, contentsBytes: byteCount), at: position)
            position = grammar.aligned(start + byteCount)
            try pad(to: position)
        }
        if let outerLength { try file.write(outerLength.bytes, at: outerLength.offset) }
        for chunk in retired { try file.write(grammar.typeField(grammar.filler), at: chunk.offset) }
    }

    /// Turns a chunk into a filler, or truncates it at the end of the file.
    func remove(_ chunk: ChunkMap.Chunk, in map: ChunkMap) throws(AudioFileError) {
        let grammar = map.grammar
        var newEnd = grammar.aligned(chunk.contents.upperBound) == map.end ? chunk.offset : map.end
        if newEnd < map.end {
            for other in map.chunks.reversed() where other.offset < newEnd {
                guard grammar.isFiller(other.type) else { break }
                newEnd = other.offset
            }
        }
        let outerLength = try newEnd < map.end ? outerLength(upTo: newEnd, in: map) : nil
        try file.change { () throws(AudioFileError) in
            try file.write(grammar.typeField(grammar.filler), at: chunk.offset)
            if let outerLength { try file.write(outerLength.bytes, at: outerLength.offset) }
            if newEnd < map.end { try file.truncate(to: newEnd) }
        }
    }

    /// Makes the field for a new length of the whole file; nil for a container without such a field.
    ///
    /// - Throws: `containerFull` if the field cannot hold the length.
    func outerLength(
        upTo end: Int64, in map: ChunkMap
    ) throws(AudioFileError) -> (bytes: [UInt8], offset: Int64)? {
        var field = HeaderBytes()
        switch map.grammar {
        case .caf: return nil
        case .wave64:
            field.append(little: end)
            return (field.bytes, 16)
        case .riff where map.isLarge:
            guard let sizes = map.chunks.first, sizes.type == ChunkGrammar.code("ds64") else {
                throw AudioFileError(.damaged, "it does not begin with its lengths")
            }
            field.append(little: end - 8)
            return (field.bytes, sizes.contents.lowerBound)
        case .riff, .aiff:
            guard end - 8 < Int64(UInt32.max) else {
                throw AudioFileError(.containerFull, "a file of this type cannot exceed 4 GiB")
            }
            return (map.grammar.lengthField(contentsBytes: end - 8), 4)
        }
    }

    /// Sets the open length of the audio, so that chunks can follow.
    private func closeSound(in map: ChunkMap) throws(AudioFileError) {
        guard let sound = map.chunks(map.grammar.sound).first else { return }
        try file.write(
            map.grammar.lengthField(contentsBytes: Int64(sound.contents.count)),
            at: sound.offset + map.grammar.typeBytes)
    }

    private func pad(to end: Int64) throws(AudioFileError) {
        guard file.byteCount < end else { return }
        try file.write([UInt8](repeating: 0, count: Int(end - file.byteCount)), at: file.byteCount)
    }

    private static func padded(_ contents: [UInt8], to byteCount: Int64) -> [UInt8] {
        contents + [UInt8](repeating: 0, count: Int(byteCount) - contents.count)
    }
}
