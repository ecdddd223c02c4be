// SPDX-License-Identifier: MIT

import AQFiles
public import CAQAudioToolbox
public import CoreFoundation
import Glibc

/// Opens a file.
///
/// The bytes determine the file type. The types of MPEG-4 have the same bytes: they are distinguished by the name's
/// extension, or else by the hint. In an existing file that is opened for writing, the chunks, tags, markers and
/// regions can be changed. A change of its packets or other properties returns `kAudioFileOperationNotSupportedError`.
///
/// - Parameters:
///   - url: The URL of a file in the file system.
///   - permissions: 1 to read; 2 or 3 to read and write.
///   - typeHint: The expected file type; 0 for any.
///   - outFile: Receives the file, to be closed by `AudioFileClose`; NULL if it cannot be opened.
/// - Returns: `kAudioFileFileNotFoundError`, `kAudioFilePermissionsError`,
///   `kAudioFileUnsupportedFileTypeError` for a file that is not audio,
///   `kAudioFileUnsupportedDataFormatError`, `kAudioFileInvalidFileError` for a damaged file,
///   `kAudio_BadFilePathError` for another type of URL, `kAudio_ParamError`.
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
///   - url: The URL of a file in the file system.
///   - fileType: For example `kAudioFileCAFType`.
///   - format: The format of the data: PCM in the file's own samples, or packets of a compressed format.
///   - flags: `kAudioFileFlags_EraseFile` to empty an existing file. Audio data is not aligned to pages,
///     whatever the flags.
///   - outFile: Receives the file, to be closed by `AudioFileClose`; NULL if it cannot be created.
/// - Returns: `kAudioFileUnsupportedFileTypeError`, `kAudioFileUnsupportedDataFormatError`,
///   `kAudioFilePermissionsError` also for an existing file that may not be erased,
///   `kAudioFileFileNotFoundError` if its folder is missing, `kAudioFileUnspecifiedError` if the system fails, for
///   example on a full disk; `kAudio_BadFilePathError`, `kAudio_ParamError`.
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

/// Opens a file that the client provides through procedures.
///
/// The whole file is read at once, into a temporary file.
///
/// - Parameters:
///   - clientData: Passed to the procedures; may be NULL.
///   - read: Reads the client's file.
///   - write: Writes the client's file; NULL to open it for reading.
///   - getSize: Returns the size of the client's file in bytes.
///   - setSize: Truncates the client's file; NULL to open it for reading.
///   - typeHint: The expected file type; 0 for any.
///   - outFile: Receives the file, to be closed by `AudioFileClose`; NULL if it cannot be opened.
/// - Returns: As `AudioFileOpenURL`, and the result of a procedure that fails; `kAudioFileUnspecifiedError` if the
///   temporary file cannot be made or filled.
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

/// Creates a file that the client provides through procedures, and replaces its contents.
///
/// The client's file is emptied at once, and is written when the file is closed or optimized.
///
/// - Parameters: The same as for `AudioFileOpenWithCallbacks` and `AudioFileCreateWithURL`; no procedure may be NULL.
/// - Returns: As those functions.
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
        // If the file cannot be created, the client's contents must remain.
        try client.clear()
        return AudioFileSession(writing: output, client: client)
    }
}

/// Completes and closes a file.
///
/// - Returns: `kAudio_ParamError` for NULL, `kAudioFileNotOpenError` for a reference that is not an open
///   file, and the error of the writes that complete the file; the file is closed even then.
@_cdecl("AudioFileClose")
public func audioFileClose(_ file: AudioFileID?) -> OSStatus {
    guard let file = unsafe file else { return kAudio_ParamError }
    guard let session = unsafe audioFiles.remove(file) else { return kAudioFileNotOpenError }
    return session.answer { (session) throws(StatusError) in try session.close() }
}

/// Moves the audio data to the end of a file.
///
/// A created file already has this order. If a client provides a created file through procedures, the call
/// writes the file to the client. An existing file with chunks after its audio is rewritten, and replaced
/// when the new file is complete.
///
/// - Returns: `kAudioFilePermissionsError` for a file that was opened for reading,
///   `kAudioFileOperationNotSupportedError` if data follows the audio of a file type that does not consist of chunks,
///   or of a client's own file; `kAudioFileUnspecifiedError` if the system fails, for example on a full disk.
@_cdecl("AudioFileOptimize")
public func audioFileOptimize(_ file: AudioFileID?) -> OSStatus {
    unsafe AudioFileSession.answer(file) { (session) throws(StatusError) in
        guard session.isWritable else { throw StatusError(kAudioFilePermissionsError) }
        if try !session.isOptimized() { try session.moveSoundToEnd() }
        try session.handToClient()
    }
}

private func openFile(
    _ outFile: UnsafeMutablePointer<AudioFileID?>?, _ make: () throws(StatusError) -> AudioFileSession
) -> OSStatus {
    guard let outFile = unsafe outFile else { return kAudio_ParamError }
    unsafe outFile.pointee = nil
    return StatusError.result { () throws(StatusError) in
        let session = try make()
        guard let handle = unsafe audioFiles.insert(session) else { throw StatusError(kAudio_MemFullError) }
        unsafe outFile.pointee = handle
    }
}
