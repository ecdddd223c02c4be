// SPDX-License-Identifier: MIT

public import CoreAudioTypes

/// An existing file whose metadata and chunks can be changed: WAVE, RF64, AIFF, AIFF-C, CAF, Wave64.
///
/// The audio is never moved or overwritten. New data is written at the end; then the fields that count it are changed,
/// each by one write. Old data becomes a filler, which readers skip. Therefore the audio remains intact if the process
/// is killed or the disk is full; if the disk is full, the whole file is unchanged. Only ``optimize()``, and every
/// change of a Wave64 file, whose audio no chunk may follow, write a new file under another name, which then replaces
/// the old file.
///
/// Used by one thread at a time. Other programs must not write the file at the same time.
public final class AudioFileEditor {
    /// The path as given, for messages.
    public let path: FilePath

    private(set) var file: EditableFile
    /// The properties of the audio that no change may affect.
    let sound: EditedSound

    /// Opens a file for changes.
    ///
    /// - Throws: `unsupported` for anything except a regular file made of chunks, `damaged` if its lengths do not match
    ///   its contents or its header was never finished; the errors of opening.
    public static func open(path: String) throws(AudioFileError) -> AudioFileEditor {
        try open(path: FilePath(path))
    }

    /// Opens an existing file for changes, by a path of any bytes.
    ///
    /// The errors are those of the function with a string path.
    public static func open(path: FilePath) throws(AudioFileError) -> AudioFileEditor {
        do throws(AudioFileError) {
            let file = try EditableFile(path: path)
            _ = try ChunkMap(file)
            return AudioFileEditor(path: path, file: file, sound: try EditedSound(path: path))
        } catch { throw named(error, path) }
    }

    private init(path: FilePath, file: EditableFile, sound: EditedSound) {
        self.path = path
        self.file = file
        self.sound = sound
    }

    /// Counts the chunks of a type.
    ///
    /// - Throws: The errors of ``open(path:)``, if another program has changed the file.
    ///
    /// The corresponding C function is `AudioFileCountUserData`.
    public func countChunks(_ type: FourCharacterCode) throws(AudioFileError) -> Int {
        try named { () throws(AudioFileError) in try ChunkMap(file).chunks(type.rawValue).count }
    }

    /// Sets the contents of a chunk, or adds a chunk.
    ///
    /// Contents of the same size, and smaller ones that leave room for a filler, replace the old contents in place. All
    /// other contents are written at the end of the file, together with the later chunks of this type, so that all
    /// chunks keep their numbers.
    ///
    /// - Parameters:
    ///   - type: The chunk's type, of four printable characters.
    ///   - index: The number of the chunk among those of this type; the number of these chunks, to add a chunk.
    ///   - contents: The contents without the chunk's header.
    /// - Throws: `unsupported` for a chunk that describes how the audio is stored or is a filler, a type that cannot be
    ///   written, a number past the last, and contents that would make the file unreadable; `containerFull` if the
    ///   file's fields cannot hold its new length, or it would have more than 4096 chunks; otherwise an error of
    ///   writing, such as `diskFull`. The file is then unchanged.
    ///
    /// The corresponding C function is `AudioFileSetUserData`.
    public func setChunk(
        _ type: FourCharacterCode, index: Int, contents: [UInt8]
    ) throws(AudioFileError) {
        try named { () throws(AudioFileError) in try put(type, index, contents) }
    }

    /// Removes a chunk. The numbers of later chunks of its type decrease by one.
    ///
    /// - Throws: The errors of ``setChunk(_:index:contents:)``.
    ///
    /// The corresponding C function is `AudioFileRemoveUserData`.
    public func removeChunk(_ type: FourCharacterCode, index: Int) throws(AudioFileError) {
        try named { () throws(AudioFileError) in try take(type, index) }
    }

    /// Returns whether a chunk type can be set in this file; false for chunks that describe how the audio is stored,
    /// for fillers and types that are not printable, and if the file cannot be read.
    public func canSetChunk(_ type: FourCharacterCode) -> Bool {
        guard let map = try? ChunkMap(file) else { return false }
        return type.isPrintable && !map.grammar.isOwned(type.rawValue)
    }

    /// Implements ``setChunk(_:index:contents:)``.
    func put(
        _ type: FourCharacterCode, _ index: Int, _ contents: [UInt8]
    ) throws(AudioFileError) {
        let map = try ChunkMap(file)
        let chunks = try editable(type, in: map)
        guard 0...chunks.count ~= index else { throw Self.missing(type, index, of: chunks.count) }
        guard Int64(contents.count) <= map.grammar.mostContentsBytes else {
            throw AudioFileError(.containerFull, "\(contents.count) bytes are too many for a chunk")
        }
        let isNew = index == chunks.count
        guard map.grammar.canFollowSound else {
            var pieces = map.chunks.map { Piece.stored($0) }
            if let position = map.chunks.firstIndex(where: {
                isNew ? $0.type == map.grammar.sound : $0 == chunks[index]
            }) {
                pieces.replaceSubrange(
                    position..<(isNew ? position : position + 1), with: [.new(type.rawValue, contents)])
            }
            return try rewrite(pieces, in: map)
        }
        let sound = map.chunks(map.grammar.sound).first
        let mayStay =
            !isNew
            && (sound.map { $0.offset < chunks[index].offset } ?? false
                || map.grammar.canLead(contentsBytes: contents.count, isRF64: map.isLarge))
        try file.change { () throws(AudioFileError) in
            if try mayStay ? !replace(chunks[index], by: contents, in: map) : true {
                try append(
                    type.rawValue, contents, moving: Array(chunks.dropFirst(index + 1)),
                    retiring: Array(chunks.dropFirst(index)), in: map)
            }
            try self.sound.check(path: path)
        }
    }

    /// Implements ``removeChunk(_:index:)``.
    func take(_ type: FourCharacterCode, _ index: Int) throws(AudioFileError) {
        let map = try ChunkMap(file)
        let chunks = try editable(type, in: map)
        guard chunks.indices ~= index else { throw Self.missing(type, index, of: chunks.count) }
        guard map.grammar.canFollowSound else {
            let kept = map.chunks.filter { $0 != chunks[index] }
            return try rewrite(kept.map { .stored($0) }, in: map)
        }
        try remove(chunks[index], in: map)
    }

    private func editable(
        _ type: FourCharacterCode, in map: ChunkMap
    ) throws(AudioFileError) -> [ChunkMap.Chunk] {
        guard type.isPrintable else {
            throw AudioFileError(.unsupported, "a type of characters that are not printable")
        }
        guard !map.grammar.isOwned(type.rawValue) else {
            throw AudioFileError(.unsupported, "chunk \(type) describes the audio, or fills a gap")
        }
        return map.chunks(type.rawValue)
    }

    private static func missing(_ type: FourCharacterCode, _ index: Int, of count: Int) -> AudioFileError {
        AudioFileError(.unsupported, "it has \(count) chunks \(type), but no number \(index)")
    }

    /// Opens the file again, after it was replaced.
    func reopen() throws(AudioFileError) { file = try EditableFile(path: path) }

    func named<Result>(_ body: () throws(AudioFileError) -> Result) throws(AudioFileError) -> Result {
        do throws(AudioFileError) { return try body() } catch { throw Self.named(error, path) }
    }

    private static func named(_ error: AudioFileError, _ path: FilePath) -> AudioFileError {
        AudioFileError(
            error.code, "cannot change '\(path)': \(error.message)")
    }
}
