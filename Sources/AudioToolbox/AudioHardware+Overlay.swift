// swift-format-ignore-file: AlwaysUseLowerCamelCase

import AudioToolboxFunctions

// The functions of AudioHardware.h that report a truth value, or take a dispatch queue, which is an object of
// Swift's own here and none that functions of C know.

/// Tells whether the property can be set.
///
/// Declared for ``DarwinBoolean``.
///
/// - Returns: As the function of C.
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
/// A block, and not a function of Swift's own as the importer has it: a block can be told from another, so that the
/// listener that is removed is the one that was added.
public typealias AudioObjectPropertyListenerBlock =
    @convention(block) (UInt32, UnsafePointer<AudioObjectPropertyAddress>) -> Void

/// Has the block called when the property changes, on the queue, or without one on a thread of the library.
///
/// - Returns: As the function of C.
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

/// Undoes ``AudioObjectAddPropertyListenerBlock(_:_:_:_:)`` for the same object, address and block.
///
/// To be removed, a listener has to be kept in a variable of the type `AudioObjectPropertyListenerBlock`, and added
/// from there: a closure written at the call is another block each time.
///
/// - Returns: As the function of C.
@discardableResult
public func AudioObjectRemovePropertyListenerBlock(
    _ inObjectID: AudioObjectID, _ inAddress: UnsafePointer<AudioObjectPropertyAddress>,
    _ inDispatchQueue: DispatchQueue?, _ inListener: @escaping AudioObjectPropertyListenerBlock
) -> OSStatus {
    unsafe removeListenerBlock(inObjectID, inAddress.pointee, inListener)
}
