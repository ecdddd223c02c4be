// SPDX-License-Identifier: MIT

import AudioQueues
public import CAQAudioToolbox

/// Starts a queue, or resumes it after a pause.
///
/// COMPAT: returns when the device runs, so that an error of the device is the result. Returns `noErr` earlier if the
/// device does not run after two seconds, before a start time, and within a callback.
///
/// - Parameter startTime: The time at which the first frame is audible or captured: its host time if valid, or else its
///   sample time of the device; NULL for as soon as possible. Ignored for a queue that is paused or runs.
/// - Returns: The device's error; `kAudioQueueErr_CannotStartYet` while a stop plays or fills the enqueued buffers;
///   `kAudioQueueErr_InvalidRunState` for a sample time of a device that does not run; `kAudio_ParamError` for a time
///   stamp in which neither time is valid, and for a time more than a minute ahead.
@_cdecl("AudioQueueStart")
public func audioQueueStart(
    _ queue: AudioQueueRef?, _ startTime: UnsafePointer<AudioTimeStamp>?
) -> OSStatus {
    unsafe callQueue(queue) { (object: AudioQueueObject) throws(QueueError) in
        if let startTime = unsafe startTime {
            try object.engine.start(atHostTime: object.hostTime(of: unsafe startTime.pointee))
        } else {
            try object.engine.start()
        }
        try object.engine.awaitStart()
    }
}

/// Decodes frames in advance, so that the start takes less time.
///
/// - Parameters:
///   - frames: The number of frames; 0 for as many as are decoded ahead. Fewer are prepared if fewer are enqueued.
///   - outPrepared: Receives the number of frames; may be NULL.
/// - Returns: `kAudioQueueErr_InvalidQueueType` for a queue that records, `kAudioQueueErr_PrimeTimedOut`, and errors of
///   the decoder.
@_cdecl("AudioQueuePrime")
public func audioQueuePrime(
    _ queue: AudioQueueRef?, _ frames: UInt32, _ outPrepared: UnsafeMutablePointer<UInt32>?
) -> OSStatus {
    unsafe callQueue(queue) { (object: AudioQueueObject) throws(QueueError) in
        let prepared = try object.output().prime(frames: Int(frames))
        unsafe outPrepared?.pointee = UInt32(clamping: prepared)
    }
}

/// Stops a queue, at once or after the enqueued buffers.
@_cdecl("AudioQueueStop")
public func audioQueueStop(_ queue: AudioQueueRef?, _ isImmediate: Bool) -> OSStatus {
    unsafe callQueue(queue) { (object: AudioQueueObject) throws(QueueError) in
        try object.engine.stop(immediate: isImmediate)
    }
}

/// Pauses a queue, which keeps its buffers and its position.
@_cdecl("AudioQueuePause")
public func audioQueuePause(_ queue: AudioQueueRef?) -> OSStatus {
    unsafe callQueue(queue) { (object: AudioQueueObject) throws(QueueError) in try object.engine.pause() }
}

/// Marks the end of a sequence of packets, at which the decoder outputs its last frames. A queue that records returns
/// the buffer that it is filling.
@_cdecl("AudioQueueFlush")
public func audioQueueFlush(_ queue: AudioQueueRef?) -> OSStatus {
    unsafe callQueue(queue) { (object: AudioQueueObject) throws(QueueError) in try object.engine.flush() }
}

/// Drops the enqueued audio, and returns the buffers; a queue that records returns them with the captured audio.
@_cdecl("AudioQueueReset")
public func audioQueueReset(_ queue: AudioQueueRef?) -> OSStatus {
    unsafe callQueue(queue) { (object: AudioQueueObject) throws(QueueError) in try object.engine.reset() }
}
