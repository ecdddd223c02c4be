// SPDX-License-Identifier: MIT

import AQUnits
public import CAQAudioToolbox

// The published functions that make, initialize, start and end audio units.

/// Makes an instance of a component, which the client ends with `AudioComponentInstanceDispose`.
///
/// May be called from any thread.
///
/// - Returns: `kAudio_ParamError` for a null pointer or a value that is no component, `kAudio_MemFullError` if too many
///   instances exist.
@_cdecl("AudioComponentInstanceNew")
public func audioComponentInstanceNew(
    _ component: AudioComponent?, _ outInstance: UnsafeMutablePointer<AudioComponentInstance?>?
) -> OSStatus {
    guard let outInstance = unsafe outInstance else { return kAudio_ParamError }
    unsafe outInstance.pointee = nil
    return StatusError.result { () throws(StatusError) in
        unsafe outInstance.pointee = try makeInstance(of: component)
    }
}

/// Stops, uninitializes and ends an instance. Its callbacks have ended when the call returns, unless one of them makes
/// the call.
///
/// - Returns: `kAudio_ParamError` for a value that is no instance.
@_cdecl("AudioComponentInstanceDispose")
public func audioComponentInstanceDispose(_ handle: AudioComponentInstance?) -> OSStatus {
    guard let instance = unsafe UnitInstance.table.remove(handle) else { return kAudio_ParamError }
    instance.dispose()
    return noErr
}

/// Returns the component of an instance; NULL for a value that is no instance.
@_cdecl("AudioComponentInstanceGetComponent")
public func audioComponentInstanceGetComponent(_ handle: AudioComponentInstance?) -> AudioComponent? {
    unsafe UnitInstance.table[handle]?.component
}

/// Returns whether an instance has a function, by the number of its selector: true for the functions that every unit
/// has, which are 1 to 8 and 14 to 19.
@_cdecl("AudioComponentInstanceCanDo")
public func audioComponentInstanceCanDo(_ handle: AudioComponentInstance?, _ selector: Int16) -> Bool {
    unsafe UnitInstance.table[handle] != nil && (1...8 ~= selector || 14...19 ~= selector)
}

/// Makes an instance, and passes it, or NULL and the result, to a block before this call returns.
@_cdecl("AudioComponentInstantiate")
public func audioComponentInstantiate(
    _ component: AudioComponent?, _ options: AudioComponentInstantiationOptions,
    _ completion: (@convention(block) (AudioComponentInstance?, OSStatus) -> Void)?
) {
    var made: AudioComponentInstance?
    let status = unsafe audioComponentInstanceNew(component, &made)
    unsafe completion?(made, status)
}

private func makeInstance(of component: AudioComponent?) throws(StatusError) -> AudioComponentInstance {
    guard let component = unsafe component, let entry = unsafe AudioComponentRegistry.shared[component] else {
        throw StatusError(kAudio_ParamError)
    }
    let instance = try unsafe makeUnitInstance(of: entry, component)
    guard let handle = unsafe instance.register() else { throw StatusError(kAudio_MemFullError) }
    return unsafe handle
}

/// Checks the settings, and prepares the device. Properties marked so can only be set before.
///
/// Waits for the sound server, at most 5 s.
///
/// - Returns: `kAudioUnitErr_FailedInitialization` if the device cannot be used, `kAudioUnitErr_FormatNotSupported`,
///   `kAudio_ParamError`.
@_cdecl("AudioUnitInitialize")
public func audioUnitInitialize(_ handle: AudioUnit?) -> OSStatus {
    unsafe unitStatus(handle) { (instance) throws(UnitError) in try instance.unit.initialize() }
}

/// Leaves the device; the settings are kept. A running unit is stopped.
@_cdecl("AudioUnitUninitialize")
public func audioUnitUninitialize(_ handle: AudioUnit?) -> OSStatus {
    unsafe unitStatus(handle) { (instance) throws(UnitError) in instance.unit.uninitialize() }
}

/// Starts an I/O unit. Its callbacks run on a real-time thread of the unit, possibly before this call returns.
///
/// Waits for the device, at most 2 s.
///
/// - Returns: `kAudioUnitErr_Uninitialized`, `kAudioUnitErr_FailedInitialization` if the device does not start,
///   `kAudio_ParamError`. Starting a running unit is no error.
@_cdecl("AudioOutputUnitStart")
public func audioOutputUnitStart(_ handle: AudioUnit?) -> OSStatus {
    unsafe unitStatus(handle) { (instance) throws(UnitError) in try instance.unit.start() }
}

/// Stops an I/O unit. Returns when its callbacks have ended, unless one of them makes the call. Stopping a stopped unit
/// is no error.
@_cdecl("AudioOutputUnitStop")
public func audioOutputUnitStop(_ handle: AudioUnit?) -> OSStatus {
    unsafe unitStatus(handle) { (instance) throws(UnitError) in try instance.unit.stop() }
}

/// Calls `body` with the instance of a handle, and returns its status.
func unitStatus(
    _ handle: AudioUnit?, _ body: (UnitInstance) throws(UnitError) -> Void
) -> OSStatus {
    guard let instance = unsafe UnitInstance.table[handle] else { return kAudio_ParamError }
    do throws(UnitError) {
        try body(instance)
        return noErr
    } catch {
        return error.code.rawValue
    }
}
