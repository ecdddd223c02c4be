// swift-format-ignore-file: AlwaysUseLowerCamelCase

import AudioToolboxFunctions

// The functions of AudioHardware.h that return a Boolean, or take a dispatch queue, which on Linux is a Swift
// object that C functions cannot take.

/// Returns whether the property can be set.
///
/// Declared for ``DarwinBoolean``.
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
/// It is a block, and not a Swift function as the importer would make it: blocks have an identity, so that
/// the listener that was added can be found when it is removed.
public typealias AudioObjectPropertyListenerBlock =
    @convention(block) (UInt32, UnsafePointer<AudioObjectPropertyAddress>) -> Void

/// Adds a block that is called when the property changes, on the queue, or without one on a thread of the
/// library.
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
