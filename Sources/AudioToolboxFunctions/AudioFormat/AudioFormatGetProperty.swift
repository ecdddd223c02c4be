public import CAudioToolbox

/// Tells how many bytes the value of a property has for a specifier.
///
/// From any thread.
///
/// - Parameters:
///   - propertyID: What is asked.
///   - specifierBytes: Bytes of the specifier; more than the property is asked with are passed over.
///   - specifier: What the property is asked about; null if nothing.
///   - outBytes: Where the number goes.
/// - Returns: `noErr`; `kAudio_ParamError` for null where there must be something;
///   `kAudioFormatUnsupportedPropertyError`; `kAudioFormatBadSpecifierSizeError`;
///   `kAudioFormatUnsupportedDataFormatError` if there is no value for what the specifier tells;
///   `kAudioFormatUnknownFormatError` for tags and labels that are none.
///
/// The corresponding C function is `AudioFormatGetPropertyInfo`.
@_cdecl("AudioFormatGetPropertyInfo")
public func audioFormatGetPropertyInfo(
    _ propertyID: AudioFormatPropertyID, _ specifierBytes: UInt32, _ specifier: UnsafeRawPointer?,
    _ outBytes: UnsafeMutablePointer<UInt32>?
) -> OSStatus {
    guard let outBytes = unsafe outBytes else { return kAudio_ParamError }
    do throws(StatusError) {
        let specifier = try unsafe FormatSpecifier(specifier, bytes: specifierBytes)
        let bytes = try FormatAnswers.byteCount(of: propertyID, specifier)
        unsafe outBytes.pointee = UInt32(clamping: bytes)
        return noErr
    } catch {
        return error.status
    }
}

/// Copies the value of a property for a specifier.
///
/// From any thread. Of arrays as many elements are copied as there is room for; strings and dictionaries are the
/// client's to release.
///
/// - Parameters:
///   - propertyID: What is asked.
///   - specifierBytes: Bytes of the specifier; more than the property is asked with are passed over.
///   - specifier: What the property is asked about; null if nothing.
///   - ioBytes: Bytes of the memory, and then of the value. Null only where there is no value.
///   - outData: Where the value goes; if null, only its size is told.
/// - Returns: As ``audioFormatGetPropertyInfo(_:_:_:_:)``, and `kAudioFormatBadPropertySizeError` if there is no
///   room for the value.
///
/// The corresponding C function is `AudioFormatGetProperty`.
@_cdecl("AudioFormatGetProperty")
public func audioFormatGetProperty(
    _ propertyID: AudioFormatPropertyID, _ specifierBytes: UInt32, _ specifier: UnsafeRawPointer?,
    _ ioBytes: UnsafeMutablePointer<UInt32>?, _ outData: UnsafeMutableRawPointer?
) -> OSStatus {
    guard let data = unsafe outData, let room = unsafe ioBytes else {
        if propertyID == kAudioFormatProperty_ValidateChannelLayout {
            return unsafe validate(specifierBytes, specifier, ioBytes)
        }
        // A null size is an error here, and what asks for the size alone is answered.
        return unsafe audioFormatGetPropertyInfo(propertyID, specifierBytes, specifier, ioBytes)
    }
    do throws(StatusError) {
        let specifier = try unsafe FormatSpecifier(specifier, bytes: specifierBytes)
        let answer: PropertyAnswer
        if propertyID == kAudioFormatProperty_FormatInfo {
            // What stands in the memory is the question here.
            let question = unsafe UnsafeRawBufferPointer(start: data, count: Int(room.pointee))
            answer = try unsafe FormatAnswers.formatInfo(question, cookie: specifier.bytes)
        } else {
            answer = try FormatAnswers.answer(propertyID, specifier)
        }
        return unsafe answer.deliver(
            to: data, room, tooSmall: kAudioFormatBadPropertySizeError)
    } catch {
        return error.status
    }
}

/// Validates a layout, of which nothing but the result is told.
private func validate(
    _ specifierBytes: UInt32, _ specifier: UnsafeRawPointer?, _ ioBytes: UnsafeMutablePointer<UInt32>?
) -> OSStatus {
    do throws(StatusError) {
        let specifier = try unsafe FormatSpecifier(specifier, bytes: specifierBytes)
        _ = try FormatAnswers.answer(kAudioFormatProperty_ValidateChannelLayout, specifier)
        if let ioBytes = unsafe ioBytes { unsafe ioBytes.pointee = 0 }
        return noErr
    } catch {
        return error.status
    }
}
