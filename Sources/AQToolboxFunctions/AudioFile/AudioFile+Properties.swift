// SPDX-License-Identifier: MIT

public import CAQAudioToolbox

/// Returns the size of a property's value, and whether the property can be set.
///
/// - Parameters:
///   - file: An open file.
///   - property: One of `kAudioFileProperty…`.
///   - outBytes: Receives the size in bytes; may be NULL.
///   - outIsWritable: Receives 1 or 0; may be NULL.
/// - Returns: `kAudioFileUnsupportedPropertyError`, `kAudio_ParamError`, `kAudioFileNotOpenError`, and errors
///   of reading the file.
@_cdecl("AudioFileGetPropertyInfo")
public func audioFileGetPropertyInfo(
    _ file: AudioFileID?, _ property: AudioFilePropertyID, _ outBytes: UnsafeMutablePointer<UInt32>?,
    _ outIsWritable: UnsafeMutablePointer<UInt32>?
) -> OSStatus {
    unsafe AudioFileSession.answer(file) { (session) throws(StatusError) in
        guard let facts = AudioFileProperty(property) else {
            throw StatusError(kAudioFileUnsupportedPropertyError)
        }
        if let outIsWritable = unsafe outIsWritable {
            unsafe outIsWritable.pointee = session.canSet(property) ? 1 : 0
        }
        guard let outBytes = unsafe outBytes else { return }
        let bytes: Int
        if let fixed = facts.byteCount { bytes = fixed } else { bytes = try session.byteCount(of: property) }
        unsafe outBytes.pointee = UInt32(clamping: bytes)
    }
}

/// Copies a property's value.
///
/// - Parameters: The same as for `AudioFileGetPropertyInfo`.
/// - Parameters:
///   - ioBytes: The size of `data` in bytes; on return that of the value. Arrays are truncated to the elements that
///     fit.
///   - data: Receives the value. For a translation it contains the structure to translate. The caller has to release
///     objects, and the names of markers and regions.
/// - Returns: `kAudioFileBadPropertySizeError` if the value does not fit, `kAudioFileUnsupportedPropertyError` also if
///   this file has no value, `kAudioFileInvalidPacketOffsetError` for a negative packet, and for one past the last if
///   it has to be found in the file; `kAudioFilePositionError` for the number of packets in a pipe; `kAudio_ParamError`
///   also for a negative frame or byte; otherwise as `AudioFileGetPropertyInfo`.
@_cdecl("AudioFileGetProperty")
public func audioFileGetProperty(
    _ file: AudioFileID?, _ property: AudioFilePropertyID, _ ioBytes: UnsafeMutablePointer<UInt32>?,
    _ data: UnsafeMutableRawPointer?
) -> OSStatus {
    unsafe AudioFileSession.answer(file) { (session) throws(StatusError) in
        guard let facts = AudioFileProperty(property), facts.isReadable else {
            throw StatusError(kAudioFileUnsupportedPropertyError)
        }
        let reply = unsafe PropertyReply(data, ioBytes)
        let answer = try session.answer(property, reply)
        try reply.give(answer, tooSmall: kAudioFileBadPropertySizeError)
    }
}

/// Sets a property.
///
/// - Parameters:
///   - file: A file that was created and has no packets. The packet table and the number of bytes can also be set
///     later. Tags and markers of WAVE, RF64, AIFF, AIFF-C and CAF files, and regions of CAF files, can also be set
///     later and in an existing file.
///   - property: One of `kAudioFileProperty…`.
///   - byteCount: The size of the value in bytes.
///   - data: The value; for a dictionary, a pointer to its reference.
/// - Returns: `kAudioFilePermissionsError` for a file that was opened for reading,
///   `kAudioFileOperationNotSupportedError` for a value that this file does not accept now, or ever;
///   `kAudioFileBadPropertySizeError`, `kAudioFileUnsupportedPropertyError` also if this file type cannot
///   store the value; `kAudio_ParamError`.
@_cdecl("AudioFileSetProperty")
public func audioFileSetProperty(
    _ file: AudioFileID?, _ property: AudioFilePropertyID, _ byteCount: UInt32, _ data: UnsafeRawPointer?
) -> OSStatus {
    unsafe AudioFileSession.answer(file) { (session) throws(StatusError) in
        guard AudioFileProperty(property) != nil else {
            throw StatusError(kAudioFileUnsupportedPropertyError)
        }
        // An empty cookie or list may have a null address.
        guard unsafe data != nil || byteCount == 0 else { throw StatusError(kAudio_ParamError) }
        try unsafe session.set(property, AudioFileSession.bytes(data, byteCount))
    }
}
