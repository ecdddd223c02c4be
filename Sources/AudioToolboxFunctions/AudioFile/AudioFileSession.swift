import AudioDevices
import AudioFiles
import CAudioToolbox

/// The files that are open, by the handles that clients hold.
let audioFiles = HandleTable<AudioFileSession>()

/// What an `AudioFileID` stands for: a file that is read, or one that was created and is written.
///
/// The engine reads and writes by two objects. A file that was created is read through a second one, opened when
/// it is first needed and again after more was written; that is possible since the engine leaves a whole file at
/// every append. Of MPEG-4 that file lacks the last packets, of less than a second, until it is closed.
///
/// Any thread may call; calls for one file wait for each other.
final class AudioFileSession: @unchecked Sendable {
    // SAFETY: whatever changes, the engine's objects included, is touched only inside `answer`, under the lock,
    // or by the one thread that made the session and has not put it into the table yet.

    /// Of the file, or of the unnamed one that stands for what a client keeps.
    let path: FilePath
    /// The kind of file that the client took it for; 0 for any.
    let typeHint: AudioFileTypeID
    /// Whether it was opened with the permission to write.
    let isWritable: Bool
    /// What is written; nil for a file that was there.
    let output: AudioFileOutput?
    /// The file's bytes; nil for a pipe.
    var storedBytes: FileBytes?
    /// Whose file it is in truth; nil for one in the file system.
    let client: ClientFile?
    /// 1 as long as nobody has set it; sizes are brought up to date at every append, whatever it says.
    var defersSizeUpdates: UInt32 = 1
    /// Counts the changes to a file that was there, so that a reader can tell that it is behind.
    var edits = 0
    /// Bytes of the largest packet, once the file was looked through for it.
    var largestPacketBytes: Int?

    private let lock = Monitor(())
    private var reading: (file: AudioFile, changes: Int)?

    /// Opens a file that is there.
    ///
    /// - Parameters:
    ///   - isWritable: True if the client asked to write too.
    ///   - typeHint: The kind of file that the client takes it for; 0 for any.
    ///   - client: Whose procedures the file came through.
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

    /// Takes over a file that was created.
    init(writing output: AudioFileOutput, client: ClientFile? = nil) {
        path = output.path
        typeHint = output.fileType
        isWritable = true
        self.client = client
        self.output = output
        storedBytes = FileBytes.open(path: output.path)
    }

    /// The file for reading, with all that was written to it.
    func reader() throws(StatusError) -> AudioFile {
        let changes = output?.changes ?? edits
        if let reading, reading.changes == changes { return reading.file }
        do throws(AudioFileError) {
            let file = try AudioFile.open(path: path)
            reading = (file, changes)
            return file
        } catch { throw StatusError(error.openingStatus) }
    }

    /// What is written.
    ///
    /// - Throws: `kAudioFilePermissionsError` for a file that was opened for reading,
    ///   `kAudioFileOperationNotSupportedError` for one that was there: the engine writes only what it created.
    func writableOutput() throws(StatusError) -> AudioFileOutput {
        guard isWritable else { throw StatusError(kAudioFilePermissionsError) }
        guard let output else { throw StatusError(kAudioFileOperationNotSupportedError) }
        return output
    }

    /// Completes the file, and hands it to its client.
    func close() throws(StatusError) {
        reading = nil
        var fault: StatusError?
        // A file that could not be completed is still whole as far as it goes; its client gets that much.
        do throws(StatusError) { try output?.close() } catch { fault = error }
        try handToClient()
        if let fault { throw fault }
    }

    /// Writes what was created, or changed, to its client.
    func handToClient() throws(StatusError) {
        guard let client, output != nil || edits > 0, let storedBytes else { return }
        try client.replaceContents(with: storedBytes)
    }
}

extension AudioFileSession {
    /// Does what a C function does with an open file, and gives its result.
    ///
    /// - Returns: `kAudio_ParamError` for NULL, `kAudioFileNotOpenError` for what is no open file.
    static func answer(
        _ file: AudioFileID?, _ body: (AudioFileSession) throws(StatusError) -> Void
    ) -> OSStatus {
        guard let file = unsafe file else { return kAudio_ParamError }
        guard let session = unsafe audioFiles[file] else { return kAudioFileNotOpenError }
        return session.answer(body)
    }

    /// Memory that a client gave, which is none where the pointer is NULL, whatever the number says.
    @unsafe static func bytes(_ start: UnsafeRawPointer?, _ count: UInt32) -> UnsafeRawBufferPointer {
        unsafe UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : Int(count))
    }

    /// Does what a C function does, alone with the file.
    func answer(_ body: (AudioFileSession) throws(StatusError) -> Void) -> OSStatus {
        do throws(StatusError) {
            try lock.withLock { (_: inout Void) throws(StatusError) in try body(self) }
            return noErr
        } catch { return error.status }
    }
}
