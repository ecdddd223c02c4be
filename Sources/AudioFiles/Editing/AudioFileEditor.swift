public import CoreAudioTypes

/// A file that is there, of which the parts beside the sound are changed: WAVE, RF64, AIFF, AIFF-C, CAF, Wave64.
///
/// The sound is never moved and never written over. What is new goes behind all there is, and only then are the
/// fields changed that count it, each by one write; what is old becomes filler, which readers pass over. So a
/// process that is killed leaves the sound whole, and so does a full disk, after which all is as before. Of Wave64 alone
/// the file is written anew beside the old one, since nothing may follow the sound there.
///
/// Used by one thread at a time, and by nobody who writes the file otherwise.
public final class AudioFileEditor {
    /// The path as given, for messages.
    public let path: FilePath

    private(set) var file: EditableFile
    /// What no change may change.
    let sound: EditedSound

    /// Opens a file to change it.
    ///
    /// - Throws: `unsupported` for what is no regular file made of chunks, `damaged` for a file that does not hold
    ///   what it promises, or whose header was never finished; what opening throws.
    public static func open(path: String) throws(AudioFileError) -> AudioFileEditor {
        try open(path: FilePath(path))
    }

    /// Opens an existing file by a path of any bytes.
    ///
    /// Errors are those of the function that takes a string.
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

    /// How many chunks of a type the file has.
    ///
    /// - Throws: As ``open(path:)``, if others have changed the file.
    ///
    /// The corresponding C function is `AudioFileCountUserData`.
    public func countChunks(_ type: FourCharacterCode) throws(AudioFileError) -> Int {
        try named { () throws(AudioFileError) in try ChunkMap(file).chunks(type.rawValue).count }
    }

    /// Puts contents into a chunk, or adds one.
    ///
    /// Contents of the same size, and smaller ones that leave room for a filler, go where the old ones were. Others
    /// go to the end of the file, and with them the chunks of this type that come after, so that all keep their
    /// numbers.
    ///
    /// - Parameters:
    ///   - type: The chunk's type, of four printable characters.
    ///   - index: Which of the chunks of this type; their number to add one.
    ///   - contents: Without the chunk's header.
    /// - Throws: `unsupported` for a chunk that tells how the sound is stored or fills a gap, a type that cannot be
    ///   written, a number past the last, and contents that would make the file unreadable; `containerFull` if its
    ///   fields cannot count so much; what writing throws. The file is as it was before.
    ///
    /// The corresponding C function is `AudioFileSetUserData`.
    public func setChunk(
        _ type: FourCharacterCode, index: Int, contents: [UInt8]
    ) throws(AudioFileError) {
        try named { () throws(AudioFileError) in try put(type, index, contents) }
    }

    /// Removes a chunk. Those of its type that come after have the next lower number from then on.
    ///
    /// - Throws: As ``setChunk(_:index:contents:)``.
    ///
    /// The corresponding C function is `AudioFileRemoveUserData`.
    public func removeChunk(_ type: FourCharacterCode, index: Int) throws(AudioFileError) {
        try named { () throws(AudioFileError) in try take(type, index) }
    }

    /// Whether a file of this kind may have a chunk of a type set; false for those that tell how the sound is stored.
    public func canSetChunk(_ type: FourCharacterCode) -> Bool {
        guard let map = try? ChunkMap(file) else { return false }
        return type.isPrintable && !map.grammar.isOwned(type.rawValue)
    }

    /// Does what ``setChunk(_:index:contents:)`` does.
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
            if let place = map.chunks.firstIndex(where: {
                isNew ? $0.type == map.grammar.sound : $0 == chunks[index]
            }) {
                pieces.replaceSubrange(
                    place..<(isNew ? place : place + 1), with: [.new(type.rawValue, contents)])
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

    /// Does what ``removeChunk(_:index:)`` does.
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
            throw AudioFileError(.unsupported, "chunk \(type) tells how the sound is stored, or fills a gap")
        }
        return map.chunks(type.rawValue)
    }

    private static func missing(_ type: FourCharacterCode, _ index: Int, of count: Int) -> AudioFileError {
        AudioFileError(.unsupported, "it has \(count) chunks \(type), and none of number \(index)")
    }

    /// Opens the file anew, after another was put in its place.
    func reopen() throws(AudioFileError) { file = try EditableFile(path: path) }

    func named<Result>(_ body: () throws(AudioFileError) -> Result) throws(AudioFileError) -> Result {
        do throws(AudioFileError) { return try body() } catch { throw Self.named(error, path) }
    }

    private static func named(_ error: AudioFileError, _ path: FilePath) -> AudioFileError {
        AudioFileError(
            error.code, "cannot change '\(path)': \(error.message)")
    }
}
