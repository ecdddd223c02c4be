// SPDX-License-Identifier: MIT

import AQDevices
import AudioQueues
public import CAQAudioToolbox
import CoreAudioTypes
public import CoreFoundation
public import Dispatch

// MARK: Playback

/// Creates a playback queue.
///
/// - Parameters:
///   - format: Copied.
///   - runLoop: The run loop for callbacks; NULL for a thread of the library, whatever the mode.
///   - mode: The mode of the run loop; NULL for the common modes.
///   - flags: Must be 0.
/// - Returns: `kAudio_ParamError` if the format, the callback or `outQueue` is NULL, and for flags other than 0;
///   `'fmt?'` or `kAudioQueueErr_CodecNotFound` for the format.
@_cdecl("AudioQueueNewOutput")
public func audioQueueNewOutput(
    _ format: UnsafePointer<AudioStreamBasicDescription>?, _ callback: AudioQueueOutputCallback?,
    _ userData: UnsafeMutableRawPointer?, _ runLoop: CFRunLoop?, _ mode: CFString?, _ flags: UInt32,
    _ outQueue: UnsafeMutablePointer<AudioQueueRef?>?
) -> OSStatus {
    guard let callback = unsafe callback else { return kAudio_ParamError }
    return unsafe makeOutputQueue(
        format, flags, outQueue, context: runLoop.map { RunLoopContext($0, mode: mode) },
        OutputCallback(callback, userData))
}

/// Creates a playback queue that calls a block on a dispatch queue.
///
/// - Parameters:
///   - queue: The dispatch queue, which is retained until the audio queue's end, as the block is. Callbacks
///     run one at a time even on a concurrent queue.
/// - Returns: As ``audioQueueNewOutput(_:_:_:_:_:_:_:)``; `kAudio_ParamError` also if `queue` is NULL.
@_cdecl("AudioQueueNewOutputWithDispatchQueue")
public func audioQueueNewOutputWithDispatchQueue(
    _ outQueue: UnsafeMutablePointer<AudioQueueRef?>?, _ format: UnsafePointer<AudioStreamBasicDescription>?,
    _ flags: UInt32, _ queue: OpaquePointer?,
    _ block: (@convention(block) (AudioQueueRef, AudioQueueBufferRef) -> Void)?
) -> OSStatus {
    guard let queue = unsafe queue, let block = unsafe block else { return kAudio_ParamError }
    return unsafe makeOutputQueue(
        format, flags, outQueue, context: DispatchContext(CDispatchQueue(queue)),
        OutputCallback(block: block))
}

/// Creates a playback queue that calls a block on a dispatch queue of Swift, which differs from C's.
public func makeOutputQueue(
    _ outQueue: UnsafeMutablePointer<AudioQueueRef?>, _ format: UnsafePointer<AudioStreamBasicDescription>,
    flags: UInt32, on queue: DispatchQueue, _ block: @escaping (AudioQueueRef, AudioQueueBufferRef) -> Void
) -> OSStatus {
    unsafe makeOutputQueue(
        format, flags, outQueue, context: DispatchContext(SwiftDispatchQueue(queue)),
        OutputCallback(block: block))
}

private func makeOutputQueue(
    _ format: UnsafePointer<AudioStreamBasicDescription>?, _ flags: UInt32,
    _ outQueue: UnsafeMutablePointer<AudioQueueRef?>?, context: (any CallbackContext)?,
    _ callback: OutputCallback
) -> OSStatus {
    unsafe makeQueue(format, flags, outQueue) {
        (format, handle) throws(QueueError) -> AudioQueueObject.Direction in
        .output(
            try OutputQueue(
                format: format, device: QueueDevices.current.makeOutput(named: nil),
                configuration: OutputQueue.Configuration(latency: nil), context: context,
                makeStretcher: QueueStretcher.maker
            ) { _, buffer in callback(handle, buffer) })
    }
}

// MARK: Recording

/// Creates a recording queue.
///
/// - Parameters: The same as for ``audioQueueNewOutput(_:_:_:_:_:_:_:)``.
/// - Parameter format: Copied. A sample rate or a number of channels of 0 selects the device's; the call then waits for
///   the device, up to five seconds.
/// - Returns: As ``audioQueueNewOutput(_:_:_:_:_:_:_:)``; the device's error if the device has to determine the format.
@_cdecl("AudioQueueNewInput")
public func audioQueueNewInput(
    _ format: UnsafePointer<AudioStreamBasicDescription>?, _ callback: AudioQueueInputCallback?,
    _ userData: UnsafeMutableRawPointer?, _ runLoop: CFRunLoop?, _ mode: CFString?, _ flags: UInt32,
    _ outQueue: UnsafeMutablePointer<AudioQueueRef?>?
) -> OSStatus {
    guard let callback = unsafe callback else { return kAudio_ParamError }
    return unsafe makeInputQueue(
        format, flags, outQueue, context: runLoop.map { RunLoopContext($0, mode: mode) },
        InputCallback(callback, userData))
}

