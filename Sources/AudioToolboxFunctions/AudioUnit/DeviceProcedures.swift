// SPDX-License-Identifier: MIT

public import CAudioToolbox

// The published functions for procedures of devices, which are not implemented: see ``UnsupportedFunction``. Each
// returns `kAudio_ParamError` for NULL, `kAudioHardwareBadObjectError` for a number without an object, and
// `kAudioHardwareBadDeviceError` for an object that is not a device.

/// The procedure of a device as a block.
public typealias AudioDeviceProcedureBlock =
    @convention(block) (
        UnsafePointer<AudioTimeStamp>, UnsafePointer<AudioBufferList>, UnsafePointer<AudioTimeStamp>,
        UnsafeMutablePointer<AudioBufferList>, UnsafePointer<AudioTimeStamp>
    ) -> Void

/// Adds a procedure to a device.
@_cdecl("AudioDeviceCreateIOProcID")
public func audioDeviceCreateIOProcID(
    _ device: AudioObjectID, _ procedure: AudioDeviceIOProc?, _ clientData: UnsafeMutableRawPointer?,
    _ outID: UnsafeMutablePointer<AudioDeviceIOProcID?>?
) -> OSStatus {
    guard unsafe procedure != nil, unsafe outID != nil else { return kAudio_ParamError }
    return unsupported(.audioDeviceCreateIOProcID, of: device)
}

/// Adds a block to a device.
///
/// - Parameter queue: A `dispatch_queue_t`; nil for the thread of the device.
@_cdecl("AudioDeviceCreateIOProcIDWithBlock")
public func audioDeviceCreateIOProcIDWithBlock(
    _ outID: UnsafeMutablePointer<AudioDeviceIOProcID?>?, _ device: AudioObjectID, _ queue: OpaquePointer?,
    _ block: AudioDeviceProcedureBlock?
) -> OSStatus {
    guard unsafe block != nil, unsafe outID != nil else { return kAudio_ParamError }
    return unsupported(.audioDeviceCreateIOProcIDWithBlock, of: device)
}

/// Stops and removes a procedure.
@_cdecl("AudioDeviceDestroyIOProcID")
public func audioDeviceDestroyIOProcID(_ device: AudioObjectID, _ procedure: AudioDeviceIOProcID?) -> OSStatus
{
    guard unsafe procedure != nil else { return kAudio_ParamError }
    return unsupported(.audioDeviceDestroyIOProcID, of: device)
}

/// Starts a procedure, or the device without one.
@_cdecl("AudioDeviceStart")
public func audioDeviceStart(_ device: AudioObjectID, _ procedure: AudioDeviceIOProcID?) -> OSStatus {
    unsupported(.audioDeviceStart, of: device)
}

/// Starts a procedure at a time.
@_cdecl("AudioDeviceStartAtTime")
public func audioDeviceStartAtTime(
    _ device: AudioObjectID, _ procedure: AudioDeviceIOProcID?,
    _ ioStartTime: UnsafeMutablePointer<AudioTimeStamp>?, _ flags: UInt32
) -> OSStatus {
    guard unsafe ioStartTime != nil else { return kAudio_ParamError }
    return unsupported(.audioDeviceStartAtTime, of: device)
}

/// Stops a procedure.
@_cdecl("AudioDeviceStop")
public func audioDeviceStop(_ device: AudioObjectID, _ procedure: AudioDeviceIOProcID?) -> OSStatus {
    unsupported(.audioDeviceStop, of: device)
}

/// Returns the current time of a running device.
@_cdecl("AudioDeviceGetCurrentTime")
public func audioDeviceGetCurrentTime(
    _ device: AudioObjectID, _ outTime: UnsafeMutablePointer<AudioTimeStamp>?
) -> OSStatus {
    guard unsafe outTime != nil else { return kAudio_ParamError }
    return unsupported(.audioDeviceGetCurrentTime, of: device)
}

/// Converts a time of a running device.
@_cdecl("AudioDeviceTranslateTime")
public func audioDeviceTranslateTime(
    _ device: AudioObjectID, _ time: UnsafePointer<AudioTimeStamp>?,
    _ outTime: UnsafeMutablePointer<AudioTimeStamp>?
) -> OSStatus {
    guard unsafe time != nil, unsafe outTime != nil else { return kAudio_ParamError }
    return unsupported(.audioDeviceTranslateTime, of: device)
}

/// Returns the next time at which the device can start.
@_cdecl("AudioDeviceGetNearestStartTime")
public func audioDeviceGetNearestStartTime(
    _ device: AudioObjectID, _ ioStartTime: UnsafeMutablePointer<AudioTimeStamp>?, _ flags: UInt32
) -> OSStatus {
    guard unsafe ioStartTime != nil else { return kAudio_ParamError }
    return unsupported(.audioDeviceGetNearestStartTime, of: device)
}

/// Adds a procedure to a device. The older form of `AudioDeviceCreateIOProcID`.
@_cdecl("AudioDeviceAddIOProc")
public func audioDeviceAddIOProc(
    _ device: AudioDeviceID, _ procedure: AudioDeviceIOProc?, _ clientData: UnsafeMutableRawPointer?
) -> OSStatus {
    guard unsafe procedure != nil else { return kAudio_ParamError }
    return unsupported(.audioDeviceAddIOProc, of: device)
}

/// Stops and removes a procedure. The older form of `AudioDeviceDestroyIOProcID`.
@_cdecl("AudioDeviceRemoveIOProc")
public func audioDeviceRemoveIOProc(_ device: AudioDeviceID, _ procedure: AudioDeviceIOProc?) -> OSStatus {
    guard unsafe procedure != nil else { return kAudio_ParamError }
    return unsupported(.audioDeviceRemoveIOProc, of: device)
}

// MARK: For the overlay of Swift, whose dispatch queues are objects of their own

/// Adds a block; `submit` runs its calls on the client's queue, and is nil for the thread of the device.
package func createProcedure(
    _ outID: UnsafeMutablePointer<AudioDeviceIOProcID?>, _ device: AudioObjectID,
    _ block: @escaping AudioDeviceProcedureBlock,
    submit: ((@escaping @Sendable () -> Void) -> Void)?
) -> OSStatus { unsupported(.audioDeviceCreateIOProcIDWithBlock, of: device) }

/// Returns the result of a function for a device.
private func unsupported(_ function: UnsupportedFunction, of device: AudioObjectID) -> OSStatus {
    hardwareStatus { () throws(StatusError) in
        guard case .device = try Hardware.shared.object(numbered: device) else {
            throw StatusError(kAudioHardwareBadDeviceError)
        }
        throw StatusError(function.status)
    }
}
