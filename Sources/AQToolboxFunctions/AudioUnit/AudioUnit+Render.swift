// SPDX-License-Identifier: MIT

import AQUnits
public import CAQAudioToolbox
import CoreAudioTypes

// The published functions that render audio units.

/// Renders an output bus of a unit: of an I/O unit bus 1, the captured frames; of other units bus 0, for which the
/// sources of the inputs are called.
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
///   `kAudioUnitErr_CannotDoInCurrentContext` if fewer frames were captured, or if the unit renders already;
///   `kAudioUnitErr_NoConnection`; the status of a callback.
@_cdecl("AudioUnitRender")
public func audioUnitRender(
    _ handle: AudioUnit?, _ ioFlags: UnsafeMutablePointer<AudioUnitRenderActionFlags>?,
    _ time: UnsafePointer<AudioTimeStamp>?, _ bus: UInt32, _ frames: UInt32,
    _ list: UnsafeMutablePointer<AudioBufferList>?
) -> OSStatus {
    unsafe rendered(handle, ioFlags, time, list) { (unit, actions, time, list) throws(UnitError) in
        try unsafe unit.render(actions, time, bus: Int(bus), frames: Int(frames), into: list)
    }
}

/// Processes frames in place: of a converter or mixer without a device, the list has the frames of the first input, and
/// gets those of the output. The sources of the other inputs are called.
///
/// - Returns: As `AudioUnitRender`; `kAudio_ParamError` also for buffers without memory,
///   `kAudioUnitErr_CannotDoInCurrentContext` if the rates of input and output differ, `kAudio_UnimplementedError` for
///   units with a device.
@_cdecl("AudioUnitProcess")
public func audioUnitProcess(
    _ handle: AudioUnit?, _ ioFlags: UnsafeMutablePointer<AudioUnitRenderActionFlags>?,
    _ time: UnsafePointer<AudioTimeStamp>?, _ frames: UInt32, _ list: UnsafeMutablePointer<AudioBufferList>?
) -> OSStatus {
    unsafe rendered(handle, ioFlags, time, list) { (unit, actions, time, list) throws(UnitError) in
        try unsafe unit.process(actions, time, frames: Int(frames), in: list)
    }
}

/// Calls `body` with the unit and the arguments of a function that renders, and returns its status.
private func rendered(
    _ handle: AudioUnit?, _ ioFlags: UnsafeMutablePointer<AudioUnitRenderActionFlags>?,
    _ time: UnsafePointer<AudioTimeStamp>?, _ list: UnsafeMutablePointer<AudioBufferList>?,
    _ body: (
        any UnitObject, UnsafeMutablePointer<RenderActions>, UnsafePointer<AudioTimeStamp>,
        UnsafeMutableAudioBufferListPointer
    ) throws(UnitError) -> Int32
) -> OSStatus {
    guard let time = unsafe time, let list = unsafe list else { return kAudio_ParamError }
    var status: Int32 = 0
    let failure = unsafe unitStatus(handle) { (instance) throws(UnitError) in
        var actions = unsafe RenderActions(rawValue: ioFlags?.pointee.rawValue ?? 0)
        let buffers = unsafe UnsafeMutableAudioBufferListPointer(list)
        status = try unsafe body(instance.unit, &actions, time, buffers)
        unsafe ioFlags?.pointee = AudioUnitRenderActionFlags(rawValue: actions.rawValue)
    }
    return failure != noErr ? failure : status
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
