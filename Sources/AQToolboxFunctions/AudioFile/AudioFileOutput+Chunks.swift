// SPDX-License-Identifier: MIT

import AQFiles
import CAQAudioToolbox
import CoreAudioTypes

/// The client's chunks in a file that is being written.
///
/// Before the first packet chunks are written at once, in front of the audio, where stream parsers find them.
/// Later chunks, and chunks that are too large there, are written when the audio is complete.
extension AudioFileOutput {
    /// Sets the contents of a chunk, or adds one.
    ///
    /// - Parameter stored: The number of chunks of the type in the file.
    /// - Throws: The result of `AudioFileSetUserData`.
    func setChunk(
        _ type: UInt32, index: Int, contents: [UInt8], stored: Int
    ) throws(StatusError) {
        try check(type)
        if let position = leadingIndex(type, index: index, stored: stored) {
            var leading = settings.chunks
            let chunk = AudioFileChunkContents(type: FourCharacterCode(rawValue: type), contents: contents)
            if position < leading.count { leading[position] = chunk } else { leading.append(chunk) }
            if try lead(with: leading) { return }
        }
        try late.set(type, index: index, contents: contents, stored: stored)
    }

    /// Removes a chunk.
    ///
    /// - Throws: The result of `AudioFileRemoveUserData`.
    func removeChunk(_ type: UInt32, index: Int, stored: Int) throws(StatusError) {
        try check(type)
        if index < stored, let position = leadingIndex(type, index: index, stored: stored) {
            var leading = settings.chunks
            leading.remove(at: position)
            if try lead(with: leading) { return }
        }
        try late.remove(type, index: index, stored: stored)
    }

    /// The index of an existing or new chunk among those in front of the audio; nil if these cannot be changed.
    private func leadingIndex(_ type: UInt32, index: Int, stored: Int) -> Int? {
        guard packets == 0, late.entries(of: type) == nil, index <= stored else { return nil }
        let own = settings.chunks.indices.filter { settings.chunks[$0].type.rawValue == type }
        // The engine's own chunks come first.
        let number = index - (stored - own.count)
        guard number >= 0 else { return nil }
        return number < own.count ? own[number] : settings.chunks.count
    }

    /// Puts chunks in front of the audio.
    ///
    /// - Returns: False if there is no room for the chunks, or if the file could not be read with them.
    private func lead(with chunks: [AudioFileChunkContents]) throws(StatusError) -> Bool {
        do throws(AudioFileError) {
            try setLeadingChunks(chunks)
        } catch {
            guard error.code == .unsupported else { throw StatusError(error) }
            return false
        }
        // Contents that make a reader fail would cost the client all of its audio.
        // QUIRK: libsndfile 1.2 finds no audio in RF64 after an unknown chunk of an odd size.
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
