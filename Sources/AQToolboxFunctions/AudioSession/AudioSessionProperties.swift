// SPDX-License-Identifier: MIT

public import CAQAudioToolbox

// The published functions for the properties of the audio session, and their listeners.

/// Copies the value of a property. The client releases objects.
///
/// Properties of the hardware are queried from the server, whose answer the call awaits.
///
/// - Parameters:
///   - ioBytes: The size of the memory in bytes; on return that of the value.
///   - data: Receives the value.
/// - Returns: `kAudioSessionNotInitialized`; `kAudioSessionUnsupportedPropertyError` for a property that is unknown, or
///   cannot be read; `kAudioSessionBadPropertySizeError` for too little memory; `kAudioServicesNoHardwareError` for a
///   property of the hardware if there is no device or no server; `kAudio_ParamError` for NULL.
@_cdecl("AudioSessionGetProperty")
public func audioSessionGetProperty(
    _ property: AudioSessionPropertyID, _ ioBytes: UnsafeMutablePointer<UInt32>?,
    _ data: UnsafeMutableRawPointer?
) -> OSStatus {
    let reply = unsafe PropertyReply(data, ioBytes)
    return sessionStatus { (client) throws(StatusError) in
        guard let read = try SessionProperty.find(property).read else {
            throw StatusError(kAudioSessionUnsupportedPropertyError)
        }
        guard !reply.isNull else { throw StatusError(kAudio_ParamError) }
        try reply.give(try read(client), tooSmall: kAudioSessionBadPropertySizeError)
    }
}

/// Returns the size of a property's value, also of one that has only listeners or can only be set.
///
/// - Returns: `kAudioSessionNotInitialized`, `kAudioSessionUnsupportedPropertyError` for an unknown property,
///   `kAudio_ParamError` for NULL.
@_cdecl("AudioSessionGetPropertySize")
public func audioSessionGetPropertySize(
    _ property: AudioSessionPropertyID, _ outBytes: UnsafeMutablePointer<UInt32>?
) -> OSStatus {
    sessionStatus { (_) throws(StatusError) in
        let found = try SessionProperty.find(property)
        guard let outBytes = unsafe outBytes else { throw StatusError(kAudio_ParamError) }
        unsafe outBytes.pointee = UInt32(found.byteCount)
    }
}

/// Sets a property. Never waits for the server.
///
/// - Returns: `kAudioSessionNotInitialized`; `kAudioSessionUnsupportedPropertyError` for a property that is unknown or
///   cannot be set, and for an invalid value; `kAudioSessionBadPropertySizeError` for another size;
///   `kAudioSessionIncompatibleCategory` for a value that the category does not allow; `kAudio_ParamError` for NULL.
@_cdecl("AudioSessionSetProperty")
public func audioSessionSetProperty(
    _ property: AudioSessionPropertyID, _ bytes: UInt32, _ data: UnsafeRawPointer?
) -> OSStatus {
    sessionStatus { (client) throws(StatusError) in
        let found = try SessionProperty.find(property)
        guard let write = found.write else { throw StatusError(kAudioSessionUnsupportedPropertyError) }
        guard Int(bytes) == found.byteCount else { throw StatusError(kAudioSessionBadPropertySizeError) }
        guard let data = unsafe data else { throw StatusError(kAudio_ParamError) }
        try write(client, unsafe Array(UnsafeRawBufferPointer(start: data, count: Int(bytes))))
    }
}

/// Adds a listener, which is called on the session's run loop when the property has changed.
///
/// A listener that was added with the same arguments is replaced. The first listener makes the library query the server,
/// and wait for its answer.
///
/// - Returns: `kAudioSessionNotInitialized`; `kAudioSessionUnsupportedPropertyError` for a property without listeners;
///   `kAudioSessionUnspecifiedError` if no thread can be made; `kAudio_ParamError` without a procedure.
@_cdecl("AudioSessionAddPropertyListener")
public func audioSessionAddPropertyListener(
    _ property: AudioSessionPropertyID, _ procedure: AudioSessionPropertyListener?,
    _ clientData: UnsafeMutableRawPointer?
) -> OSStatus {
    sessionStatus { (client) throws(StatusError) in
        try requireListeners(of: property)
        guard let procedure = unsafe procedure else { throw StatusError(kAudio_ParamError) }
        try client.add(unsafe PropertyListener(property, procedure, clientData))
    }
}

/// Removes a listener that was added with the same arguments. Does nothing if there is none.
///
/// - Returns: As ``audioSessionAddPropertyListener(_:_:_:)``.
@_cdecl("AudioSessionRemovePropertyListenerWithUserData")
public func audioSessionRemovePropertyListenerWithUserData(
    _ property: AudioSessionPropertyID, _ procedure: AudioSessionPropertyListener?,
    _ clientData: UnsafeMutableRawPointer?
) -> OSStatus {
    sessionStatus { (client) throws(StatusError) in
        try requireListeners(of: property)
        guard let procedure = unsafe procedure else { throw StatusError(kAudio_ParamError) }
        let key = unsafe SessionClient.ListenerKey(property, procedure, clientData)
        client.removeListeners { $0 == key }
    }
}

/// Removes all listeners of a property.
///
/// - Returns: As ``audioSessionAddPropertyListener(_:_:_:)``.
@_cdecl("AudioSessionRemovePropertyListener")
public func audioSessionRemovePropertyListener(_ property: AudioSessionPropertyID) -> OSStatus {
    sessionStatus { (client) throws(StatusError) in
        try requireListeners(of: property)
        client.removeListeners { $0.property == property }
    }
}

private func requireListeners(of property: AudioSessionPropertyID) throws(StatusError) {
    guard try SessionProperty.find(property).hasListeners else {
        throw StatusError(kAudioSessionUnsupportedPropertyError)
    }
}
