public import CAudioToolbox

/// Counts the chunks of a type in a CAF, AIFF or WAVE file.
///
/// - Parameters:
///   - file: An open file.
///   - type: The type of the chunks.
///   - outCount: Receives how many there are, perhaps 0.
/// - Returns: `kAudioFileOperationNotSupportedError` for other kinds of file and for pipes, `kAudio_ParamError`.
///
/// The corresponding C function is `AudioFileCountUserData`.
@_cdecl("AudioFileCountUserData")
public func audioFileCountUserData(
    _ file: AudioFileID?, _ type: UInt32, _ outCount: UnsafeMutablePointer<UInt32>?
) -> OSStatus {
    unsafe AudioFileSession.answer(file) { (session) throws(StatusError) in
        guard let outCount = unsafe outCount else { throw StatusError(kAudio_ParamError) }
        unsafe outCount.pointee = 0
        unsafe outCount.pointee = UInt32(clamping: try session.countChunks(type))
    }
}

/// Tells how many bytes a chunk holds.
///
/// - Parameters:
///   - file: An open file.
///   - type: The chunk's type.
///   - index: Which of the chunks of this type.
///   - outBytes: Receives the bytes of its contents.
/// - Returns: `kAudioFileInvalidChunkError` if there is no such chunk, `kAudioFileDoesNotAllow64BitDataSizeError` if it
///   has more bytes than the number can tell; as `AudioFileCountUserData` else.
///
/// The corresponding C function is `AudioFileGetUserDataSize`.
@_cdecl("AudioFileGetUserDataSize")
public func audioFileGetUserDataSize(
    _ file: AudioFileID?, _ type: UInt32, _ index: UInt32, _ outBytes: UnsafeMutablePointer<UInt32>?
) -> OSStatus {
    unsafe AudioFileSession.answer(file) { (session) throws(StatusError) in
        guard let outBytes = unsafe outBytes else { throw StatusError(kAudio_ParamError) }
        let chunk = try session.chunk(type, index: index)
        guard let bytes = UInt32(exactly: chunk.byteCount) else {
            throw StatusError(kAudioFileDoesNotAllow64BitDataSizeError)
        }
        unsafe outBytes.pointee = bytes
    }
}

/// Tells how many bytes a chunk of any size holds.
///
/// - Parameters: As of `AudioFileGetUserDataSize`.
/// - Returns: As `AudioFileGetUserDataSize`.
///
/// The corresponding C function is `AudioFileGetUserDataSize64`.
@_cdecl("AudioFileGetUserDataSize64")
public func audioFileGetUserDataSize64(
    _ file: AudioFileID?, _ type: UInt32, _ index: UInt32, _ outBytes: UnsafeMutablePointer<UInt64>?
) -> OSStatus {
    unsafe AudioFileSession.answer(file) { (session) throws(StatusError) in
        guard let outBytes = unsafe outBytes else { throw StatusError(kAudio_ParamError) }
        unsafe outBytes.pointee = UInt64(clamping: try session.chunk(type, index: index).byteCount)
    }
}

/// Reads a chunk's contents, as much as there is room for.
///
/// - Parameters:
///   - file: An open file.
///   - type: The chunk's type.
///   - index: Which of the chunks of this type.
///   - ioBytes: Bytes that `buffer` has; then of the contents read.
///   - buffer: Receives the contents, without the chunk's header.
/// - Returns: As `AudioFileGetUserDataSize`.
///
/// The corresponding C function is `AudioFileGetUserData`.
@_cdecl("AudioFileGetUserData")
public func audioFileGetUserData(
    _ file: AudioFileID?, _ type: UInt32, _ index: UInt32, _ ioBytes: UnsafeMutablePointer<UInt32>?,
    _ buffer: UnsafeMutableRawPointer?
) -> OSStatus {
    unsafe audioFileGetUserDataAtOffset(file, type, index, 0, ioBytes, buffer)
}

