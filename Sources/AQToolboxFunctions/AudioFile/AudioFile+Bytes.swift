// SPDX-License-Identifier: MIT

public import CAQAudioToolbox

/// Reads bytes of the audio data.
///
/// - Parameters:
///   - file: An open file.
///   - usesCache: Ignored: the system caches files.
///   - startingByte: The offset in the audio data, whose first byte is 0.
///   - ioBytes: The requested number of bytes, for which `buffer` has room; on return the number read.
///   - buffer: Receives the bytes.
/// - Returns: `kAudioFileEndOfFileError` if the audio ends earlier, with the bytes up to the end;
///   `kAudioFilePositionError` for an offset before the first byte, or one that a pipe has passed;
///   `kAudioFileOperationNotSupportedError` for a pipe of packets that differ in size, `kAudio_ParamError`.
@_cdecl("AudioFileReadBytes")
public func audioFileReadBytes(
    _ file: AudioFileID?, _ usesCache: Bool, _ startingByte: Int64,
    _ ioBytes: UnsafeMutablePointer<UInt32>?, _ buffer: UnsafeMutableRawPointer?
) -> OSStatus {
    unsafe AudioFileSession.answer(file) { (session) throws(StatusError) in
        guard let ioBytes = unsafe ioBytes, let buffer = unsafe buffer else {
            throw StatusError(kAudio_ParamError)
        }
        let wanted = unsafe Int(ioBytes.pointee)
        unsafe ioBytes.pointee = 0
        let count = try unsafe session.readBytes(
            at: startingByte, into: UnsafeMutableRawBufferPointer(start: buffer, count: wanted))
        unsafe ioBytes.pointee = UInt32(clamping: count)
        guard count == wanted else { throw StatusError(kAudioFileEndOfFileError) }
    }
}

/// Appends bytes to the audio data, or overwrites existing bytes.
///
/// - Parameters:
///   - file: A file that was created for packets of one size.
///   - usesCache: Ignored: the system caches files.
///   - startingByte: The offset in the audio data, whose first byte is 0; at most the number of bytes written
///     before.
///   - ioBytes: The number of bytes; on return the number written, also after an error.
///   - buffer: The bytes. They end inside the data written before, or with a whole packet.
/// - Returns: `kAudioFilePermissionsError` for a file that was opened for reading, `kAudioFilePositionError`
///   for an offset before the first byte; `kAudioFileOperationNotSupportedError` for a file that was not created here,
///   for a gap, for partial packets, and for packets that differ in size; otherwise as `AudioFileWritePackets`.
@_cdecl("AudioFileWriteBytes")
public func audioFileWriteBytes(
    _ file: AudioFileID?, _ usesCache: Bool, _ startingByte: Int64,
    _ ioBytes: UnsafeMutablePointer<UInt32>?, _ buffer: UnsafeRawPointer?
) -> OSStatus {
    unsafe AudioFileSession.answer(file) { (session) throws(StatusError) in
        guard let ioBytes = unsafe ioBytes, let buffer = unsafe buffer else {
            throw StatusError(kAudio_ParamError)
        }
        let wanted = unsafe Int(ioBytes.pointee)
        unsafe ioBytes.pointee = 0
        let result = try unsafe session.writeBytes(
            at: startingByte, bytes: UnsafeRawBufferPointer(start: buffer, count: wanted))
        unsafe ioBytes.pointee = UInt32(clamping: result.bytes)
        if let fault = result.fault { throw fault }
    }
}
