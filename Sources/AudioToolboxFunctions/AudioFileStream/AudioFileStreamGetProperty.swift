import AudioFiles
public import CAudioToolbox

/// Tells how many bytes the value of a property has, and that it cannot be set.
///
/// - Parameters:
///   - stream: An open stream.
///   - propertyID: What is asked.
///   - outBytes: Where the number goes; may be null.
///   - outWritable: Where `false` goes, as no property can be set; may be null.
/// - Returns: `noErr`; `kAudio_ParamError` for what is no open stream;
///   `kAudioFileStreamError_UnsupportedProperty`; `…_DataUnavailable` if more bytes may bring it;
///   `…_ValueUnknown` if they will not.
///
/// The corresponding C function is `AudioFileStreamGetPropertyInfo`.
@_cdecl("AudioFileStreamGetPropertyInfo")
public func audioFileStreamGetPropertyInfo(
    _ stream: AudioFileStreamID?, _ propertyID: AudioFileStreamPropertyID,
    _ outBytes: UnsafeMutablePointer<UInt32>?, _ outWritable: UnsafeMutablePointer<Bool>?
) -> OSStatus {
    guard let object = unsafe FileStreamObject.all[stream] else { return kAudio_ParamError }
    do throws(AudioFileStreamError) {
        let bytes = try object.byteCount(of: propertyID)
        if let outBytes = unsafe outBytes { unsafe outBytes.pointee = UInt32(clamping: bytes) }
        if let outWritable = unsafe outWritable { unsafe outWritable.pointee = false }
        return noErr
    } catch {
        return error.status
    }
}

/// Copies the value of a property.
///
/// Dictionaries are the client's to release. Translations are read from the memory first, and then written to it.
///
/// - Parameters:
///   - stream: An open stream.
///   - propertyID: What is asked.
///   - ioBytes: Bytes of the memory, and then of the value.
///   - outData: Where the value goes.
/// - Returns: As ``audioFileStreamGetPropertyInfo(_:_:_:_:)``; `kAudio_ParamError` for null;
///   `kAudioFileStreamError_BadPropertySize` if there is no room for the value; `…_InvalidPacketOffset` for
///   packets, frames and bytes that are not there.
///
/// The corresponding C function is `AudioFileStreamGetProperty`.
@_cdecl("AudioFileStreamGetProperty")
public func audioFileStreamGetProperty(
    _ stream: AudioFileStreamID?, _ propertyID: AudioFileStreamPropertyID,
    _ ioBytes: UnsafeMutablePointer<UInt32>?, _ outData: UnsafeMutableRawPointer?
) -> OSStatus {
    guard let object = unsafe FileStreamObject.all[stream], let ioBytes = unsafe ioBytes,
        let outData = unsafe outData
    else { return kAudio_ParamError }
    do throws(AudioFileStreamError) {
        let reply = unsafe PropertyReply(outData, ioBytes)
        let translation = try object.translation(propertyID, of: reply)
        // Not by the operator for what is missing, which would forget the kind of error.
        let answer: PropertyAnswer
        if let translation { answer = translation } else { answer = try object.answer(propertyID) }
        return unsafe answer.deliver(
            to: outData, ioBytes, tooSmall: kAudioFileStreamError_BadPropertySize)
    } catch {
        return error.status
    }
}

/// Changes nothing: there is no property that can be set.
///
/// - Returns: `kAudioFileStreamError_IllegalOperation`; for a number that is no property
///   `kAudioFileStreamError_UnsupportedProperty`; `kAudio_ParamError` for what is no open stream, and for null.
///
/// The corresponding C function is `AudioFileStreamSetProperty`.
@_cdecl("AudioFileStreamSetProperty")
public func audioFileStreamSetProperty(
    _ stream: AudioFileStreamID?, _ propertyID: AudioFileStreamPropertyID, _ dataBytes: UInt32,
    _ data: UnsafeRawPointer?
) -> OSStatus {
    guard unsafe FileStreamObject.all[stream] != nil, unsafe data != nil else { return kAudio_ParamError }
    return FileStreamObject.isProperty(propertyID)
        ? kAudioFileStreamError_IllegalOperation : kAudioFileStreamError_UnsupportedProperty
}