/// Reads a part of a chunk's contents, as much as there is room for.
///
/// - Parameters:
///   - file: An open file.
///   - type: The chunk's type.
///   - index: Which of the chunks of this type.
///   - offset: Of the first byte to read, from the first of the contents.
///   - ioBytes: Bytes that `buffer` has; then how many were read.
///   - buffer: Receives the bytes.
/// - Returns: `kAudioFilePositionError` for an offset outside the contents; as `AudioFileGetUserDataSize` else.
///
/// The corresponding C function is `AudioFileGetUserDataAtOffset`.
@_cdecl("AudioFileGetUserDataAtOffset")
public func audioFileGetUserDataAtOffset(
    _ file: AudioFileID?, _ type: UInt32, _ index: UInt32, _ offset: Int64,
    _ ioBytes: UnsafeMutablePointer<UInt32>?, _ buffer: UnsafeMutableRawPointer?
) -> OSStatus {
    unsafe AudioFileSession.answer(file) { (session) throws(StatusError) in
        guard let ioBytes = unsafe ioBytes, let buffer = unsafe buffer else {
            throw StatusError(kAudio_ParamError)
        }
        let chunk = try session.chunk(type, index: index)
        let memory = unsafe UnsafeMutableRawBufferPointer(start: buffer, count: Int(ioBytes.pointee))
        let count = try unsafe session.read(chunk, at: offset, into: memory)
        unsafe ioBytes.pointee = UInt32(clamping: count)
    }
}

/// Writes a chunk's contents, in place of what it holds, or adds a chunk.
///
/// In a file that was there, the change is made at once. In one that was created, chunks go ahead of the sound before
/// its first packet; later ones, and large ones, follow the sound when the file is closed, and can be read before. The
/// sound is never at risk: what fails leaves the file as it was. A changed chunk may move to the end of the file, but
/// keeps its number.
///
/// - Parameters:
///   - file: A WAVE, RF64, AIFF, AIFF-C, CAF or Wave64 file that can be written.
///   - type: The chunk's type: four printable characters, and none that tells how the sound is stored (such as 'fmt '
///     and 'data') or fills a gap (such as 'JUNK').
///   - index: Which of the chunks of this type; their number to add one.
///   - byteCount: Bytes of the contents.
///   - data: The contents, without the chunk's header.
/// - Returns: `kAudioFileInvalidChunkError` for a number past the last and a type that no file can hold,
///   `kAudioFileOperationNotSupportedError` for the types named above, other kinds of file, pipes, and contents with
///   which the file could not be read; `kAudioFileDoesNotAllow64BitDataSizeError` past what the container can count,
///   `kAudioFileInvalidFileError` for a file whose header is wrong or was never finished,
///   `kAudioFileUnspecifiedError` if the system fails, as on a full disk; `kAudioFilePermissionsError` for a file that
///   was opened for reading, `kAudio_ParamError`.
///
/// The corresponding C function is `AudioFileSetUserData`.
@_cdecl("AudioFileSetUserData")
public func audioFileSetUserData(
    _ file: AudioFileID?, _ type: UInt32, _ index: UInt32, _ byteCount: UInt32, _ data: UnsafeRawPointer?
) -> OSStatus {
    unsafe AudioFileSession.answer(file) { (session) throws(StatusError) in
        guard unsafe data != nil || byteCount == 0 else { throw StatusError(kAudio_ParamError) }
        let contents = unsafe Array(AudioFileSession.bytes(data, byteCount))
        try session.setUserData(type, index: Int(index), contents: contents)
    }
}

/// Removes a chunk; those of its type behind it have the next lower number then.
///
/// - Returns: `kAudioFileInvalidChunkError` if there is no such chunk; as `AudioFileSetUserData` else.
///
/// The corresponding C function is `AudioFileRemoveUserData`.
@_cdecl("AudioFileRemoveUserData")
public func audioFileRemoveUserData(_ file: AudioFileID?, _ type: UInt32, _ index: UInt32) -> OSStatus {
    unsafe AudioFileSession.answer(file) { (session) throws(StatusError) in
        try session.removeUserData(type, index: Int(index))
    }
}
