// SPDX-License-Identifier: MIT

import AudioUnits
public import CAudioToolbox
import CoreAudioTypes

// The published functions that render audio units.

/// Renders an output bus of a unit: of an I/O unit bus 1, the captured frames.
///
/// May be called from any thread; does not wait.
///
/// - Parameters:
///   - ioFlags: May be NULL.
///   - time: The time of the first frame, as passed to the client's callback.
///   - list: A buffer for each channel of a non-interleaved format, otherwise one buffer. Buffers without memory get
///     memory of the unit, which is valid until the next call. Sizes are set to what was rendered.
/// - Returns: `kAudio_ParamError` for a null pointer and a list that does not fit, `kAudioUnitErr_Uninitialized`,
///   `kAudioUnitErr_InvalidElement`, `kAudioUnitErr_TooManyFramesToProcess` beyond MaximumFramesPerSlice,
///   `kAudioUnitErr_CannotDoInCurrentContext` if fewer frames were captured, `kAudioUnitErr_NoConnection`; the status
///   of a callback.
@_cdecl("AudioUnitRender")
public func audioUnitRender(
    _ handle: AudioUnit?, _ ioFlags: UnsafeMutablePointer<AudioUnitRenderActionFlags>?,
    _ time: UnsafePointer<AudioTimeStamp>?, _ bus: UInt32, _ frames: UInt32,
    _ list: UnsafeMutablePointer<AudioBufferList>?
) -> OSStatus {
    guard let time = unsafe time, let list = unsafe list else { return kAudio_ParamError }
    return unsafe unitStatus(handle) { (instance) throws(UnitError) in
        var actions = unsafe RenderActions(rawValue: ioFlags?.pointee.rawValue ?? 0)
        let buffers = unsafe UnsafeMutableAudioBufferListPointer(list)
        try unsafe instance.unit.render(
            &actions, time, bus: Int(bus), frames: Int(frames), into: buffers)
        unsafe ioFlags?.pointee = AudioUnitRenderActionFlags(rawValue: actions.rawValue)
    }
}

/// Adds a procedure that is called before and after each render of the unit's output, on the same thread.
///
/// - Returns: `kAudio_ParamError` for a null procedure or a value that is no unit.
@_cdecl("AudioUnitAddRenderNotify")
public func audioUnitAddRenderNotify(
    _ handle: AudioUnit?, _ procedure: AURenderCallback?, _ context: UnsafeMutableRawPointer?
) -> OSStatus {
    guard let procedure = unsafe procedure else { return kAudio_ParamError }
    return unsafe unitStatus(handle) { (instance) throws(UnitError) in
        unsafe instance.addObserver(procedure, context)
    }
}

/// Removes a procedure that was added with the same arguments. It is no error if there is none.
@_cdecl("AudioUnitRemoveRenderNotify")
public func audioUnitRemoveRenderNotify(
    _ handle: AudioUnit?, _ procedure: AURenderCallback?, _ context: UnsafeMutableRawPointer?
) -> OSStatus {
    guard let procedure = unsafe procedure else { return kAudio_ParamError }
    return unsafe unitStatus(handle) { (instance) throws(UnitError) in
        unsafe instance.removeObserver(procedure, context)
    }
}

/// Drops the audio that a unit holds. No setting is changed. Every scope and element is accepted.
@_cdecl("AudioUnitReset")
public func audioUnitReset(
    _ handle: AudioUnit?, _ scope: AudioUnitScope, _ element: AudioUnitElement
) -> OSStatus {
    unsafe unitStatus(handle) { (instance) throws(UnitError) in instance.unit.reset() }
}

/// Processes frames in place. Not implemented: returns `kAudio_ParamError`.
@_cdecl("AudioUnitProcess")
public func audioUnitProcess(
    _ unit: AudioUnit?, _ ioActionFlags: UnsafeMutablePointer<AudioUnitRenderActionFlags>?,
    _ timeStamp: UnsafePointer<AudioTimeStamp>?, _ frameCount: UInt32,
    _ ioData: UnsafeMutablePointer<AudioBufferList>?
) -> OSStatus { UnsupportedFunction.audioUnitProcess.status }
