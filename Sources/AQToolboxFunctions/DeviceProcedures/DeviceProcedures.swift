// SPDX-License-Identifier: MIT

import AQDevices
public import CAQAudioToolbox

// The published functions for procedures of devices. Each returns `kAudio_ParamError` for NULL where a pointer is
// required, `kAudioHardwareBadObjectError` for a number without an object, `kAudioHardwareBadDeviceError` for an object
// that is not a device, and `kAudioHardwareIllegalOperationError` for an ID that the device does not have. They may be
// called from any thread, also by procedures.

/// The procedure of a device as a block.
public typealias AudioDeviceProcedureBlock =
    @convention(block) (
        UnsafePointer<AudioTimeStamp>, UnsafePointer<AudioBufferList>, UnsafePointer<AudioTimeStamp>,
        UnsafeMutablePointer<AudioBufferList>, UnsafePointer<AudioTimeStamp>
    ) -> Void

/// Adds a procedure to a device.
///
/// The device calls the procedure for each cycle of `kAudioDevicePropertyBufferFrameSize` frames, on a thread with
/// real-time priority: each procedure has a stream of its own, which the server mixes with others. All samples are
/// floats in the device's rate and channels.
///
/// - Parameter outID: On return the ID. Other functions accept the procedure instead, which is its oldest registration.
@_cdecl("AudioDeviceCreateIOProcID")
public func audioDeviceCreateIOProcID(
    _ device: AudioObjectID, _ procedure: AudioDeviceIOProc?, _ clientData: UnsafeMutableRawPointer?,
    _ outID: UnsafeMutablePointer<AudioDeviceIOProcID?>?
) -> OSStatus {
    guard let procedure = unsafe procedure, let outID = unsafe outID else { return kAudio_ParamError }
    return withDevice(device) { (registry, uid) throws(StatusError) in
        let id = try unsafe registry.add(procedure, clientData, device, uid)
        unsafe outID.pointee = unsafe unsafeBitCast(id, to: AudioDeviceIOProcID?.self)
    }
}

/// Adds a block to a device.
///
/// The queue calls the block once at a time. The device's thread waits three quarters of a cycle for a block with
/// output; if the block is late, this cycle and those until its return are silent, and listeners of
/// `kAudioDeviceProcessorOverload` are informed. Half a second of captured audio waits for the queue. The arguments are
/// valid until the block returns.
///
/// - Parameter queue: A `dispatch_queue_t`; nil for the thread of the device.
@_cdecl("AudioDeviceCreateIOProcIDWithBlock")
public func audioDeviceCreateIOProcIDWithBlock(
    _ outID: UnsafeMutablePointer<AudioDeviceIOProcID?>?, _ device: AudioObjectID, _ queue: OpaquePointer?,
    _ block: AudioDeviceProcedureBlock?
) -> OSStatus {
    guard let block = unsafe block, let outID = unsafe outID else { return kAudio_ParamError }
    guard let queue = unsafe queue else {
        return unsafe createProcedure(outID, device, block, submit: nil)
    }
    let submission = unsafe DispatchSubmission(serialOver: queue)
    return unsafe createProcedure(outID, device, block) { submission.submit($0) }
}

/// Stops and removes a procedure. Returns when it has ended, unless it makes the call.
@_cdecl("AudioDeviceDestroyIOProcID")
public func audioDeviceDestroyIOProcID(_ device: AudioObjectID, _ procedure: AudioDeviceIOProcID?) -> OSStatus
{
    guard unsafe procedure != nil else { return kAudio_ParamError }
    let id = unsafe address(of: procedure)
    return withDevice(device) { (registry, uid) throws(StatusError) in try registry.remove(id, of: uid) }
}

/// Starts a procedure, or for NULL the device without one. Returns when the device runs; the procedure may be called
/// before. Does nothing if it runs.
///
/// - Returns: Also `kAudioHardwareBadDeviceError` for a device that has disappeared, `kAudioHardwareNotRunningError` if
///   no sound server answers, `kAudioHardwareUnspecifiedError` if the device cannot be used.
@_cdecl("AudioDeviceStart")
public func audioDeviceStart(_ device: AudioObjectID, _ procedure: AudioDeviceIOProcID?) -> OSStatus {
    let id = unsafe address(of: procedure)
    return withDevice(device) { (registry, uid) throws(StatusError) in try registry.start(id, of: uid) }
}

/// Starts a procedure at a time, in whole cycles.
///
/// - Parameters:
///   - ioStartTime: The requested time: a host time, or while the device runs a sample time. On return the time of the
///     start.
///   - flags: Ignored.
/// - Returns: As `AudioDeviceStart`, and `kAudioHardwareNotRunningError` for a sample time of a device that does not run.
@_cdecl("AudioDeviceStartAtTime")
public func audioDeviceStartAtTime(
    _ device: AudioObjectID, _ procedure: AudioDeviceIOProcID?,
    _ ioStartTime: UnsafeMutablePointer<AudioTimeStamp>?, _ flags: UInt32
) -> OSStatus {
    guard let ioStartTime = unsafe ioStartTime else { return kAudio_ParamError }
    let requested = unsafe ioStartTime.pointee
    let id = unsafe address(of: procedure)
    return withDevice(device) { (registry, uid) throws(StatusError) in
        let time = try registry.nearestStart(to: requested, of: uid)
        try registry.start(id, of: uid, at: time.mHostTime)
        unsafe ioStartTime.pointee = time
    }
}

