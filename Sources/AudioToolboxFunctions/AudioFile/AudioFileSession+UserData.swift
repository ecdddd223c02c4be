import AudioFiles
import CAudioToolbox
import CoreAudioTypes

/// Changes a file's chunks.
extension AudioFileSession {
    /// Sets the contents of a chunk, or adds one.
    ///
    /// - Throws: The result of `AudioFileSetUserData`.
    func setUserData(_ type: UInt32, index: Int, contents: [UInt8]) throws(StatusError) {
        try checkCanChange()
        if let output {
            try output.setChunk(
                type, index: index, contents: contents, stored: try storedChunks(type).count)
            return
        }
        try edit(type) { (editor, code) throws(AudioFileError) in
            try editor.setChunk(code, index: index, contents: contents)
        } isThere: {
            index <= $0
        }
    }

    /// Removes a chunk.
    ///
    /// - Throws: The result of `AudioFileRemoveUserData`.
    func removeUserData(_ type: UInt32, index: Int) throws(StatusError) {
        try checkCanChange()
        if let output {
            try output.removeChunk(type, index: index, stored: try storedChunks(type).count)
            return
        }
        try edit(type) { (editor, code) throws(AudioFileError) in
            try editor.removeChunk(code, index: index)
        } isThere: {
            index < $0
        }
    }

    /// Moves the sound of a file that was there to its end.
    ///
    /// - Throws: `kAudioFileOperationNotSupportedError` for a kind of file that is not made of chunks, and for one
    ///   that a client keeps.
    func moveSoundToEnd() throws(StatusError) {
        try changeFile { (editor) throws(AudioFileError) in try editor.optimize() }
    }

    /// Changes the file that is written, or one that was there.
    func change(
        _ body: (AudioFileOutput) throws(StatusError) -> Void,
        edit: (AudioFileEditor) throws(AudioFileError) -> Void
    ) throws(StatusError) {
        guard isWritable else { throw StatusError(kAudioFilePermissionsError) }
        if let output { return try body(output) }
        try checkCanChange()
        try changeFile(edit)
    }

    private func checkCanChange() throws(StatusError) {
        guard isWritable else { throw StatusError(kAudioFilePermissionsError) }
        // To look into a pipe would take its bytes away.
        guard storedBytes != nil else { throw StatusError(kAudioFileOperationNotSupportedError) }
    }

    private func edit(
        _ type: UInt32,
        _ body: (AudioFileEditor, FourCharacterCode) throws(AudioFileError) -> Void,
        isThere: (Int) -> Bool
    ) throws(StatusError) {
        let code = FourCharacterCode(rawValue: type)
        var isMissing = !code.isPrintable
        try changeFile { (editor) throws(AudioFileError) in
            if !isMissing, editor.canSetChunk(code) { isMissing = !isThere(try editor.countChunks(code)) }
            if !isMissing { try body(editor, code) }
        }
        if isMissing { throw StatusError(kAudioFileInvalidChunkError) }
    }

    private func changeFile(
        _ body: (AudioFileEditor) throws(AudioFileError) -> Void
    ) throws(StatusError) {
        edits += 1
        // Another file may have the name now.
        defer { storedBytes = FileBytes.open(path: path) }
        do throws(AudioFileError) {
            try body(AudioFileEditor.open(path: path))
        } catch {
            // It is not the format of the sound that is not supported.
            throw error.code == .unsupported
                ? StatusError(kAudioFileOperationNotSupportedError) : StatusError(error)
        }
    }
}
