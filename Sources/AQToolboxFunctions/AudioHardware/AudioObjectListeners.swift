// SPDX-License-Identifier: MIT

public import CAQAudioToolbox

// The published functions that add and remove listeners.

/// Adds a procedure that is called when a property of an object changes.
///
/// The procedure is called on a thread of the library, by one thread at a time, with one or several changed
/// addresses. It may call every function of this API. Parts of the address may be wildcards. Only properties
/// that can change are reported: a listener for a constant property is accepted and not called.
///
/// May be called from any thread. The first listener makes the library query the server, and wait for its
/// answer.
///
/// - Returns: `kAudio_ParamError` for a null address or procedure, `kAudioHardwareBadObjectError` for a
///   number without an object, `kAudioHardwareUnspecifiedError` if no thread can be created.
@_cdecl("AudioObjectAddPropertyListener")
public func audioObjectAddPropertyListener(
    _ objectID: AudioObjectID, _ address: UnsafePointer<AudioObjectPropertyAddress>?,
    _ procedure: AudioObjectPropertyListenerProc?, _ clientData: UnsafeMutableRawPointer?
) -> OSStatus {
    guard let address = unsafe address?.pointee, let procedure = unsafe procedure else {
        return kAudio_ParamError
    }
    let key = unsafe HardwareListenerKey(procedure, clientData)
    let target = HardwareListenerTarget(key) { objectID, addresses in
        unsafe addresses.withUnsafeBufferPointer { list in
            guard let first = list.baseAddress else { return }
            // The published interface ignores the procedure's result.
            _ = unsafe procedure(objectID, UInt32(clamping: addresses.count), first, clientData)
        }
    }
    return addListener(objectID, address, target)
}

/// Removes a listener that was added with `AudioObjectAddPropertyListener` and the same arguments.
///
/// May be called from any thread. Waits for a running call of the listener, two seconds at most, except inside
/// that call.
///
/// - Returns: `kAudio_ParamError` for a null address or procedure, `kAudioHardwareBadObjectError` for a
///   number without an object, `kAudioHardwareIllegalOperationError` if there is no such listener.
@_cdecl("AudioObjectRemovePropertyListener")
public func audioObjectRemovePropertyListener(
    _ objectID: AudioObjectID, _ address: UnsafePointer<AudioObjectPropertyAddress>?,
    _ procedure: AudioObjectPropertyListenerProc?, _ clientData: UnsafeMutableRawPointer?
) -> OSStatus {
    guard let address = unsafe address?.pointee, let procedure = unsafe procedure else {
        return kAudio_ParamError
    }
    return removeListener(objectID, address, unsafe HardwareListenerKey(procedure, clientData))
}

/// A listener that is a block.
public typealias AudioObjectListenerBlock =
    @convention(block) (UInt32, UnsafePointer<AudioObjectPropertyAddress>) -> Void

/// Adds a block that is called when a property of an object changes.
///
/// Unlike a procedure of `AudioObjectAddPropertyListener`, the block is called on a dispatch queue if one is
/// passed: later than the change, and possibly after the listener was removed.
///
/// - Parameter queue: A `dispatch_queue_t`, which is retained until the listener is removed.
/// - Returns: As `AudioObjectAddPropertyListener`.
@_cdecl("AudioObjectAddPropertyListenerBlock")
public func audioObjectAddPropertyListenerBlock(
    _ objectID: AudioObjectID, _ address: UnsafePointer<AudioObjectPropertyAddress>?, _ queue: OpaquePointer?,
    _ block: AudioObjectListenerBlock?
) -> OSStatus {
    guard let address = unsafe address?.pointee, let block = unsafe block else { return kAudio_ParamError }
    guard let queue = unsafe queue else { return unsafe addListenerBlock(objectID, address, block) { $0() } }
    let submission = unsafe DispatchSubmission(queue)
    return unsafe addListenerBlock(objectID, address, block) { submission.submit($0) }
}

