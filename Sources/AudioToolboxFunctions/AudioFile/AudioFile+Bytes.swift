public import CAudioToolbox

/// Reads bytes of the audio data.
///
/// - Parameters:
///   - file: An open file.
///   - usesCache: Ignored: the system caches files.
///   - startingByte: Of the audio data, whose first byte is 0.
///   - ioBytes: Bytes that are wanted, and that `buffer` has; then how many were read.
///   - buffer: Receives the bytes.
/// - Returns: `kAudioFileEndOfFileError` if the audio ends before, with the bytes that there are;
///   `kAudioFilePositionError`, `kAudioFileOperationNotSupportedError` for a pipe of packets that differ in size,
///   `kAudio_ParamError`.
///
/// The corresponding C function is `AudioFileReadBytes`.
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

/// Writes bytes of the audio data behind those written before, or over them.
///
/// - Parameters:
///   - file: A file that was created for packets of one size.
///   - usesCache: Ignored: the system caches files.
///   - startingByte: Of the audio data, whose first byte is 0; at most how many bytes were written before.
///   - ioBytes: How many bytes; then how many were written, also if not all were.
///   - buffer: The bytes. They end where bytes were written before, or with a whole packet.
/// - Returns: `kAudioFilePermissionsError` for a file that was opened for reading, `kAudioFilePositionError` for a
///   place before the first byte; `kAudioFileOperationNotSupportedError` for a gap, for parts of packets, and for
///   packets that differ in size; as `AudioFileWritePackets` else.
///
/// The corresponding C function is `AudioFileWriteBytes`.
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
