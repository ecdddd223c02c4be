// SPDX-License-Identifier: MIT

public import CAQAudioToolbox

// The published listener functions from before the hardware API had objects. Listeners are removed by their
// procedure alone.

/// Adds a procedure that is called when a property of the system changes.
@_cdecl("AudioHardwareAddPropertyListener")
public func audioHardwareAddPropertyListener(
    _ property: AudioHardwarePropertyID, _ procedure: AudioHardwarePropertyListenerProc?,
    _ clientData: UnsafeMutableRawPointer?
) -> OSStatus {
    guard let procedure = unsafe procedure else { return kAudio_ParamError }
    let target = HardwareListenerTarget(unsafe key(of: procedure)) { _, addresses in
        for address in addresses { _ = unsafe procedure(address.mSelector, clientData) }
    }
    return addListener(kAudioObjectSystemObject, ofSystem(property), target)
}

/// Removes a listener that was added with `AudioHardwareAddPropertyListener`.
@_cdecl("AudioHardwareRemovePropertyListener")
public func audioHardwareRemovePropertyListener(
    _ property: AudioHardwarePropertyID, _ procedure: AudioHardwarePropertyListenerProc?
) -> OSStatus {
    guard let procedure = unsafe procedure else { return kAudio_ParamError }
    return removeListener(kAudioObjectSystemObject, ofSystem(property), unsafe key(of: procedure))
}

/// Adds a procedure that is called when a property of a device changes.
@_cdecl("AudioDeviceAddPropertyListener")
public func audioDeviceAddPropertyListener(
    _ device: AudioDeviceID, _ channel: UInt32, _ isInput: Bool, _ property: AudioDevicePropertyID,
    _ procedure: AudioDevicePropertyListenerProc?, _ clientData: UnsafeMutableRawPointer?
) -> OSStatus {
    guard let procedure = unsafe procedure else { return kAudio_ParamError }
    let target = HardwareListenerTarget(unsafe key(of: procedure)) { device, addresses in
        for address in addresses {
            _ = unsafe procedure(device, channel, isInput, address.mSelector, clientData)
        }
    }
    return addListener(device, ofDevice(property, channel, isInput), target)
}

/// Removes a listener that was added with `AudioDeviceAddPropertyListener`.
@_cdecl("AudioDeviceRemovePropertyListener")
public func audioDeviceRemovePropertyListener(
    _ device: AudioDeviceID, _ channel: UInt32, _ isInput: Bool, _ property: AudioDevicePropertyID,
    _ procedure: AudioDevicePropertyListenerProc?
) -> OSStatus {
    guard let procedure = unsafe procedure else { return kAudio_ParamError }
    return removeListener(device, ofDevice(property, channel, isInput), unsafe key(of: procedure))
}

/// Adds a procedure that is called when a property of a stream changes.
@_cdecl("AudioStreamAddPropertyListener")
public func audioStreamAddPropertyListener(
    _ stream: AudioStreamID, _ channel: UInt32, _ property: AudioDevicePropertyID,
    _ procedure: AudioStreamPropertyListenerProc?, _ clientData: UnsafeMutableRawPointer?
) -> OSStatus {
    guard let procedure = unsafe procedure else { return kAudio_ParamError }
    let target = HardwareListenerTarget(unsafe key(of: procedure)) { stream, addresses in
        for address in addresses { _ = unsafe procedure(stream, channel, address.mSelector, clientData) }
    }
    return addListener(stream, ofStream(property, channel), target)
}

/// Removes a listener that was added with `AudioStreamAddPropertyListener`.
@_cdecl("AudioStreamRemovePropertyListener")
public func audioStreamRemovePropertyListener(
    _ stream: AudioStreamID, _ channel: UInt32, _ property: AudioDevicePropertyID,
    _ procedure: AudioStreamPropertyListenerProc?
) -> OSStatus {
    guard let procedure = unsafe procedure else { return kAudio_ParamError }
    return removeListener(stream, ofStream(property, channel), unsafe key(of: procedure))
}

private func key<Procedure>(of procedure: Procedure) -> HardwareListenerKey {
    // SAFETY: a function pointer is an address, which is only compared.
    HardwareListenerKey(unsafe unsafeBitCast(procedure, to: UInt.self))
}
