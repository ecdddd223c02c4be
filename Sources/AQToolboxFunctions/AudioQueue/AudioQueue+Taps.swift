// SPDX-License-Identifier: MIT

import AQDevices
import AudioQueues
public import CAQAudioToolbox
import CoreAudioTypes

/// Adds a processing tap to a stopped queue.
///
/// - Parameters:
///   - flags: Either `PreEffects` or `PostEffects`, and optionally `Siphon`.
///   - outMaximumFrames: Receives the largest number of frames of one callback.
///   - outFormat: Receives the format of the tap's audio.
/// - Returns: `kAudioQueueErr_TooManyTaps`, `kAudioQueueErr_InvalidRunState`; `kAudio_ParamError` for NULL, except as
///   the client data, and for other flags.
@_cdecl("AudioQueueProcessingTapNew")
public func audioQueueProcessingTapNew(
    _ queue: AudioQueueRef?,
    _ callback: (
        @convention(c) (
            UnsafeMutableRawPointer?, AudioQueueProcessingTapRef, UInt32,
            UnsafeMutablePointer<AudioTimeStamp>, UnsafeMutablePointer<AudioQueueProcessingTapFlags>,
            UnsafeMutablePointer<UInt32>, UnsafeMutablePointer<AudioBufferList>
        ) -> Void
    )?, _ clientData: UnsafeMutableRawPointer?, _ flags: UInt32,
    _ outMaximumFrames: UnsafeMutablePointer<UInt32>?,
    _ outFormat: UnsafeMutablePointer<AudioStreamBasicDescription>?,
    _ outTap: UnsafeMutablePointer<AudioQueueProcessingTapRef?>?
) -> OSStatus {
    unsafe callQueue(queue) { (object: AudioQueueObject) throws(QueueError) in
        guard let callback = unsafe callback, let outMaximumFrames = unsafe outMaximumFrames,
            let outFormat = unsafe outFormat, let outTap = unsafe outTap
        else { throw QueueError(.invalidArgument) }
        let kind = QueueTapFlags(rawValue: flags)
        guard kind.isSubset(of: [.preEffects, .postEffects, .siphon]),
            kind.contains(.preEffects) != kind.contains(.postEffects)
        else { throw QueueError(.invalidArgument) }
        let isCapture = if case .input = object.direction { true } else { false }
        let tap = unsafe ProcessingTapObject(
            callback, clientData, kind, of: UInt(bitPattern: queue), isCapture: isCapture)
        guard let handle = unsafe ProcessingTapObject.table.insert(tap) else {
            throw QueueError(.outOfMemory)
        }
        tap.setHandle(UInt(bitPattern: handle))
        let format: QueueTapFormat
        do throws(QueueError) {
            format = try object.engine.installTap(tap.engineTap)
        } catch {
            unsafe ProcessingTapObject.table.remove(handle)
            throw error
        }
        object.settings.withLock { $0.tap = UInt(bitPattern: handle) }
        unsafe object.endHandlesIfDisposed(queue)
        unsafe outMaximumFrames.pointee = UInt32(clamping: format.maximumFrames)
        unsafe outFormat.pointee = format.format
        unsafe outTap.pointee = handle
    }
}

/// Removes a tap from its stopped queue.
///
/// - Returns: `kAudioQueueErr_InvalidRunState` while the queue is not stopped; `kAudio_ParamError` for a
///   reference that is not a tap.
@_cdecl("AudioQueueProcessingTapDispose")
public func audioQueueProcessingTapDispose(_ tap: AudioQueueProcessingTapRef?) -> OSStatus {
    unsafe callTap(tap) { (object: ProcessingTapObject) throws(QueueError) in
        guard let queue = unsafe AudioQueueObject.table[OpaquePointer(bitPattern: object.queue)] else {
            throw QueueError(.disposalPending)
        }
        try queue.engine.removeTap()
        unsafe ProcessingTapObject.table.remove(tap)
        queue.settings.withLock { $0.tap = 0 }
    }
}

/// Returns the audio that a tap processes; only inside the tap's callback.
///
/// - Parameters:
///   - ioTime: Playback: the requested time. Capture: the time of the first frame, on return.
///   - outFlags: Receives whether the stream begins or ends here.
///   - ioAudio: The buffers. If they have no memory, the queue provides memory until the callback returns.
/// - Returns: `kAudioQueueErr_InvalidTapContext` outside the callback, and for a siphon; `kAudio_ParamError`
///   for NULL, and for memory that is too small for the frames.
@_cdecl("AudioQueueProcessingTapGetSourceAudio")
public func audioQueueProcessingTapGetSourceAudio(
    _ tap: AudioQueueProcessingTapRef?, _ frames: UInt32, _ ioTime: UnsafeMutablePointer<AudioTimeStamp>?,
    _ outFlags: UnsafeMutablePointer<AudioQueueProcessingTapFlags>?,
    _ outFrames: UnsafeMutablePointer<UInt32>?, _ ioAudio: UnsafeMutablePointer<AudioBufferList>?
) -> OSStatus {
    unsafe callTap(tap) { (object: ProcessingTapObject) throws(QueueError) in
        guard let ioTime = unsafe ioTime, let outFlags = unsafe outFlags, let outFrames = unsafe outFrames,
            let ioAudio = unsafe ioAudio
        else { throw QueueError(.invalidArgument) }
        guard !object.isSiphon else { throw QueueError(.invalidTapContext) }
        let source = try object.source()
        let read = try unsafe source.read(frames: Int(frames), timeStamp: &ioTime.pointee, into: ioAudio)
        object.noteRead()
        unsafe outFlags.pointee = AudioQueueProcessingTapFlags(rawValue: read.flags.rawValue)
        unsafe outFrames.pointee = UInt32(clamping: read.frames)
    }
}

/// Returns the queue's time of the audio that a tap has received; only inside the tap's callback.
///
/// - Returns: `kAudioQueueErr_InvalidTapType` for a queue that records; `kAudioQueueErr_InvalidTapContext`
///   outside the callback, and before the tap has received audio; `kAudio_ParamError` for NULL.
@_cdecl("AudioQueueProcessingTapGetQueueTime")
public func audioQueueProcessingTapGetQueueTime(
    _ tap: AudioQueueProcessingTapRef?, _ outSampleTime: UnsafeMutablePointer<Float64>?,
    _ outFrames: UnsafeMutablePointer<UInt32>?
) -> OSStatus {
    unsafe callTap(tap) { (object: ProcessingTapObject) throws(QueueError) in
        guard let outSampleTime = unsafe outSampleTime, let outFrames = unsafe outFrames else {
            throw QueueError(.invalidArgument)
        }
        guard !object.isCapture else { throw QueueError(.invalidTapType) }
        let source = try object.source()
        // A siphon receives its audio with the call.
        guard object.hasRead || object.isSiphon else { throw QueueError(.invalidTapContext) }
        let time = try source.queueTime()
        unsafe outSampleTime.pointee = time.sampleTime
        unsafe outFrames.pointee = UInt32(clamping: time.frames)
    }
}

/// Calls `body` with the tap of a handle, and returns its error as the published result.
private func callTap(
    _ handle: AudioQueueProcessingTapRef?, _ body: (ProcessingTapObject) throws(QueueError) -> Void
) -> OSStatus {
    guard let tap = unsafe ProcessingTapObject.table[handle] else { return kAudio_ParamError }
    return QueueError.status { () throws(QueueError) in try body(tap) }
}
