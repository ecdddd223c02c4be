// SPDX-License-Identifier: MIT

import AQFiles
public import CAQAudioToolbox

/// Returns the size of a property's value, and reports that the property cannot be set.
///
/// - Parameters:
///   - stream: An open stream.
///   - propertyID: The property.
///   - outBytes: Receives the size in bytes; may be null.
///   - outWritable: Receives `false`, since no property can be set; may be null.
/// - Returns: `noErr`; `kAudio_ParamError` for a reference that is not an open stream;
///   `kAudioFileStreamError_UnsupportedProperty`; `…_DataUnavailable` if the header has not been parsed to its end;
///   `…_ValueUnknown` if the header does not contain the value, which the end of the stream may provide.
@_cdecl("AudioFileStreamGetPropertyInfo")
public func audioFileStreamGetPropertyInfo(
    _ stream: AudioFileStreamID?, _ propertyID: AudioFileStreamPropertyID,
    _ outBytes: UnsafeMutablePointer<UInt32>?, _ outWritable: UnsafeMutablePointer<Bool>?
) -> OSStatus {
    guard let object = unsafe FileStreamObject.all[stream] else { return kAudio_ParamError }
    return AudioFileStreamError.status { () throws(AudioFileStreamError) in
        let bytes = try object.byteCount(of: propertyID)
        if let outBytes = unsafe outBytes { unsafe outBytes.pointee = UInt32(clamping: bytes) }
        if let outWritable = unsafe outWritable { unsafe outWritable.pointee = false }
    }
}

/// Copies the value of a property.
///
/// The client has to release dictionaries. Translations are read from the memory first, and then written to
/// it.
///
/// - Parameters:
///   - stream: An open stream.
///   - propertyID: The property.
///   - ioBytes: The size of the memory in bytes; on return that of the value.
///   - outData: Receives the value.
/// - Returns: As ``audioFileStreamGetPropertyInfo(_:_:_:_:)``; `kAudio_ParamError` for null;
///   `kAudioFileStreamError_BadPropertySize` if there is no room for the value; `…_InvalidPacketOffset` for
///   packets, frames and bytes that do not exist.
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
        // Not with the nil-coalescing operator, which would erase the type of the error.
        let answer: PropertyAnswer
        if let translation { answer = translation } else { answer = try object.answer(propertyID) }
        return reply.status(ofGiving: answer, tooSmall: kAudioFileStreamError_BadPropertySize)
    } catch {
        return error.status
    }
}

/// Changes nothing: no property can be set.
///
/// - Returns: `kAudioFileStreamError_IllegalOperation`; for a number that is not a property
///   `kAudioFileStreamError_UnsupportedProperty`; `kAudio_ParamError` for a reference that is not an open
///   stream, and for null.
@_cdecl("AudioFileStreamSetProperty")
public func audioFileStreamSetProperty(
    _ stream: AudioFileStreamID?, _ propertyID: AudioFileStreamPropertyID, _ dataBytes: UInt32,
    _ data: UnsafeRawPointer?
) -> OSStatus {
    guard unsafe FileStreamObject.all[stream] != nil, unsafe data != nil else { return kAudio_ParamError }
    return FileStreamObject.isProperty(propertyID)
        ? kAudioFileStreamError_IllegalOperation : kAudioFileStreamError_UnsupportedProperty
}
