// SPDX-License-Identifier: MIT

// swift-format-ignore-file: AlwaysUseLowerCamelCase

import AQToolboxFunctions
public import CAQAudioToolbox
public import CoreFoundation

// The functions of AudioQueue.h whose imported types differ from those that programs expect.

/// Creates a playback queue, with the run loop's mode as Foundation's string.
///
/// The result is that of the C function, which Swift calls for nil and for modes of CoreFoundation's own
/// type.
@_disfavoredOverload @discardableResult
public func AudioQueueNewOutput(
    _ inFormat: UnsafePointer<AudioStreamBasicDescription>,
    _ inCallbackProc: @escaping AudioQueueOutputCallback, _ inUserData: UnsafeMutableRawPointer?,
    _ inCallbackRunLoop: CFRunLoop?, _ inCallbackRunLoopMode: CFString?, _ inFlags: UInt32,
    _ outAQ: UnsafeMutablePointer<AudioQueueRef?>
) -> OSStatus {
    unsafe CAQAudioToolbox.AudioQueueNewOutput(
        inFormat, inCallbackProc, inUserData, inCallbackRunLoop, inCallbackRunLoopMode?.coreFoundation,
        inFlags, outAQ)
}

/// Creates a recording queue, with the run loop's mode as Foundation's string.
///
/// The result is that of the C function, which Swift calls for nil and for modes of CoreFoundation's own
/// type.
@_disfavoredOverload @discardableResult
public func AudioQueueNewInput(
    _ inFormat: UnsafePointer<AudioStreamBasicDescription>,
    _ inCallbackProc: @escaping AudioQueueInputCallback, _ inUserData: UnsafeMutableRawPointer?,
    _ inCallbackRunLoop: CFRunLoop?, _ inCallbackRunLoopMode: CFString?, _ inFlags: UInt32,
    _ outAQ: UnsafeMutablePointer<AudioQueueRef?>
) -> OSStatus {
    unsafe CAQAudioToolbox.AudioQueueNewInput(
        inFormat, inCallbackProc, inUserData, inCallbackRunLoop, inCallbackRunLoopMode?.coreFoundation,
        inFlags, outAQ)
}

/// Creates a playback queue that calls a block on a dispatch queue.
///
/// Declared for the dispatch queues of Swift, which on Linux are objects that C functions cannot take.
///
/// - Returns: The result of the C function.
@discardableResult
public func AudioQueueNewOutputWithDispatchQueue(
    _ outAQ: UnsafeMutablePointer<AudioQueueRef?>, _ inFormat: UnsafePointer<AudioStreamBasicDescription>,
    _ inFlags: UInt32, _ inCallbackDispatchQueue: DispatchQueue,
    _ inCallbackBlock: @escaping AudioQueueOutputCallbackBlock
) -> OSStatus {
    unsafe makeOutputQueue(outAQ, inFormat, flags: inFlags, on: inCallbackDispatchQueue, inCallbackBlock)
}

/// Creates a recording queue that calls a block on a dispatch queue.
///
/// Declared for the dispatch queues of Swift, like ``AudioQueueNewOutputWithDispatchQueue(_:_:_:_:_:)``.
///
/// - Returns: The result of the C function.
@discardableResult
public func AudioQueueNewInputWithDispatchQueue(
    _ outAQ: UnsafeMutablePointer<AudioQueueRef?>, _ inFormat: UnsafePointer<AudioStreamBasicDescription>,
    _ inFlags: UInt32, _ inCallbackDispatchQueue: DispatchQueue,
    _ inCallbackBlock: @escaping AudioQueueInputCallbackBlock
) -> OSStatus {
    unsafe makeInputQueue(outAQ, inFormat, flags: inFlags, on: inCallbackDispatchQueue, inCallbackBlock)
}

/// Returns the queue's time, and whether the timeline has had a gap since its last query.
///
/// Declared again for ``DarwinBoolean``.
///
/// - Returns: The result of the C function.
@discardableResult
public func AudioQueueGetCurrentTime(
    _ inAQ: AudioQueueRef, _ inTimeline: AudioQueueTimelineRef?,
    _ outTimeStamp: UnsafeMutablePointer<AudioTimeStamp>?,
    _ outTimelineDiscontinuity: UnsafeMutablePointer<DarwinBoolean>?
) -> OSStatus {
    unsafe withBoolean(outTimelineDiscontinuity) { discontinuity in
        unsafe __AudioQueueGetCurrentTime(inAQ, inTimeline, outTimeStamp, discontinuity)
    }
}

extension AudioQueueChannelAssignment {
    /// Assigns a channel to a channel of a device, whose UID is Foundation's string.
    public init(mDeviceUID: Unmanaged<CFString>, mChannelNumber: UInt32) {
        let uid = unsafe Unmanaged<CoreFoundation.CFString>.fromOpaque(mDeviceUID.toOpaque())
        unsafe self.init(mDeviceUID: uid, mChannelNumber: mChannelNumber)
    }
}
