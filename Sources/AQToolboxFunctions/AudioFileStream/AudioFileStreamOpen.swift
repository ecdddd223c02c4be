// SPDX-License-Identifier: MIT

public import CAQAudioToolbox

/// Creates a parser.
///
/// - Parameters:
///   - clientData: Passed to both procedures; may be null.
///   - listener: Called for properties.
///   - packetsProc: Called with packets.
///   - typeHint: The file type, if it is known from elsewhere; otherwise 0. The hint is used only if the
///     bytes do not determine the type, so that a wrong hint does no harm.
///   - outStream: Receives the handle.
/// - Returns: `noErr`; `kAudio_ParamError` for a null procedure or `outStream`; `kAudio_MemFullError` for too
///   many open streams.
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

/// Frees a parser, and ends the calls of its procedures.
///
/// May be called inside one of the parser's procedures: the remaining bytes of the running call are ignored.
///
/// - Returns: `noErr`; `kAudio_ParamError` for a reference that is not an open stream.
@_cdecl("AudioFileStreamClose")
public func audioFileStreamClose(_ stream: AudioFileStreamID?) -> OSStatus {
    guard let object = unsafe FileStreamObject.all.remove(stream) else { return kAudio_ParamError }
    object.end()
    return noErr
}