/// Creates a recording queue that calls a block on a dispatch queue, with the parameters and results of
/// ``audioQueueNewOutputWithDispatchQueue(_:_:_:_:_:)``.
@_cdecl("AudioQueueNewInputWithDispatchQueue")
public func audioQueueNewInputWithDispatchQueue(
    _ outQueue: UnsafeMutablePointer<AudioQueueRef?>?, _ format: UnsafePointer<AudioStreamBasicDescription>?,
    _ flags: UInt32, _ queue: OpaquePointer?,
    _ block: (
        @convention(block) (
            AudioQueueRef, AudioQueueBufferRef, UnsafePointer<AudioTimeStamp>, UInt32,
            UnsafePointer<AudioStreamPacketDescription>?
        ) -> Void
    )?
) -> OSStatus {
    guard let queue = unsafe queue, let block = unsafe block else { return kAudio_ParamError }
    return unsafe makeInputQueue(
        format, flags, outQueue, context: DispatchContext(CDispatchQueue(queue)), InputCallback(block: block))
}

/// Creates a recording queue that calls a block on a dispatch queue of Swift, which differs from C's.
public func makeInputQueue(
    _ outQueue: UnsafeMutablePointer<AudioQueueRef?>, _ format: UnsafePointer<AudioStreamBasicDescription>,
    flags: UInt32, on queue: DispatchQueue,
    _ block:
        @escaping (
            AudioQueueRef, AudioQueueBufferRef, UnsafePointer<AudioTimeStamp>, UInt32,
            UnsafePointer<AudioStreamPacketDescription>?
        ) -> Void
) -> OSStatus {
    unsafe makeInputQueue(
        format, flags, outQueue, context: DispatchContext(SwiftDispatchQueue(queue)),
        InputCallback(block: block))
}

private func makeInputQueue(
    _ format: UnsafePointer<AudioStreamBasicDescription>?, _ flags: UInt32,
    _ outQueue: UnsafeMutablePointer<AudioQueueRef?>?, context: (any CallbackContext)?,
    _ callback: InputCallback
) -> OSStatus {
    unsafe makeQueue(format, flags, outQueue) {
        (format, handle) throws(QueueError) -> AudioQueueObject.Direction in
        .input(
            try InputQueue(
                format: format, device: QueueDevices.current.makeInput(named: nil), context: context
            ) { queue, buffer, info in
                callback(handle, buffer, info, isDescribed: !queue.format.hasConstantPacketSize)
            })
    }
}

// MARK: Common parts

/// Makes a queue, assigns a handle to it, and returns the handle to the client.
private func makeQueue(
    _ format: UnsafePointer<AudioStreamBasicDescription>?, _ flags: UInt32,
    _ outQueue: UnsafeMutablePointer<AudioQueueRef?>?,
    _ make: (AudioStreamBasicDescription, QueueHandle) throws(QueueError) -> AudioQueueObject.Direction
) -> OSStatus {
    guard let format = unsafe format, let outQueue = unsafe outQueue, flags == 0 else {
        return kAudio_ParamError
    }
    let handle = QueueHandle()
    return QueueError.status { () throws(QueueError) in
        try QueueError.refuseForkedChild()
        let queue = AudioQueueObject(try make(unsafe format.pointee, handle))
        guard let made = unsafe AudioQueueObject.table.insert(queue) else { throw QueueError(.outOfMemory) }
        unsafe handle.set(made)
        unsafe outQueue.pointee = made
    }
}

/// Ends a queue and frees its buffers, timelines and tap, at once or after the enqueued buffers were played.
///
/// In both cases the handle is invalid afterwards. A queue that records, was not started or renders offline ends at
/// once.
///
/// - Returns: `kAudioQueueErr_DisposalPending` if the queue was disposed of before; `kAudio_ParamError` for NULL, and
///   for a reference that is not a queue.
@_cdecl("AudioQueueDispose")
public func audioQueueDispose(_ queue: AudioQueueRef?, _ isImmediate: Bool) -> OSStatus {
    if ForkedChild.isCurrent { return kAudioQueueErr_QueueInvalidated }
    guard let object = unsafe AudioQueueObject.table.remove(queue) else {
        return unsafe statusOfNoQueue(queue)
    }
    defer { object.endHandles() }
    return QueueError.status { () throws(QueueError) in try object.engine.dispose(immediate: isImmediate) }
}
