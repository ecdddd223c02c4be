// SPDX-License-Identifier: MIT

// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import CAQAudioToolbox
public import CoreFoundation

// The functions of AudioServices.h and AudioSession.h whose imported types differ from those that programs expect.

/// Makes a sound of a file, whose URL is Foundation's `NSURL`.
///
/// - Returns: The result of the C function.
@discardableResult
public func AudioServicesCreateSystemSoundID(
    _ inFileURL: CFURL, _ outSystemSoundID: UnsafeMutablePointer<SystemSoundID>
) -> OSStatus {
    unsafe CAQAudioToolbox.AudioServicesCreateSystemSoundID(inFileURL.coreFoundation, outSystemSoundID)
}

/// Sets the completion procedure of a sound, with the run loop's mode as Foundation's string.
///
/// The result is that of the C function, which Swift calls for nil and for modes of CoreFoundation's own type.
@_disfavoredOverload @discardableResult
public func AudioServicesAddSystemSoundCompletion(
    _ inSystemSoundID: SystemSoundID, _ inRunLoop: CFRunLoop?, _ inRunLoopMode: CFString?,
    _ inCompletionRoutine: @escaping AudioServicesSystemSoundCompletionProc,
    _ inClientData: UnsafeMutableRawPointer?
) -> OSStatus {
    unsafe CAQAudioToolbox.AudioServicesAddSystemSoundCompletion(
        inSystemSoundID, inRunLoop, inRunLoopMode?.coreFoundation, inCompletionRoutine, inClientData)
}

/// Returns the size of a property, and whether it can be set.
///
/// Declared again for ``DarwinBoolean``.
///
/// - Returns: The result of the C function.
@discardableResult
public func AudioServicesGetPropertyInfo(
    _ inPropertyID: AudioServicesPropertyID, _ inSpecifierSize: UInt32, _ inSpecifier: UnsafeRawPointer?,
    _ outPropertyDataSize: UnsafeMutablePointer<UInt32>?, _ outWritable: UnsafeMutablePointer<DarwinBoolean>?
) -> OSStatus {
    unsafe withBoolean(outWritable) { writable in
        unsafe __AudioServicesGetPropertyInfo(
            inPropertyID, inSpecifierSize, inSpecifier, outPropertyDataSize, writable)
    }
}

/// Initializes the audio session, with the run loop's mode as Foundation's string.
///
/// The result is that of the C function, which Swift calls for nil and for modes of CoreFoundation's own type.
@_disfavoredOverload @discardableResult
public func AudioSessionInitialize(
    _ inRunLoop: CFRunLoop?, _ inRunLoopMode: CFString?,
    _ inInterruptionListener: AudioSessionInterruptionListener?, _ inClientData: UnsafeMutableRawPointer?
) -> OSStatus {
    unsafe CAQAudioToolbox.AudioSessionInitialize(
        inRunLoop, inRunLoopMode?.coreFoundation, inInterruptionListener, inClientData)
}
