// swift-format-ignore-file: AlwaysUseLowerCamelCase

import AudioToolboxFunctions
public import CAudioToolbox
public import CoreFoundation

// The functions of AudioQueue.h whose types Swift would see otherwise than programs expect.

/// Creates a queue that plays, given the run loop's mode as Foundation's string.
///
/// As the function of C, which Swift calls for all modes that are CoreFoundation's own, and for none.
@_disfavoredOverload @discardableResult
public func AudioQueueNewOutput(
    _ inFormat: UnsafePointer<AudioStreamBasicDescription>,
    _ inCallbackProc: @escaping AudioQueueOutputCallback, _ inUserData: UnsafeMutableRawPointer?,
    _ inCallbackRunLoop: CFRunLoop?, _ inCallbackRunLoopMode: CFString?, _ inFlags: UInt32,
    _ outAQ: UnsafeMutablePointer<AudioQueueRef?>
) -> OSStatus {
    unsafe CAudioToolbox.AudioQueueNewOutput(
        inFormat, inCallbackProc, inUserData, inCallbackRunLoop, inCallbackRunLoopMode?.coreFoundation,
        inFlags, outAQ)
}

/// Creates a queue that records, given the run loop's mode as Foundation's string.
///
/// As the function of C, which Swift calls for all modes that are CoreFoundation's own, and for none.
@_disfavoredOverload @discardableResult
public func AudioQueueNewInput(
    _ inFormat: UnsafePointer<AudioStreamBasicDescription>,
    _ inCallbackProc: @escaping AudioQueueInputCallback, _ inUserData: UnsafeMutableRawPointer?,
    _ inCallbackRunLoop: CFRunLoop?, _ inCallbackRunLoopMode: CFString?, _ inFlags: UInt32,
    _ outAQ: UnsafeMutablePointer<AudioQueueRef?>
) -> OSStatus {
    unsafe CAudioToolbox.AudioQueueNewInput(
        inFormat, inCallbackProc, inUserData, inCallbackRunLoop, inCallbackRunLoopMode?.coreFoundation,
        inFlags, outAQ)
}

/// Creates a queue that plays and calls a block on a dispatch queue.
///
/// Declared for the dispatch queues of Swift, which are objects of its own here and none that functions of C know.
///
/// - Returns: As the function of C.
@discardableResult
public func AudioQueueNewOutputWithDispatchQueue(
    _ outAQ: UnsafeMutablePointer<AudioQueueRef?>, _ inFormat: UnsafePointer<AudioStreamBasicDescription>,
    _ inFlags: UInt32, _ inCallbackDispatchQueue: DispatchQueue,
    _ inCallbackBlock: @escaping AudioQueueOutputCallbackBlock
) -> OSStatus {
    unsafe makeOutputQueue(outAQ, inFormat, flags: inFlags, on: inCallbackDispatchQueue, inCallbackBlock)
}

/// Creates a queue that records and calls a block on a dispatch queue.
///
/// Declared for the dispatch queues of Swift, as ``AudioQueueNewOutputWithDispatchQueue(_:_:_:_:_:)``.
///
/// - Returns: As the function of C.
@discardableResult
public func AudioQueueNewInputWithDispatchQueue(
    _ outAQ: UnsafeMutablePointer<AudioQueueRef?>, _ inFormat: UnsafePointer<AudioStreamBasicDescription>,
    _ inFlags: UInt32, _ inCallbackDispatchQueue: DispatchQueue,
    _ inCallbackBlock: @escaping AudioQueueInputCallbackBlock
) -> OSStatus {
    unsafe makeInputQueue(outAQ, inFormat, flags: inFlags, on: inCallbackDispatchQueue, inCallbackBlock)
}

/// Tells the queue's time, and whether the timeline has had a gap since it was asked last.
///
/// Declared for ``DarwinBoolean``.
///
/// - Returns: As the function of C.
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
    /// Sends a channel to the channel of the device whose UID is Foundation's string.
    public init(mDeviceUID: Unmanaged<CFString>, mChannelNumber: UInt32) {
        let uid = unsafe Unmanaged<CoreFoundation.CFString>.fromOpaque(mDeviceUID.toOpaque())
        unsafe self.init(mDeviceUID: uid, mChannelNumber: mChannelNumber)
    }
}
