public import CAudioToolbox

/// Creates a parser that has seen nothing yet.
///
/// - Parameters:
///   - clientData: What both procedures are given; may be null.
///   - listener: Told of properties.
///   - packetsProc: Given packets.
///   - typeHint: The kind of file, if something outside tells; 0 if not. It decides only where the bytes do not,
///     so that a wrong one does no harm.
///   - outStream: Where the handle goes.
/// - Returns: `noErr`; `kAudio_ParamError` for a null procedure or `outStream`; `kAudio_MemFullError` for too many
///   open streams.
///
/// The corresponding C function is `AudioFileStreamOpen`.
@_cdecl("AudioFileStreamOpen")
public func audioFileStreamOpen(
    _ clientData: UnsafeMutableRawPointer?, _ listener: AudioFileStream_PropertyListenerProc?,
    _ packetsProc: AudioFileStream_PacketsProc?, _ typeHint: AudioFileTypeID,
    _ outStream: UnsafeMutablePointer<AudioFileStreamID?>?
) -> OSStatus {
    guard let listener = unsafe listener, let packetsProc = unsafe packetsProc,
        let outStream = unsafe outStream
    else { return kAudio_ParamError }
    let client = unsafe FileStreamClient(data: clientData, listener: listener, packetsProc: packetsProc)
    let object = FileStreamObject(client: client, typeHint: FileStreamObject.typeHint(typeHint))
    guard let handle = unsafe FileStreamObject.all.insert(object) else { return kAudio_MemFullError }
    unsafe object.begin(as: handle)
    unsafe outStream.pointee = handle
    return noErr
}

/// Frees a parser; nothing is called any more.
///
/// Also from inside one of its procedures: the bytes of the call that this is in come to nothing then.
///
/// - Returns: `noErr`; `kAudio_ParamError` for what is no open stream.
///
/// The corresponding C function is `AudioFileStreamClose`.
@_cdecl("AudioFileStreamClose")
public func audioFileStreamClose(_ stream: AudioFileStreamID?) -> OSStatus {
    guard let object = unsafe FileStreamObject.all.remove(stream) else { return kAudio_ParamError }
    object.end()
    return noErr
}
