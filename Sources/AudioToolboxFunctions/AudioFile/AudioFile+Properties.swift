public import CAudioToolbox

/// Tells how many bytes a property's value has, and whether it can be set.
///
/// - Parameters:
///   - file: An open file.
///   - property: One of `kAudioFileProperty…`.
///   - outBytes: Receives the number; may be NULL.
///   - outIsWritable: Receives 1 or 0; may be NULL.
/// - Returns: `kAudioFileUnsupportedPropertyError`, `kAudio_ParamError`, `kAudioFileNotOpenError`, and what reading the
///   file meets with.
///
/// The corresponding C function is `AudioFileGetPropertyInfo`.
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

/// Gives a property's value.
///
/// - Parameters:
///   - file: An open file.
///   - property: One of `kAudioFileProperty…`.
///   - ioBytes: Bytes that `data` has; then of the value.
///   - data: Receives the value. For a translation it holds the structure with what is to be translated. Objects, and
///     the names of markers and regions, are the caller's to release.
/// - Returns: `kAudioFileBadPropertySizeError` if the value does not fit, `kAudioFileUnsupportedPropertyError` also if
///   this file has none, `kAudioFileInvalidPacketOffsetError` for a packet that is not there; as
///   `AudioFileGetPropertyInfo` else.
///
/// The corresponding C function is `AudioFileGetProperty`.
@_cdecl("AudioFileGetProperty")
public func audioFileGetProperty(
    _ file: AudioFileID?, _ property: AudioFilePropertyID, _ ioBytes: UnsafeMutablePointer<UInt32>?,
    _ data: UnsafeMutableRawPointer?
) -> OSStatus {
    unsafe AudioFileSession.answer(file) { (session) throws(StatusError) in
        guard let facts = AudioFileProperty(property), facts.isReadable else {
            throw StatusError(kAudioFileUnsupportedPropertyError)
        }
        let status = try session.get(property, unsafe PropertyReply(data, ioBytes))
        guard status == noErr else { throw StatusError(status) }
    }
}

/// Changes a property.
///
/// - Parameters:
///   - file: A file that was created, with no packets yet but for the packet table, the texts, markers and regions. These
///     can also be set in a file that was there, if it is made of chunks.
///   - property: One of `kAudioFileProperty…`.
///   - byteCount: Bytes of the value.
///   - data: The value; for a dictionary, where its reference is.
/// - Returns: `kAudioFilePermissionsError` for a file that was opened for reading,
///   `kAudioFileOperationNotSupportedError` for what this file does not take now, or ever;
///   `kAudioFileBadPropertySizeError`, `kAudioFileUnsupportedPropertyError` also if this kind of file has no place for
///   it; `kAudio_ParamError`.
///
/// The corresponding C function is `AudioFileSetProperty`.
@_cdecl("AudioFileSetProperty")
public func audioFileSetProperty(
    _ file: AudioFileID?, _ property: AudioFilePropertyID, _ byteCount: UInt32, _ data: UnsafeRawPointer?
) -> OSStatus {
    unsafe AudioFileSession.answer(file) { (session) throws(StatusError) in
        guard AudioFileProperty(property) != nil else {
            throw StatusError(kAudioFileUnsupportedPropertyError)
        }
        // A cookie or a list of no bytes may come without an address.
        guard unsafe data != nil || byteCount == 0 else { throw StatusError(kAudio_ParamError) }
        try unsafe session.set(property, AudioFileSession.bytes(data, byteCount))
    }
}