/// Stops a procedure, or for NULL the use of the device without one. Returns when the procedure has ended, unless it
/// makes the call. Does nothing if it does not run.
@_cdecl("AudioDeviceStop")
public func audioDeviceStop(_ device: AudioObjectID, _ procedure: AudioDeviceIOProcID?) -> OSStatus {
    let id = unsafe address(of: procedure)
    return withDevice(device) { (registry, uid) throws(StatusError) in try registry.stop(id, of: uid) }
}

/// Returns the current time of a device.
///
/// - Returns: Also `kAudioHardwareNotRunningError` if no procedure of this process runs on the device.
@_cdecl("AudioDeviceGetCurrentTime")
public func audioDeviceGetCurrentTime(
    _ device: AudioObjectID, _ outTime: UnsafeMutablePointer<AudioTimeStamp>?
) -> OSStatus {
    guard let outTime = unsafe outTime else { return kAudio_ParamError }
    return withDevice(device) { (registry, uid) throws(StatusError) in
        let time = try registry.currentTime(of: uid)
        unsafe outTime.pointee = time
    }
}

/// Converts a time of a device to the representations that the flags of `outTime` request.
///
/// - Returns: As `AudioDeviceGetCurrentTime`, and `kAudio_ParamError` for a time without a sample or host time.
@_cdecl("AudioDeviceTranslateTime")
public func audioDeviceTranslateTime(
    _ device: AudioObjectID, _ time: UnsafePointer<AudioTimeStamp>?,
    _ outTime: UnsafeMutablePointer<AudioTimeStamp>?
) -> OSStatus {
    guard let time = unsafe time, let outTime = unsafe outTime else { return kAudio_ParamError }
    let (given, wanted) = unsafe (time.pointee, outTime.pointee.mFlags)
    return withDevice(device) { (registry, uid) throws(StatusError) in
        let result = try registry.translate(given, wanted: wanted, of: uid)
        unsafe outTime.pointee = result
    }
}

/// Returns the time at or after a requested one at which a procedure can start.
///
/// - Parameter flags: Ignored.
/// - Returns: Also `kAudioHardwareNotRunningError` for a sample time of a device that does not run, and
///   `kAudio_ParamError` for a time without a sample or host time.
@_cdecl("AudioDeviceGetNearestStartTime")
public func audioDeviceGetNearestStartTime(
    _ device: AudioObjectID, _ ioStartTime: UnsafeMutablePointer<AudioTimeStamp>?, _ flags: UInt32
) -> OSStatus {
    guard let ioStartTime = unsafe ioStartTime else { return kAudio_ParamError }
    let requested = unsafe ioStartTime.pointee
    return withDevice(device) { (registry, uid) throws(StatusError) in
        let time = try registry.nearestStart(to: requested, of: uid)
        unsafe ioStartTime.pointee = time
    }
}

/// Adds a procedure to a device. The older form of `AudioDeviceCreateIOProcID`.
@_cdecl("AudioDeviceAddIOProc")
public func audioDeviceAddIOProc(
    _ device: AudioDeviceID, _ procedure: AudioDeviceIOProc?, _ clientData: UnsafeMutableRawPointer?
) -> OSStatus {
    guard let procedure = unsafe procedure else { return kAudio_ParamError }
    return withDevice(device) { (registry, uid) throws(StatusError) in
        _ = try unsafe registry.add(procedure, clientData, device, uid)
    }
}

/// Stops and removes a procedure. The older form of `AudioDeviceDestroyIOProcID`.
@_cdecl("AudioDeviceRemoveIOProc")
public func audioDeviceRemoveIOProc(_ device: AudioDeviceID, _ procedure: AudioDeviceIOProc?) -> OSStatus {
    unsafe audioDeviceDestroyIOProcID(device, procedure)
}

// MARK: For the overlay of Swift, whose dispatch queues are objects of their own

/// Adds a block; `submit` runs its calls on the client's queue, one after another, and is nil for the thread of the
/// device.
package func createProcedure(
    _ outID: UnsafeMutablePointer<AudioDeviceIOProcID?>, _ device: AudioObjectID,
    _ block: @escaping AudioDeviceProcedureBlock,
    submit: ((@escaping @Sendable () -> Void) -> Void)?
) -> OSStatus {
    let code = unsafe ProcedureCode(block)
    let submit = submit.map { SendableSubmit($0) }
    return withDevice(device) { (registry, uid) throws(StatusError) in
        let id = try registry.add(DeviceProcedure(of: uid, code, submit: submit))
        unsafe outID.pointee = unsafe unsafeBitCast(id, to: AudioDeviceIOProcID?.self)
    }
}

// MARK: Common parts

extension ProcedureRegistry {
    /// Adds a procedure; returns its ID.
    @unsafe func add(
        _ procedure: @escaping AudioDeviceIOProc, _ clientData: UnsafeMutableRawPointer?,
        _ device: AudioObjectID, _ uid: String
    ) throws(StatusError) -> UInt {
        let code = unsafe ProcedureCode(procedure, of: device, clientData)
        return try add(DeviceProcedure(of: uid, code), address: unsafe address(of: procedure))
    }
}

/// An ID, or a procedure, as a number that is only compared; 0 for NULL.
private func address(of procedure: AudioDeviceIOProcID?) -> UInt {
    // SAFETY: a function pointer is an address.
    unsafe unsafeBitCast(procedure, to: UInt.self)
}

/// Returns the result of a function for a device.
private func withDevice(
    _ device: AudioObjectID, _ body: (ProcedureRegistry, _ uid: String) throws(StatusError) -> Void
) -> OSStatus {
    hardwareStatus { () throws(StatusError) in
        try body(.shared, try ProcedureRegistry.shared.uid(of: device))
    }
}
