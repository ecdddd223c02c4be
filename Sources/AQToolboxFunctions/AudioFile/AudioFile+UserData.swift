// SPDX-License-Identifier: MIT

public import CAQAudioToolbox

/// Counts the chunks of a type in a CAF, AIFF, AIFF-C, WAVE, RF64 or Wave64 file.
///
/// - Parameters:
///   - file: An open file.
///   - type: The type of the chunks.
///   - outCount: Receives their number, which may be 0.
/// - Returns: `kAudioFileOperationNotSupportedError` for other file types and for pipes, `kAudio_ParamError`.
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

/// Returns the size of a chunk's contents.
///
/// - Parameters:
///   - file: An open file.
///   - type: The chunk's type.
///   - index: The index among the chunks of this type.
///   - outBytes: Receives the size of the contents in bytes.
/// - Returns: `kAudioFileInvalidChunkError` if there is no such chunk,
///   `kAudioFileDoesNotAllow64BitDataSizeError` if the size exceeds 32 bits; otherwise as
///   `AudioFileCountUserData`.
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

/// Returns the size of a chunk's contents in 64 bits.
///
/// - Parameters: The same as for `AudioFileGetUserDataSize`.
/// - Returns: `kAudioFileInvalidChunkError` if there is no such chunk; otherwise as `AudioFileCountUserData`.
@_cdecl("AudioFileGetUserDataSize64")
public func audioFileGetUserDataSize64(
    _ file: AudioFileID?, _ type: UInt32, _ index: UInt32, _ outBytes: UnsafeMutablePointer<UInt64>?
) -> OSStatus {
    unsafe AudioFileSession.answer(file) { (session) throws(StatusError) in
        guard let outBytes = unsafe outBytes else { throw StatusError(kAudio_ParamError) }
        unsafe outBytes.pointee = UInt64(clamping: try session.chunk(type, index: index).byteCount)
    }
}

/// Reads a chunk's contents, as far as they fit.
///
/// - Parameters: The same as for `AudioFileGetUserDataSize`.
/// - Parameters:
///   - ioBytes: The size of `buffer` in bytes; on return the number of bytes read.
///   - buffer: Receives the contents, without the chunk's header.
/// - Returns: As `AudioFileGetUserDataSize64`.
@_cdecl("AudioFileGetUserData")
public func audioFileGetUserData(
    _ file: AudioFileID?, _ type: UInt32, _ index: UInt32, _ ioBytes: UnsafeMutablePointer<UInt32>?,
    _ buffer: UnsafeMutableRawPointer?
) -> OSStatus {
    unsafe audioFileGetUserDataAtOffset(file, type, index, 0, ioBytes, buffer)
}

/// Reads a part of a chunk's contents, as far as it fits.
///
/// - Parameters: The same as for `AudioFileGetUserData`.
/// - Parameter offset: The offset of the first byte to read in the contents.
/// - Returns: `kAudioFilePositionError` for an offset outside the contents; otherwise as `AudioFileGetUserDataSize64`.
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

/// Sets a chunk's contents, or adds a chunk.
///
/// In an existing file the change is made at once. In a created file, chunks that are set before the first packet are
/// in front of the audio. Later and large chunks are written after the audio when the file is closed. They can be read
/// before that. An error leaves the file unchanged. A changed chunk may move to the end of the file, but keeps its
/// index.
///
/// - Parameters:
///   - file: A WAVE, RF64, AIFF, AIFF-C, CAF or Wave64 file that can be written.
///   - type: The chunk's type: four printable characters, but not a type that describes the storage of the audio (such
///     as 'fmt ' and 'data') or fills a gap (such as 'JUNK').
///   - index: The index among the chunks of this type; the number of these chunks to add one.
///   - byteCount: The size of the contents in bytes.
///   - data: The contents, without the chunk's header.
/// - Returns: `kAudioFileInvalidChunkError` for an index past the last and a type that no file can hold,
///   `kAudioFileOperationNotSupportedError` for the types named above, other file types, pipes, and contents with which
///   the file could not be read; `kAudioFileDoesNotAllow64BitDataSizeError` beyond the limit of the file type,
///   `kAudioFileInvalidFileError` for a file whose header is wrong or incomplete, `kAudioFileUnspecifiedError` if the
///   system fails, for example on a full disk; `kAudioFilePermissionsError` for a file that was opened for reading,
///   `kAudio_ParamError`.
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

/// Removes a chunk; the indices of later chunks of its type decrease by 1.
///
/// - Returns: `kAudioFileInvalidChunkError` if there is no such chunk; otherwise as `AudioFileSetUserData`.
@_cdecl("AudioFileRemoveUserData")
public func audioFileRemoveUserData(_ file: AudioFileID?, _ type: UInt32, _ index: UInt32) -> OSStatus {
    unsafe AudioFileSession.answer(file) { (session) throws(StatusError) in
        try session.removeUserData(type, index: Int(index))
    }
}
