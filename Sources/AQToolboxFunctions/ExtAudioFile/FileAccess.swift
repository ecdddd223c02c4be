// SPDX-License-Identifier: MIT

import AQFiles
import CAQAudioToolbox
import CoreAudioTypes

/// The audio file under an extended one, by its handle: the owner may have closed the file.
@safe struct FileAccess {
    // SAFETY: a key of a table; nothing is read from the address.
    let handle: AudioFileID

    /// Calls `body` with the object that reads the file.
    ///
    /// - Throws: The result of Audio File Services.
    func read<Result>(
        _ body: (AudioFile) throws(AudioFileError) -> Result
    ) throws(StatusError) -> Result {
        try session { (session) throws(StatusError) -> Result in
            let file = try session.reader()
            return try StatusError.translating { () throws(AudioFileError) in try body(file) }
        }
    }

    /// Calls `body` with the object that writes the file.
    ///
    /// - Throws: As ``read(_:)``; `kAudioFilePermissionsError`, `kAudioFileOperationNotSupportedError` for a
    ///   file that is not written.
    func write<Result>(
        _ body: (AudioFileOutput) throws(StatusError) -> Result
    ) throws(StatusError) -> Result {
        try session { (session) throws(StatusError) -> Result in try body(session.writableOutput()) }
    }

    private func session<Result>(
        _ body: (AudioFileSession) throws(StatusError) -> Result
    ) throws(StatusError) -> Result {
        var result: Result?
        let status = unsafe AudioFileSession.answer(handle) { (session) throws(StatusError) in
            result = try body(session)
        }
        try StatusError.check(status)
        guard let result else { throw StatusError(kAudioFileUnspecifiedError) }
        return result
    }
}