/// Removes a block that was added with `AudioObjectAddPropertyListenerBlock` and the same object, address and
/// block.
///
/// Blocks are identified by their address: copy a block on the stack before it is added, and remove the copy.
///
/// - Parameter queue: Ignored: a block belongs to one queue.
/// - Returns: As `AudioObjectRemovePropertyListener`.
@_cdecl("AudioObjectRemovePropertyListenerBlock")
public func audioObjectRemovePropertyListenerBlock(
    _ objectID: AudioObjectID, _ address: UnsafePointer<AudioObjectPropertyAddress>?, _ queue: OpaquePointer?,
    _ block: AudioObjectListenerBlock?
) -> OSStatus {
    guard let address = unsafe address?.pointee, let block = unsafe block else { return kAudio_ParamError }
    return unsafe removeListenerBlock(objectID, address, block)
}

// MARK: For the overlay of Swift, whose dispatch queues are objects of their own

/// Adds a block; `submit` runs its calls on the client's queue.
package func addListenerBlock(
    _ objectID: AudioObjectID, _ address: AudioObjectPropertyAddress,
    _ block: @escaping AudioObjectListenerBlock, submit: @escaping (@escaping @Sendable () -> Void) -> Void
) -> OSStatus {
    let key = unsafe HardwareListenerKey(block)
    let listener = unsafe ListenerBlock(block)
    let target = HardwareListenerTarget(key) { _, addresses in
        submit { listener.call(addresses) }
    }
    return addListener(objectID, address, target)
}

/// Removes a block that was added with ``addListenerBlock(_:_:_:submit:)``.
package func removeListenerBlock(
    _ objectID: AudioObjectID, _ address: AudioObjectPropertyAddress,
    _ block: @escaping AudioObjectListenerBlock
) -> OSStatus {
    removeListener(objectID, address, unsafe HardwareListenerKey(block))
}

// MARK: Common parts

/// A client's block, which is called on a thread of the library or on the client's dispatch queue.
@safe private struct ListenerBlock: @unchecked Sendable {
    // SAFETY: by its contract the block may be called on a thread of the library, or on the dispatch queue.
    private let block: AudioObjectListenerBlock

    init(_ block: @escaping AudioObjectListenerBlock) { unsafe self.block = block }

    func call(_ addresses: [AudioObjectPropertyAddress]) {
        unsafe addresses.withUnsafeBufferPointer { list in
            guard let first = list.baseAddress else { return }
            unsafe block(UInt32(clamping: addresses.count), first)
        }
    }
}

func addListener(
    _ objectID: AudioObjectID, _ address: AudioObjectPropertyAddress, _ target: HardwareListenerTarget
) -> OSStatus {
    hardwareStatus { () throws(StatusError) in
        let object = try Hardware.shared.object(numbered: objectID)
        try Hardware.shared.listeners.add(
            HardwareListeners.Listener(object: object, objectID: objectID, address: address, target: target))
    }
}

func removeListener(
    _ objectID: AudioObjectID, _ address: AudioObjectPropertyAddress, _ key: HardwareListenerKey
) -> OSStatus {
    hardwareStatus { () throws(StatusError) in
        let object = try Hardware.shared.object(numbered: objectID)
        try Hardware.shared.listeners.remove(object, address, key)
    }
}

extension HardwareListenerKey {
    fileprivate init(_ procedure: AudioObjectPropertyListenerProc, _ clientData: UnsafeMutableRawPointer?) {
        // SAFETY: a function pointer is an address, which is only compared.
        self.init(unsafe unsafeBitCast(procedure, to: UInt.self), UInt(bitPattern: clientData))
    }

    fileprivate init(_ block: @escaping AudioObjectListenerBlock) {
        // SAFETY: a block is a reference, which is only compared; the listener retains the block.
        self.init(unsafe unsafeBitCast(block, to: UInt.self))
    }
}
