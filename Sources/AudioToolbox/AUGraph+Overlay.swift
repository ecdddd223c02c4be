// SPDX-License-Identifier: MIT

// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import CAQAudioToolbox

// The functions of AUGraph.h that return a Boolean, declared again for ``DarwinBoolean``. Each returns the result of
// the C function.

/// Applies changes to a running graph, and returns whether all have been applied.
@discardableResult
public func AUGraphUpdate(
    _ inGraph: AUGraph, _ outIsUpdated: UnsafeMutablePointer<DarwinBoolean>?
) -> OSStatus {
    unsafe withBoolean(outIsUpdated) { unsafe __AUGraphUpdate(inGraph, $0) }
}

/// Returns whether the graph is open.
@discardableResult
public func AUGraphIsOpen(_ inGraph: AUGraph, _ outIsOpen: UnsafeMutablePointer<DarwinBoolean>) -> OSStatus {
    var isOpen = false
    let status = unsafe __AUGraphIsOpen(inGraph, &isOpen)
    if status == noErr { unsafe outIsOpen.pointee = DarwinBoolean(isOpen) }
    return status
}

/// Returns whether the graph is initialized.
@discardableResult
public func AUGraphIsInitialized(
    _ inGraph: AUGraph, _ outIsInitialized: UnsafeMutablePointer<DarwinBoolean>
) -> OSStatus {
    var isInitialized = false
    let status = unsafe __AUGraphIsInitialized(inGraph, &isInitialized)
    if status == noErr { unsafe outIsInitialized.pointee = DarwinBoolean(isInitialized) }
    return status
}

/// Returns whether the graph is running.
@discardableResult
public func AUGraphIsRunning(
    _ inGraph: AUGraph, _ outIsRunning: UnsafeMutablePointer<DarwinBoolean>
) -> OSStatus {
    var isRunning = false
    let status = unsafe __AUGraphIsRunning(inGraph, &isRunning)
    if status == noErr { unsafe outIsRunning.pointee = DarwinBoolean(isRunning) }
    return status
}
