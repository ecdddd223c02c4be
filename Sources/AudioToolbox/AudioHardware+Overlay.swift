// SPDX-License-Identifier: MIT

// swift-format-ignore-file: AlwaysUseLowerCamelCase

import AQToolboxFunctions

// The functions of AudioHardware.h that return a Boolean or take a dispatch queue. On Linux a dispatch queue
// is a Swift object that C functions cannot take.

/// Returns whether the property can be set.
///
/// Declared again for ``DarwinBoolean``.
///
/// - Returns: The result of the C function.
@discardableResult
public func AudioObjectIsPropertySettable(
    _ inObjectID: AudioObjectID, _ inAddress: UnsafePointer<AudioObjectPropertyAddress>,
    _ outIsSettable: UnsafeMutablePointer<DarwinBoolean>
) -> OSStatus {
    var isSettable = false
    let status = unsafe __AudioObjectIsPropertySettable(inObjectID, inAddress, &isSettable)
    if status == noErr { unsafe outIsSettable.pointee = DarwinBoolean(isSettable) }
    return status
}

/// A listener that is a block.
///
/// The type is not a Swift function, as the importer would make it, because blocks have an identity: the
/// listener to remove is found by its address.
public typealias AudioObjectPropertyListenerBlock =
    @convention(block) (UInt32, UnsafePointer<AudioObjectPropertyAddress>) -> Void

/// Adds a block that is called when the property changes.
///
/// The block is called on the dispatch queue, or if there is none on a thread of the library.
///
/// - Returns: The result of the C function.
@discardableResult
public func AudioObjectAddPropertyListenerBlock(
    _ inObjectID: AudioObjectID, _ inAddress: UnsafePointer<AudioObjectPropertyAddress>,
    _ inDispatchQueue: DispatchQueue?, _ inListener: @escaping AudioObjectPropertyListenerBlock
) -> OSStatus {
    let address = unsafe inAddress.pointee
    guard let inDispatchQueue else {
        return unsafe addListenerBlock(inObjectID, address, inListener) { $0() }
    }
    return unsafe addListenerBlock(inObjectID, address, inListener) { inDispatchQueue.async(execute: $0) }
}

/// Removes a block that was added with ``AudioObjectAddPropertyListenerBlock(_:_:_:_:)`` for the same object
/// and address.
///
/// Keep the listener in a variable of the type `AudioObjectPropertyListenerBlock`, and add it from there: a
/// closure written in the call is a different block each time.
///
/// - Returns: The result of the C function.
@discardableResult
public func AudioObjectRemovePropertyListenerBlock(
    _ inObjectID: AudioObjectID, _ inAddress: UnsafePointer<AudioObjectPropertyAddress>,
    _ inDispatchQueue: DispatchQueue?, _ inListener: @escaping AudioObjectPropertyListenerBlock
) -> OSStatus {
    unsafe removeListenerBlock(inObjectID, inAddress.pointee, inListener)
}

/// Adds a block to a device.
///
/// Declared for the dispatch queues of Swift. Without a queue, the block is called on the thread of the device.
///
/// - Returns: The result of the C function.
@discardableResult
public func AudioDeviceCreateIOProcIDWithBlock(
    _ outIOProcID: UnsafeMutablePointer<AudioDeviceIOProcID?>, _ inDevice: AudioObjectID,
    _ inDispatchQueue: DispatchQueue?, _ inIOBlock: @escaping AudioDeviceIOBlock
) -> OSStatus {
    guard let inDispatchQueue else {
        return unsafe createProcedure(outIOProcID, inDevice, inIOBlock, submit: nil)
    }
    // Serial, so that the block is not called twice at the same time.
    let queue = DispatchQueue(label: "aq procedure", target: inDispatchQueue)
    return unsafe createProcedure(outIOProcID, inDevice, inIOBlock) { queue.async(execute: $0) }
}
