// SPDX-License-Identifier: MIT

public import CAQAudioToolbox
import CoreAudioTypes

/// Returns the largest size of a property's value, and whether the property can be set.
///
/// - Returns: `kAudioConverterErr_PropertyNotSupported` for a property that does not exist, or not for these
///   formats.
@_cdecl("AudioConverterGetPropertyInfo")
public func audioConverterGetPropertyInfo(
    _ converter: AudioConverterRef?, _ property: AudioConverterPropertyID,
    _ bytes: UnsafeMutablePointer<UInt32>?, _ isWritable: UnsafeMutablePointer<Bool>?
) -> OSStatus {
    guard let object = unsafe ConverterObject.handles[converter] else { return kAudio_ParamError }
    let count: Int
    if let answer = object.answer(to: property) {
        count = answer.byteCount
    } else if object.translation(of: 0, for: property) != nil {
        count = MemoryLayout<UInt32>.size
    } else if property == kAudioConverterPropertySettings {
        count = MemoryLayout<UInt>.size
    } else if property == kAudioConverterDecompressionMagicCookie, object.isDecoding {
        count = object.request.magicCookie.count
    } else {
        return kAudioConverterErr_PropertyNotSupported
    }
    unsafe bytes?.pointee = UInt32(clamping: count)
    unsafe isWritable?.pointee = ConverterObject.isWritable(property)
    return noErr
}

/// Copies a property's value.
///
/// The two properties that translate numbers of bytes read the number from `data` first. The caller has to
/// release the object of `kAudioConverterPropertySettings`.
///
/// - Returns: `kAudioConverterErr_PropertyNotSupported` for a property that does not exist, or not for these
///   formats; `kAudioConverterErr_BadPropertySizeError` if the value does not fit.
@_cdecl("AudioConverterGetProperty")
public func audioConverterGetProperty(
    _ converter: AudioConverterRef?, _ property: AudioConverterPropertyID,
    _ ioBytes: UnsafeMutablePointer<UInt32>?, _ data: UnsafeMutableRawPointer?
) -> OSStatus {
    guard let object = unsafe ConverterObject.handles[converter], let ioBytes = unsafe ioBytes,
        let data = unsafe data
    else { return kAudio_ParamError }
    let tooSmall = kAudioConverterErr_BadPropertySizeError
    let reply = unsafe PropertyReply(data, ioBytes)
    if object.translation(of: 0, for: property) != nil {
        guard let bytes = reply.input(as: UInt32.self),
            let translated = object.translation(of: bytes, for: property)
        else { return tooSmall }
        return reply.status(ofGiving: .one(translated), tooSmall: tooSmall)
    }
    if property == kAudioConverterPropertySettings {
        return reply.status(ofGiving: .object { ConverterSettings.list(of: object) }, tooSmall: tooSmall)
    }
    guard let answer = object.answer(to: property) else { return kAudioConverterErr_PropertyNotSupported }
    return reply.status(ofGiving: answer, tooSmall: tooSmall)
}

/// Sets a property.
///
/// A change after the first output takes effect at the next `AudioConverterReset`.
///
/// - Returns: `kAudioConverterErr_PropertyNotSupported` for a property that does not exist, or not for these
///   formats; `kAudioConverterErr_BadPropertySizeError` for a value of another size; `kAudio_ParamError` for
///   a value out of range; `kAudioConverterErr_OutputSampleRateOutOfRange` for such a rate of the encoder;
///   `kAudioConverterErr_OperationNotSupported` for a property that cannot be set, or not to this value; the
///   codec's errors. After an error nothing is changed.
@_cdecl("AudioConverterSetProperty")
public func audioConverterSetProperty(
    _ converter: AudioConverterRef?, _ property: AudioConverterPropertyID, _ bytes: UInt32,
    _ data: UnsafeRawPointer?
) -> OSStatus {
    guard let object = unsafe ConverterObject.handles[converter], unsafe data != nil || bytes == 0 else {
        return kAudio_ParamError
    }
    return StatusError.result { () throws(StatusError) in
        try unsafe object.set(property, to: UnsafeRawBufferPointer(start: data, count: Int(bytes)))
    }
}
