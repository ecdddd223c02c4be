// SPDX-License-Identifier: MIT

import AQUnits
public import CAQAudioToolbox

// The published functions for properties, listeners and parameters of audio units. They may be called from any thread.

/// Returns the size of a property's value, and whether the property can be set.
///
/// - Returns: `kAudioUnitErr_InvalidProperty`, `kAudioUnitErr_InvalidScope`, `kAudioUnitErr_InvalidElement`,
///   `kAudio_ParamError`.
@_cdecl("AudioUnitGetPropertyInfo")
public func audioUnitGetPropertyInfo(
    _ handle: AudioUnit?, _ id: AudioUnitPropertyID, _ scope: AudioUnitScope, _ element: AudioUnitElement,
    _ outSize: UnsafeMutablePointer<UInt32>?, _ outIsWritable: UnsafeMutablePointer<Bool>?
) -> OSStatus {
    let property = UnitProperty(id, scope, element)
    return unsafe unitStatus(handle) { (instance) throws(UnitError) in
        let size: Int
        if let fixed = instance.unit.sizeToSet(property) {
            size = fixed
        } else {
            size = try instance.unit.value(of: property).byteCount
        }
        unsafe outSize?.pointee = UInt32(clamping: size)
        unsafe outIsWritable?.pointee = instance.unit.isWritable(property)
    }
}

/// Copies a property's value into the caller's memory.
///
/// - Parameters:
///   - data: Memory for the value; NULL to get its size only.
///   - ioSize: The size of the memory in bytes; on return that of the value, of which as much is copied as fits.
/// - Returns: As `AudioUnitGetPropertyInfo`; `kAudio_ParamError` also for memory of no bytes.
@_cdecl("AudioUnitGetProperty")
public func audioUnitGetProperty(
    _ handle: AudioUnit?, _ id: AudioUnitPropertyID, _ scope: AudioUnitScope, _ element: AudioUnitElement,
    _ data: UnsafeMutableRawPointer?, _ ioSize: UnsafeMutablePointer<UInt32>?
) -> OSStatus {
    let property = UnitProperty(id, scope, element)
    var status = noErr
    let found = unsafe unitStatus(handle) { (instance) throws(UnitError) in
        let answer = try instance.unit.value(of: property)
        if unsafe data == nil, let ioSize = unsafe ioSize {
            unsafe ioSize.pointee = UInt32(clamping: answer.byteCount)
            return
        }
        // COMPAT: a program may ask for less than the value, such as one byte of a number that is 0 or 1.
        status = unsafe PropertyReply(data, ioSize).status(ofGivingFirstBytesOf: answer)
        // The size alone, or a value that does not fit, leaves it.
        if status == noErr, id == kAudioUnitProperty_LastRenderError { instance.unit.clearLastRenderError() }
    }
    return found != noErr ? found : status
}

/// Sets a property.
///
/// - Parameter data: The new value; NULL removes it, if the property can be without a value.
/// - Returns: As `AudioUnitGetPropertyInfo`; `kAudioUnitErr_PropertyNotWritable`, `kAudioUnitErr_Initialized` if the
///   property cannot be set now, `kAudioUnitErr_InvalidPropertyValue`, `kAudioUnitErr_FormatNotSupported`.
@_cdecl("AudioUnitSetProperty")
public func audioUnitSetProperty(
    _ handle: AudioUnit?, _ id: AudioUnitPropertyID, _ scope: AudioUnitScope, _ element: AudioUnitElement,
    _ data: UnsafeRawPointer?, _ size: UInt32
) -> OSStatus {
    guard unsafe data != nil || size == 0 else { return kAudio_ParamError }
    return unsafe unitStatus(handle) { (instance) throws(UnitError) in
        try unsafe instance.unit.set(UnitProperty(id, scope, element), UnitPropertyData(data, size))
    }
}

/// Adds a procedure that is called after a property has changed, on the thread that has changed it.
///
/// - Returns: `kAudio_ParamError` for a null procedure or a value that is no unit.
@_cdecl("AudioUnitAddPropertyListener")
public func audioUnitAddPropertyListener(
    _ handle: AudioUnit?, _ id: AudioUnitPropertyID, _ procedure: AudioUnitPropertyListenerProc?,
    _ context: UnsafeMutableRawPointer?
) -> OSStatus {
    guard let procedure = unsafe procedure else { return kAudio_ParamError }
    return unsafe unitStatus(handle) { (instance) throws(UnitError) in
        unsafe instance.addListener(id, procedure, context)
    }
}

