import AudioFiles
public import CAudioToolbox
public import CoreFoundation
import Glibc

/// Opens a file.
///
/// The kind of file is told from its bytes; the hint tells apart what the bytes do not, such as the kinds of MPEG-4.
/// Of a file that is there, and opened for writing, the chunks can be changed, the texts, markers and regions. Its packets
/// and other properties cannot: that is `kAudioFileOperationNotSupportedError` when it is tried.
///
/// - Parameters:
///   - url: Of a file in the file system.
///   - permissions: 1 to read, 2 to write, 3 for both.
///   - typeHint: The kind of file; 0 for any.
///   - outFile: Receives the file, to be closed by `AudioFileClose`; NULL if it cannot be opened.
/// - Returns: `kAudioFileFileNotFoundError`, `kAudioFilePermissionsError`, `kAudioFileUnsupportedFileTypeError` for
///   what is no sound file, `kAudioFileUnsupportedDataFormatError`, `kAudioFileInvalidFileError` for a damaged one,
///   `kAudio_BadFilePathError` for an address of something else, `kAudio_ParamError`.
///
/// The corresponding C function is `AudioFileOpenURL`.
@_cdecl("AudioFileOpenURL")
public func audioFileOpenURL(
    _ url: CFURL?, _ permissions: Int8, _ typeHint: AudioFileTypeID,
    _ outFile: UnsafeMutablePointer<AudioFileID?>?
) -> OSStatus {
    unsafe openFile(outFile) { () throws(StatusError) in
        guard let url, 1...3 ~= permissions else { throw StatusError(kAudio_ParamError) }
        guard let path = AudioFileObject.path(of: url) else { throw StatusError(kAudio_BadFilePathError) }
        let isWritable = permissions & 2 != 0
        let session = try AudioFileSession(
            reading: path, isWritable: isWritable, typeHint: typeHint)
        guard unsafe !isWritable || access(path.cString, W_OK) == 0 else {
            throw StatusError(kAudioFilePermissionsError)
        }
        return session
    }
}

/// Creates a file.
///
/// - Parameters:
///   - url: Of a file in the file system.
///   - fileType: Such as `kAudioFileCAFType`.
///   - format: What will be written: PCM in the file's own samples, or packets of a compressed format.
///   - flags: `kAudioFileFlags_EraseFile` to empty a file that is there. Audio data is not aligned to pages, whether
///     or not the flags ask for it.
///   - outFile: Receives the file, to be closed by `AudioFileClose`; NULL if it cannot be created.
/// - Returns: `kAudioFileUnsupportedFileTypeError`, `kAudioFileUnsupportedDataFormatError`,
///   `kAudioFilePermissionsError` also for a file that is there and not to be erased,
///   `kAudioFileFileNotFoundError` if its folder is missing, `kAudio_BadFilePathError`, `kAudio_ParamError`.
///
/// The corresponding C function is `AudioFileCreateWithURL`.
@_cdecl("AudioFileCreateWithURL")
public func audioFileCreateWithURL(
    _ url: CFURL?, _ fileType: AudioFileTypeID, _ format: UnsafePointer<AudioStreamBasicDescription>?,
    _ flags: UInt32, _ outFile: UnsafeMutablePointer<AudioFileID?>?
) -> OSStatus {
    unsafe openFile(outFile) { () throws(StatusError) in
        guard let url, let format = unsafe format else { throw StatusError(kAudio_ParamError) }
        guard let path = AudioFileObject.path(of: url) else { throw StatusError(kAudio_BadFilePathError) }
        let output = try AudioFileOutput(
            path: path, fileType: fileType, format: unsafe format.pointee,
            overwrite: flags & AudioFileFlags.eraseFile.rawValue != 0)
        return AudioFileSession(writing: output)
    }
}

/// Opens a file that the client keeps.
///
/// All of it is read at once, into a temporary file.
///
/// - Parameters:
///   - clientData: Given to the procedures; may be NULL.
///   - read: Reads the client's file.
///   - write: Writes it; NULL to open it for reading.
///   - getSize: Tells how many bytes it has.
///   - setSize: Cuts it; NULL to open it for reading.
///   - typeHint: The kind of file; 0 for any.
///   - outFile: Receives the file, to be closed by `AudioFileClose`; NULL if it cannot be opened.
/// - Returns: As `AudioFileOpenURL`, and what a procedure returns that fails.
///
/// The corresponding C function is `AudioFileOpenWithCallbacks`.
@_cdecl("AudioFileOpenWithCallbacks")
public func audioFileOpenWithCallbacks(
    _ clientData: UnsafeMutableRawPointer?, _ read: AudioFileProcedures.Read?,
    _ write: AudioFileProcedures.Write?, _ getSize: AudioFileProcedures.GetSize?,
    _ setSize: AudioFileProcedures.SetSize?, _ typeHint: AudioFileTypeID,
    _ outFile: UnsafeMutablePointer<AudioFileID?>?
) -> OSStatus {
    unsafe openFile(outFile) { () throws(StatusError) in
        guard let read = unsafe read, let getSize = unsafe getSize else {
            throw StatusError(kAudio_ParamError)
        }
        let client = try unsafe ClientFile(
            clientData, read: read, write: write, getSize: getSize, setSize: setSize)
        try client.readAll()
        return try AudioFileSession(
            reading: client.path, isWritable: client.isWritable, typeHint: typeHint, client: client)
    }
}

