// SPDX-License-Identifier: MIT

import AQDevices
public import CAQAudioToolbox

// The published functions that read and set the properties of objects of the hardware API.

/// Returns whether an object has a property in a scope.
///
/// The result is false for an object that does not exist, and for a device or stream while no server answers.
///
/// May be called from any thread; queries the server, except for the system object, and waits for its answer.
@_cdecl("AudioObjectHasProperty")
public func audioObjectHasProperty(
    _ objectID: AudioObjectID, _ address: UnsafePointer<AudioObjectPropertyAddress>?
) -> Bool {
    guard let address = unsafe address?.pointee, !ForkedChild.isCurrent,
        let object = Hardware.shared.objects.object(numbered: objectID)
    else { return false }
    return Hardware.shared.hasProperty(address, of: object)
}

/// Returns whether a property can be set.
///
/// - Returns: `kAudio_ParamError` for a null pointer, `kAudioHardwareBadObjectError` for a number without an
///   object, `kAudioHardwareUnknownPropertyError` for a property that no object of its class has.
@_cdecl("AudioObjectIsPropertySettable")
public func audioObjectIsPropertySettable(
    _ objectID: AudioObjectID, _ address: UnsafePointer<AudioObjectPropertyAddress>?,
    _ outIsSettable: UnsafeMutablePointer<Bool>?
) -> OSStatus {
    guard let address = unsafe address?.pointee, let outIsSettable = unsafe outIsSettable else {
        return kAudio_ParamError
    }
    return hardwareStatus { () throws(StatusError) in
        let object = try Hardware.shared.object(numbered: objectID)
        let isSettable = try Hardware.shared.isSettable(address, of: object)
        unsafe outIsSettable.pointee = isSettable
    }
}

/// Returns the current size of a property's value in bytes. A list may have another length when it is read.
///
/// May be called from any thread; queries the server, and waits for its answer.
///
/// - Returns: As ``audioObjectGetPropertyData(_:_:_:_:_:_:)``.
@_cdecl("AudioObjectGetPropertyDataSize")
public func audioObjectGetPropertyDataSize(
    _ objectID: AudioObjectID, _ address: UnsafePointer<AudioObjectPropertyAddress>?,
    _ qualifierBytes: UInt32, _ qualifier: UnsafeRawPointer?, _ outBytes: UnsafeMutablePointer<UInt32>?
) -> OSStatus {
    guard let address = unsafe address?.pointee, let outBytes = unsafe outBytes else {
        return kAudio_ParamError
    }
    return hardwareStatus { () throws(StatusError) in
        let object = try Hardware.shared.object(numbered: objectID)
        if object == .system, address.mSelector == kAudioHardwarePropertyDeviceForUID {
            unsafe outBytes.pointee = UInt32(MemoryLayout<AudioValueTranslation>.size)
            return
        }
        // All strings have the same size here, so no qualifier is needed.
        let value = try Hardware.shared.value(of: address, of: object)
        unsafe outBytes.pointee = UInt32(clamping: value.byteCount)
    }
}

/// Copies a property's value into the caller's memory.
///
/// May be called from any thread; queries the server, and waits for its answer. The caller has to release
/// strings.
///
/// - Parameters:
///   - qualifier: A `CFStringRef` for `kAudioHardwarePropertyTranslateUIDToDevice`; ignored for other
///     properties.
///   - ioBytes: The size of the memory in bytes; on return that of the value. Lists are truncated to fit.
/// - Returns: `kAudio_ParamError` for a null pointer, `kAudioHardwareBadObjectError` for an object that does
///   not exist, `kAudioHardwareUnknownPropertyError` for a property that the object does not have,
///   `kAudioHardwareBadPropertySizeError` if the memory or the qualifier is too small,
///   `kAudioHardwareNotRunningError` if no sound server answers.
@_cdecl("AudioObjectGetPropertyData")
public func audioObjectGetPropertyData(
    _ objectID: AudioObjectID, _ address: UnsafePointer<AudioObjectPropertyAddress>?,
    _ qualifierBytes: UInt32, _ qualifier: UnsafeRawPointer?, _ ioBytes: UnsafeMutablePointer<UInt32>?,
    _ data: UnsafeMutableRawPointer?
) -> OSStatus {
    guard let address = unsafe address?.pointee, unsafe ioBytes != nil, unsafe data != nil else {
        return kAudio_ParamError
    }
    let reply = unsafe PropertyReply(data, ioBytes)
    return hardwareStatus { () throws(StatusError) in
        let object = try Hardware.shared.object(numbered: objectID)
        if object == .system, address.mSelector == kAudioHardwarePropertyDeviceForUID {
            try Hardware.shared.translateDeviceUID(reply)
            return
        }
        var uid: String?
        if object == .system, address.mSelector == kAudioHardwarePropertyTranslateUIDToDevice {
            uid = try unsafe HardwareQualifier.text(qualifier, bytes: qualifierBytes)
        }
        let value = try Hardware.shared.value(of: address, of: object, qualifier: uid)
        let answer = value.answer(numbering: Hardware.shared.objects)
        try reply.give(answer, tooSmall: kAudioHardwareBadPropertySizeError)
    }
}

/// Sets a property: the volume and the switch of a device, the length of its cycles in this process, its rate and
/// formats to the current ones, or the run loop of listeners to NULL.
///
/// May be called from any thread; waits for the server's answer. Volumes and lengths out of range count as the nearer
/// bound.
///
/// - Returns: `kAudio_ParamError` for a null pointer, `kAudioHardwareBadObjectError` and
///   `kAudioHardwareUnknownPropertyError` as for reading, `kAudioHardwareUnsupportedOperationError` for a
///   property that cannot be set, and for a run loop; `kAudioHardwareBadPropertySizeError` for a value of another
///   size, `kAudioDeviceUnsupportedFormatError` for a rate or format other than the device's,
///   `kAudioHardwareBadDeviceError` for a device that disappears meanwhile, `kAudioHardwareNotRunningError` if no sound
///   server answers.
@_cdecl("AudioObjectSetPropertyData")
public func audioObjectSetPropertyData(
    _ objectID: AudioObjectID, _ address: UnsafePointer<AudioObjectPropertyAddress>?,
    _ qualifierBytes: UInt32, _ qualifier: UnsafeRawPointer?, _ bytes: UInt32, _ data: UnsafeRawPointer?
) -> OSStatus {
    guard let address = unsafe address?.pointee, let data = unsafe data else { return kAudio_ParamError }
    return hardwareStatus { () throws(StatusError) in
        let object = try Hardware.shared.object(numbered: objectID)
        try Hardware.shared.set(address, of: object, to: unsafe HardwareData(data, bytes))
    }
}

/// Returns the result of `body`, which is not called in a forked child: the connection belongs to the parent.
func hardwareStatus(_ body: () throws(StatusError) -> Void) -> OSStatus {
    if ForkedChild.isCurrent { return kAudioHardwareNotRunningError }
    return StatusError.result(of: body)
}
