// SPDX-License-Identifier: MIT

public import CAudioToolbox

// The published functions of audio units, which are not implemented: see ``UnsupportedFunction``. Each returns
// `kAudio_ParamError` for NULL and for a unit that does not exist.

/// Prepares the unit for rendering.
@_cdecl("AudioUnitInitialize")
public func audioUnitInitialize(_ unit: AudioUnit?) -> OSStatus {
    UnsupportedFunction.audioUnitInitialize.status
}

/// Ends the preparation for rendering.
@_cdecl("AudioUnitUninitialize")
public func audioUnitUninitialize(_ unit: AudioUnit?) -> OSStatus {
    UnsupportedFunction.audioUnitUninitialize.status
}

/// Drops the audio that the unit holds.
@_cdecl("AudioUnitReset")
public func audioUnitReset(
    _ unit: AudioUnit?, _ scope: AudioUnitScope, _ element: AudioUnitElement
) -> OSStatus {
    UnsupportedFunction.audioUnitReset.status
}

/// Returns the size of a property's value, and whether the property can be set.
@_cdecl("AudioUnitGetPropertyInfo")
public func audioUnitGetPropertyInfo(
    _ unit: AudioUnit?, _ property: AudioUnitPropertyID, _ scope: AudioUnitScope, _ element: AudioUnitElement,
    _ outSize: UnsafeMutablePointer<UInt32>?, _ outIsWritable: UnsafeMutablePointer<Bool>?
) -> OSStatus { UnsupportedFunction.audioUnitGetPropertyInfo.status }

/// Copies a property's value.
@_cdecl("AudioUnitGetProperty")
public func audioUnitGetProperty(
    _ unit: AudioUnit?, _ property: AudioUnitPropertyID, _ scope: AudioUnitScope, _ element: AudioUnitElement,
    _ data: UnsafeMutableRawPointer?, _ ioSize: UnsafeMutablePointer<UInt32>?
) -> OSStatus { UnsupportedFunction.audioUnitGetProperty.status }

/// Sets a property.
@_cdecl("AudioUnitSetProperty")
public func audioUnitSetProperty(
    _ unit: AudioUnit?, _ property: AudioUnitPropertyID, _ scope: AudioUnitScope, _ element: AudioUnitElement,
    _ data: UnsafeRawPointer?, _ byteCount: UInt32
) -> OSStatus { UnsupportedFunction.audioUnitSetProperty.status }

/// Adds a listener that is called when the property changes.
@_cdecl("AudioUnitAddPropertyListener")
public func audioUnitAddPropertyListener(
    _ unit: AudioUnit?, _ property: AudioUnitPropertyID, _ procedure: AudioUnitPropertyListenerProc?,
    _ userData: UnsafeMutableRawPointer?
) -> OSStatus { UnsupportedFunction.audioUnitAddPropertyListener.status }

/// Removes a listener that was added with the same arguments.
@_cdecl("AudioUnitRemovePropertyListenerWithUserData")
public func audioUnitRemovePropertyListenerWithUserData(
    _ unit: AudioUnit?, _ property: AudioUnitPropertyID, _ procedure: AudioUnitPropertyListenerProc?,
    _ userData: UnsafeMutableRawPointer?
) -> OSStatus { UnsupportedFunction.audioUnitRemovePropertyListenerWithUserData.status }

/// Removes the listeners of a procedure, with any user data.
@_cdecl("AudioUnitRemovePropertyListener")
public func audioUnitRemovePropertyListener(
    _ unit: AudioUnit?, _ property: AudioUnitPropertyID, _ procedure: AudioUnitPropertyListenerProc?
) -> OSStatus { UnsupportedFunction.audioUnitRemovePropertyListener.status }

/// Adds a procedure that is called before and after each render.
@_cdecl("AudioUnitAddRenderNotify")
public func audioUnitAddRenderNotify(
    _ unit: AudioUnit?, _ procedure: AURenderCallback?, _ userData: UnsafeMutableRawPointer?
) -> OSStatus { UnsupportedFunction.audioUnitAddRenderNotify.status }

/// Removes a procedure that was added with the same arguments.
@_cdecl("AudioUnitRemoveRenderNotify")
public func audioUnitRemoveRenderNotify(
    _ unit: AudioUnit?, _ procedure: AURenderCallback?, _ userData: UnsafeMutableRawPointer?
) -> OSStatus { UnsupportedFunction.audioUnitRemoveRenderNotify.status }

/// Returns the value of a parameter.
@_cdecl("AudioUnitGetParameter")
public func audioUnitGetParameter(
    _ unit: AudioUnit?, _ parameter: AudioUnitParameterID, _ scope: AudioUnitScope,
    _ element: AudioUnitElement, _ outValue: UnsafeMutablePointer<AudioUnitParameterValue>?
) -> OSStatus { UnsupportedFunction.audioUnitGetParameter.status }

/// Sets a parameter.
@_cdecl("AudioUnitSetParameter")
public func audioUnitSetParameter(
    _ unit: AudioUnit?, _ parameter: AudioUnitParameterID, _ scope: AudioUnitScope,
    _ element: AudioUnitElement, _ value: AudioUnitParameterValue, _ bufferOffsetFrames: UInt32
) -> OSStatus { UnsupportedFunction.audioUnitSetParameter.status }

/// Schedules changes of parameters within the next slice.
@_cdecl("AudioUnitScheduleParameters")
public func audioUnitScheduleParameters(
    _ unit: AudioUnit?, _ events: UnsafePointer<AudioUnitParameterEvent>?, _ eventCount: UInt32
) -> OSStatus { UnsupportedFunction.audioUnitScheduleParameters.status }

/// Renders frames of an output bus.
@_cdecl("AudioUnitRender")
public func audioUnitRender(
    _ unit: AudioUnit?, _ ioActionFlags: UnsafeMutablePointer<AudioUnitRenderActionFlags>?,
    _ timeStamp: UnsafePointer<AudioTimeStamp>?, _ bus: UInt32, _ frameCount: UInt32,
    _ ioData: UnsafeMutablePointer<AudioBufferList>?
) -> OSStatus { UnsupportedFunction.audioUnitRender.status }

/// Processes frames in place.
@_cdecl("AudioUnitProcess")
public func audioUnitProcess(
    _ unit: AudioUnit?, _ ioActionFlags: UnsafeMutablePointer<AudioUnitRenderActionFlags>?,
    _ timeStamp: UnsafePointer<AudioTimeStamp>?, _ frameCount: UInt32,
    _ ioData: UnsafeMutablePointer<AudioBufferList>?
) -> OSStatus { UnsupportedFunction.audioUnitProcess.status }

/// Starts an I/O unit.
@_cdecl("AudioOutputUnitStart")
public func audioOutputUnitStart(_ unit: AudioUnit?) -> OSStatus {
    UnsupportedFunction.audioOutputUnitStart.status
}

/// Stops an I/O unit.
@_cdecl("AudioOutputUnitStop")
public func audioOutputUnitStop(_ unit: AudioUnit?) -> OSStatus {
    UnsupportedFunction.audioOutputUnitStop.status
}