/// Creates a file that the client keeps, in place of what it holds.
///
/// The client's file is emptied at once, and has the sound when the file is closed or optimized.
///
/// - Parameters: As of `AudioFileOpenWithCallbacks` and `AudioFileCreateWithURL`; no procedure may be NULL.
/// - Returns: As those functions.
///
/// The corresponding C function is `AudioFileInitializeWithCallbacks`.
@_cdecl("AudioFileInitializeWithCallbacks")
public func audioFileInitializeWithCallbacks(
    _ clientData: UnsafeMutableRawPointer?, _ read: AudioFileProcedures.Read?,
    _ write: AudioFileProcedures.Write?, _ getSize: AudioFileProcedures.GetSize?,
    _ setSize: AudioFileProcedures.SetSize?, _ fileType: AudioFileTypeID,
    _ format: UnsafePointer<AudioStreamBasicDescription>?, _ flags: UInt32,
    _ outFile: UnsafeMutablePointer<AudioFileID?>?
) -> OSStatus {
    unsafe openFile(outFile) { () throws(StatusError) in
        guard let read = unsafe read, let write = unsafe write, let getSize = unsafe getSize,
            let setSize = unsafe setSize, let format = unsafe format
        else { throw StatusError(kAudio_ParamError) }
        let client = try unsafe ClientFile(
            clientData, read: read, write: write, getSize: getSize, setSize: setSize)
        let output = try AudioFileOutput(
            path: client.path, fileType: fileType, format: unsafe format.pointee, overwrite: true)
        // What cannot be created shall not cost the client what it has.
        try client.clear()
        return AudioFileSession(writing: output, client: client)
    }
}

/// Completes and closes a file.
///
/// - Returns: `kAudio_ParamError` for NULL, `kAudioFileNotOpenError` for what is no open file, and what the last
///   writing met with; the file is closed even then.
///
/// The corresponding C function is `AudioFileClose`.
@_cdecl("AudioFileClose")
public func audioFileClose(_ file: AudioFileID?) -> OSStatus {
    guard let file = unsafe file else { return kAudio_ParamError }
    guard let session = unsafe audioFiles.remove(file) else { return kAudioFileNotOpenError }
    return session.answer { (session) throws(StatusError) in try session.close() }
}

/// Moves the audio data to the end of a file.
///
/// What is created here is written so; this completes the file of a client that keeps it. A file that was there, and has
/// chunks behind its sound, is written anew, and takes the place of the old one when it is complete.
///
/// - Returns: `kAudioFilePermissionsError` for a file that was opened for reading,
///   `kAudioFileOperationNotSupportedError` for a kind of file that is not made of chunks, or one that a client keeps,
///   with something behind its audio; `kAudioFileUnspecifiedError` if the system fails, as on a full disk.
///
/// The corresponding C function is `AudioFileOptimize`.
@_cdecl("AudioFileOptimize")
public func audioFileOptimize(_ file: AudioFileID?) -> OSStatus {
    unsafe AudioFileSession.answer(file) { (session) throws(StatusError) in
        guard session.isWritable else { throw StatusError(kAudioFilePermissionsError) }
        if try !session.isOptimized() { try session.moveSoundToEnd() }
        try session.handToClient()
    }
}

/// Makes a session, and gives the client a handle to it.
private func openFile(
    _ outFile: UnsafeMutablePointer<AudioFileID?>?, _ make: () throws(StatusError) -> AudioFileSession
) -> OSStatus {
    guard let outFile = unsafe outFile else { return kAudio_ParamError }
    unsafe outFile.pointee = nil
    do throws(StatusError) {
        let session = try make()
        guard let handle = unsafe audioFiles.insert(session) else { return kAudio_MemFullError }
        unsafe outFile.pointee = handle
        return noErr
    } catch { return error.status }
}