/// Removes a procedure that was added with the same arguments. It is no error if there is none.
@_cdecl("AudioUnitRemovePropertyListenerWithUserData")
public func audioUnitRemovePropertyListenerWithUserData(
    _ handle: AudioUnit?, _ id: AudioUnitPropertyID, _ procedure: AudioUnitPropertyListenerProc?,
    _ context: UnsafeMutableRawPointer?
) -> OSStatus {
    guard let procedure = unsafe procedure else { return kAudio_ParamError }
    return unsafe unitStatus(handle) { (instance) throws(UnitError) in
        unsafe instance.removeListeners(id, procedure, context: .some(context))
    }
}

/// Removes a procedure that was added with any context.
@_cdecl("AudioUnitRemovePropertyListener")
public func audioUnitRemovePropertyListener(
    _ handle: AudioUnit?, _ id: AudioUnitPropertyID, _ procedure: AudioUnitPropertyListenerProc?
) -> OSStatus {
    guard let procedure = unsafe procedure else { return kAudio_ParamError }
    return unsafe unitStatus(handle) { (instance) throws(UnitError) in
        unsafe instance.removeListeners(id, procedure, context: nil)
    }
}

/// Returns the value of a parameter.
///
/// - Returns: `kAudioUnitErr_InvalidParameter`, `kAudioUnitErr_InvalidScope`, `kAudioUnitErr_InvalidElement`,
///   `kAudio_ParamError`.
@_cdecl("AudioUnitGetParameter")
public func audioUnitGetParameter(
    _ handle: AudioUnit?, _ id: AudioUnitParameterID, _ scope: AudioUnitScope, _ element: AudioUnitElement,
    _ outValue: UnsafeMutablePointer<AudioUnitParameterValue>?
) -> OSStatus {
    guard let outValue = unsafe outValue else { return kAudio_ParamError }
    return unsafe unitStatus(handle) { (instance) throws(UnitError) in
        unsafe outValue.pointee = try instance.unit.parameter(UnitProperty(id, scope, element))
    }
}

/// Sets a parameter.
///
/// - Parameter offset: The frame of the next slice from which the value applies.
/// - Returns: As `AudioUnitGetParameter`.
@_cdecl("AudioUnitSetParameter")
public func audioUnitSetParameter(
    _ handle: AudioUnit?, _ id: AudioUnitParameterID, _ scope: AudioUnitScope, _ element: AudioUnitElement,
    _ value: AudioUnitParameterValue, _ offset: UInt32
) -> OSStatus {
    unsafe unitStatus(handle) { (instance) throws(UnitError) in
        try instance.unit.setParameter(
            UnitProperty(id, scope, element), value, offset: Int(offset))
    }
}

/// Sets parameters for the next slice. Ramps end at once with their last value.
///
/// - Returns: As `AudioUnitGetParameter`, for the first event that cannot be carried out; the events before it were.
@_cdecl("AudioUnitScheduleParameters")
public func audioUnitScheduleParameters(
    _ handle: AudioUnit?, _ events: UnsafePointer<AudioUnitParameterEvent>?, _ count: UInt32
) -> OSStatus {
    guard let events = unsafe events else { return count == 0 ? noErr : kAudio_ParamError }
    return unsafe unitStatus(handle) { (instance) throws(UnitError) in
        for index in 0..<Int(count) {
            // SAFETY: the caller guarantees `count` events.
            let event = unsafe events[index]
            let place = UnitProperty(event.parameter, event.scope, event.element)
            switch event.eventType {
            case .parameterEvent_Immediate:
                try unsafe instance.unit.setParameter(
                    place, event.eventValues.immediate.value,
                    offset: Int(event.eventValues.immediate.bufferOffset))
            case .parameterEvent_Ramped:
                try unsafe instance.unit.setParameter(
                    place, event.eventValues.ramp.endValue,
                    offset: Int(max(0, event.eventValues.ramp.startBufferOffset)))
            default: throw UnitError(.parameter, "no such type of event")
            }
        }
    }
}
