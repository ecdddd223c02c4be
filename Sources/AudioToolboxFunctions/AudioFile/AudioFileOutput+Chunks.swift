import AudioFiles
import CAudioToolbox
import CoreAudioTypes

/// Chunks of the client's in a file that is being written.
///
/// Before the first packet they go into the file at once, ahead of the sound, where readers of streams find them.
/// Later ones, and those that are too large there, wait for the sound to be complete.
extension AudioFileOutput {
    /// Sets the contents of a chunk, or adds one.
    ///
    /// - Parameter stored: Chunks of the type that the file has now.
    /// - Throws: The result of `AudioFileSetUserData`.
    func setChunk(
        _ type: UInt32, index: Int, contents: [UInt8], stored: Int
    ) throws(StatusError) {
        try check(type)
        if let place = leadingPlace(type, index: index, stored: stored) {
            var leading = settings.chunks
            let chunk = AudioFileChunkContents(type: FourCharacterCode(rawValue: type), contents: contents)
            if place < leading.count { leading[place] = chunk } else { leading.append(chunk) }
            if try lead(with: leading) { return }
        }
        try late.set(type, index: index, contents: contents, stored: stored)
    }

    /// Removes a chunk.
    ///
    /// - Throws: The result of `AudioFileRemoveUserData`.
    func removeChunk(_ type: UInt32, index: Int, stored: Int) throws(StatusError) {
        try check(type)
        if index < stored, let place = leadingPlace(type, index: index, stored: stored) {
            var leading = settings.chunks
            leading.remove(at: place)
            if try lead(with: leading) { return }
        }
        try late.remove(type, index: index, stored: stored)
    }

    /// Where among the chunks ahead of the sound one is, or would be added; nil if that cannot be changed.
    private func leadingPlace(_ type: UInt32, index: Int, stored: Int) -> Int? {
        guard packets == 0, late.entries(of: type) == nil, index <= stored else { return nil }
        let own = settings.chunks.indices.filter { settings.chunks[$0].type.rawValue == type }
        // What the engine wrote of its own comes first.
        let number = index - (stored - own.count)
        guard number >= 0 else { return nil }
        return number < own.count ? own[number] : settings.chunks.count
    }

    /// Has chunks stand ahead of the sound.
    ///
    /// - Returns: False if they have no room there, or the file could not be read with them.
    private func lead(with chunks: [AudioFileChunkContents]) throws(StatusError) -> Bool {
        do throws(AudioFileError) {
            try setLeadingChunks(chunks)
        } catch {
            guard error.code == .unsupported else { throw StatusError(error) }
            return false
        }
        // Contents that a reader trips over would cost the client all of its sound.
        // QUIRK: libsndfile 1.2 finds no sound in RF64 behind a chunk of an odd size that it does not know.
        guard (try? AudioFile.open(path: path)) != nil else {
            do throws(AudioFileError) {
                try setLeadingChunks(settings.chunks)
            } catch { throw StatusError(error) }
            return false
        }
        settings.chunks = chunks
        return true
    }

    private func check(_ type: UInt32) throws(StatusError) {
        let code = FourCharacterCode(rawValue: type)
        guard code.isPrintable else { throw StatusError(kAudioFileInvalidChunkError) }
        guard engineType.canHaveChunk(code) else {
            throw StatusError(kAudioFileOperationNotSupportedError)
        }
    }
}
