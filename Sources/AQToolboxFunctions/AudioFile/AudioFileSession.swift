// SPDX-License-Identifier: MIT

import AQDevices
import AQFiles
import CAQAudioToolbox

let audioFiles = HandleTable<AudioFileSession>()

/// The object of an `AudioFileID`: a file that is read, or one that was created and is written.
///
/// The engine has separate objects for reading and writing. A created file is read through a second object,
/// opened on first use and again after further writes. This works because the engine leaves a whole file
/// after every append. An MPEG-4 file lacks its last packets, of less than a second, until it is closed.
///
/// May be used from any thread; calls for one file wait for each other.
final class AudioFileSession: @unchecked Sendable {
    // SAFETY: all variable state, including the engine's objects, is accessed only inside `answer`, under the lock, or
    // by the thread that makes the session, before the session is in the table.

    /// The path of the file, or of the unnamed file that replaces a client's own.
    let path: FilePath
    /// The client's hint of the file type; 0 for any.
    let typeHint: AudioFileTypeID
    /// Whether the file was opened with the permission to write.
    let isWritable: Bool
    /// The output; nil for an existing file.
    let output: AudioFileOutput?
    /// The file's bytes; nil for a pipe.
    var storedBytes: FileBytes?
    /// The client that provides the file; nil for a file in the file system.
    let client: ClientFile?
    /// The value of the property for deferred size updates. It has no effect: sizes are updated at every append.
    var defersSizeUpdates: UInt32 = 1
    /// The number of changes to an existing file, so that an outdated reader can be detected.
    var edits = 0
    /// The size of the largest packet in bytes; nil before the file was searched for it.
    var largestPacketBytes: Int?

    private let lock = Monitor(())
    private var reading: (file: AudioFile, changes: Int)?

    /// Opens an existing file.
    ///
    /// - Parameters:
    ///   - isWritable: True if the client requested to write too.
    ///   - typeHint: The file type that the client expects; 0 for any.
    ///   - client: The client whose procedures provided the file.
    /// - Throws: The result of the opening function.
    init(
        reading path: FilePath, isWritable: Bool, typeHint: AudioFileTypeID, client: ClientFile? = nil
    ) throws(StatusError) {
        self.path = path
        self.typeHint = typeHint
        self.isWritable = isWritable
        self.client = client
        output = nil
        do throws(AudioFileError) {
            reading = (try AudioFile.open(path: path), 0)
        } catch { throw StatusError(error.openingStatus) }
        storedBytes = FileBytes.open(path: path)
    }

    /// Wraps a file that was created.
    init(writing output: AudioFileOutput, client: ClientFile? = nil) {
        path = output.path
        typeHint = output.fileType
        isWritable = true
        self.client = client
        self.output = output
        storedBytes = FileBytes.open(path: output.path)
    }

    /// The file for reading, with all data written to it.
    func reader() throws(StatusError) -> AudioFile {
        let changes = output?.changes ?? edits
        if let reading, reading.changes == changes { return reading.file }
        do throws(AudioFileError) {
            let file = try AudioFile.open(path: path)
            reading = (file, changes)
            return file
        } catch { throw StatusError(error.openingStatus) }
    }

    /// The output, for functions that write.
    ///
    /// - Throws: `kAudioFilePermissionsError` for a file that was opened for reading,
    ///   `kAudioFileOperationNotSupportedError` for an existing file: the engine appends only to files that it
    ///   created.
    func writableOutput() throws(StatusError) -> AudioFileOutput {
        guard isWritable else { throw StatusError(kAudioFilePermissionsError) }
        guard let output else { throw StatusError(kAudioFileOperationNotSupportedError) }
        return output
    }

    /// Completes the file, and writes it to the client that provides it.
    func close() throws(StatusError) {
        reading = nil
        var fault: StatusError?
        // A file that could not be completed is still valid up to that point, and is written to its client.
        do throws(StatusError) { try output?.close() } catch { fault = error }
        try handToClient()
        if let fault { throw fault }
    }

    /// Writes a created or changed file to its client.
    func handToClient() throws(StatusError) {
        guard let client, output != nil || edits > 0, let storedBytes else { return }
        try client.replaceContents(with: storedBytes)
    }
}

extension AudioFileSession {
    /// Performs a C function on an open file, and returns its result.
    ///
    /// - Returns: `kAudio_ParamError` for NULL, `kAudioFileNotOpenError` for a reference that is not an open
    ///   file.
    static func answer(
        _ file: AudioFileID?, _ body: (AudioFileSession) throws(StatusError) -> Void
    ) -> OSStatus {
        guard let file = unsafe file else { return kAudio_ParamError }
        guard let session = unsafe audioFiles[file] else { return kAudioFileNotOpenError }
        return session.answer(body)
    }

    /// A client's memory; empty for a null pointer, whatever the count.
    @unsafe static func bytes(_ start: UnsafeRawPointer?, _ count: UInt32) -> UnsafeRawBufferPointer {
        unsafe UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : Int(count))
    }

    /// Performs a C function with exclusive access to the file.
    func answer(_ body: (AudioFileSession) throws(StatusError) -> Void) -> OSStatus {
        StatusError.result { () throws(StatusError) in
            try lock.withLock { (_: inout Void) throws(StatusError) in try body(self) }
        }
    }
}
