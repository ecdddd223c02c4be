// SPDX-License-Identifier: MIT

import AQFiles
import CAQAudioToolbox
import CoreAudioTypes

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

    /// Moves the audio of an existing file to its end.
    ///
    /// - Throws: `kAudioFileOperationNotSupportedError` for a file type that does not consist of chunks, and
    ///   for a client's own file.
    func moveSoundToEnd() throws(StatusError) {
        try changeFile { (editor) throws(AudioFileError) in try editor.optimize() }
    }

    /// Sets tags, markers or regions in a created or an existing file.
    func setMetadata(_ metadata: FileMetadata) throws(StatusError) {
        guard isWritable else { throw StatusError(kAudioFilePermissionsError) }
        if let output { return try output.setMetadata(metadata) }
        try checkCanChange()
        try changeFile { (editor) throws(AudioFileError) in try metadata.apply(to: editor) }
    }

    private func checkCanChange() throws(StatusError) {
        guard isWritable else { throw StatusError(kAudioFilePermissionsError) }
        // Refused for a pipe, because reading it would consume its bytes.
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
        // The editor may have replaced the file of this name.
        defer { storedBytes = FileBytes.open(path: path) }
        // An unsupported change is not an unsupported audio format.
        try StatusError.translating(unsupported: kAudioFileOperationNotSupportedError) {
            () throws(AudioFileError) in
            try body(AudioFileEditor.open(path: path))
        }
    }
}
