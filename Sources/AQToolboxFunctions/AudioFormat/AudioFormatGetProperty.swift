// SPDX-License-Identifier: MIT

public import CAQAudioToolbox

/// Returns the size of a property's value for a specifier.
///
/// May be called from any thread.
///
/// - Parameters:
///   - propertyID: The property.
///   - specifierBytes: The size of the specifier in bytes. An array ends with a whole element; otherwise bytes beyond
///     the required ones are ignored.
///   - specifier: The subject of the query; null if there is none.
///   - outBytes: Receives the size.
/// - Returns: `noErr`; `kAudio_ParamError` for a required pointer that is null, an incomplete layout, and values out of
///   range; `kAudioFormatUnsupportedPropertyError`; `kAudioFormatBadSpecifierSizeError`;
///   `kAudioFormatUnsupportedDataFormatError` if there is no value for the specifier;
///   `kAudioFormatUnknownFormatError` for unknown tags and labels.
@_cdecl("AudioFormatGetPropertyInfo")
public func audioFormatGetPropertyInfo(
    _ propertyID: AudioFormatPropertyID, _ specifierBytes: UInt32, _ specifier: UnsafeRawPointer?,
    _ outBytes: UnsafeMutablePointer<UInt32>?
) -> OSStatus {
    guard let outBytes = unsafe outBytes else { return kAudio_ParamError }
    return StatusError.result { () throws(StatusError) in
        let specifier = try unsafe FormatSpecifier(specifier, bytes: specifierBytes)
        let bytes = try FormatAnswers.byteCount(of: propertyID, specifier)
        unsafe outBytes.pointee = UInt32(clamping: bytes)
    }
}

/// Copies the value of a property for a specifier.
///
/// May be called from any thread. Arrays are truncated to the elements that fit; the client has to release strings and
/// dictionaries.
///
/// - Parameters: The same as for ``audioFormatGetPropertyInfo(_:_:_:_:)``.
/// - Parameters:
///   - ioBytes: The size of the memory in bytes; on return that of the value. Null only for a property without a value.
///   - outData: Receives the value; if null, only the size of the value is returned. For
///     `kAudioFormatProperty_FormatInfo` it contains the description to complete.
/// - Returns: As ``audioFormatGetPropertyInfo(_:_:_:_:)``, and `kAudioFormatBadPropertySizeError` if there is no room
///   for the value.
@_cdecl("AudioFormatGetProperty")
public func audioFormatGetProperty(
    _ propertyID: AudioFormatPropertyID, _ specifierBytes: UInt32, _ specifier: UnsafeRawPointer?,
    _ ioBytes: UnsafeMutablePointer<UInt32>?, _ outData: UnsafeMutableRawPointer?
) -> OSStatus {
    guard let data = unsafe outData, let room = unsafe ioBytes else {
        // Without memory only the size is returned. A null size is an error, unless the property has no value.
        var noBytes: UInt32 = 0
        let isValidation = propertyID == kAudioFormatProperty_ValidateChannelLayout
        return unsafe isValidation && ioBytes == nil
            ? audioFormatGetPropertyInfo(propertyID, specifierBytes, specifier, &noBytes)
            : audioFormatGetPropertyInfo(propertyID, specifierBytes, specifier, ioBytes)
    }
    return StatusError.result { () throws(StatusError) in
        let specifier = try unsafe FormatSpecifier(specifier, bytes: specifierBytes)
        let answer: PropertyAnswer
        if propertyID == kAudioFormatProperty_FormatInfo {
            // For this property the client's memory contains the query.
            let question = unsafe UnsafeRawBufferPointer(start: data, count: Int(room.pointee))
            answer = try unsafe FormatAnswers.formatInfo(question, cookie: specifier.bytes)
        } else {
            answer = try FormatAnswers.answer(propertyID, specifier)
        }
        try unsafe PropertyReply(data, room).give(answer, tooSmall: kAudioFormatBadPropertySizeError)
    }
}
