// SPDX-License-Identifier: MIT

import AQDevices
import AudioQueues
public import CAQAudioToolbox
import CAQRealTime

// MARK: Timelines

/// Creates an observer of the gaps in a queue's time.
///
/// A queue has 1024 timelines at most: the next one frees the half that has not been used for the longest time.
@_cdecl("AudioQueueCreateTimeline")
public func audioQueueCreateTimeline(
    _ queue: AudioQueueRef?, _ outTimeline: UnsafeMutablePointer<AudioQueueTimelineRef?>?
) -> OSStatus {
    unsafe callQueue(queue) { (object: AudioQueueObject) throws(QueueError) in
        guard let outTimeline = unsafe outTimeline else { throw QueueError(.invalidArgument) }
        let timeline = AudioQueueTimelineObject(
            object.engine.makeTimeline(), of: UInt(bitPattern: queue))
        guard let handle = unsafe AudioQueueTimelineObject.table.insert(timeline) else {
            throw QueueError(.outOfMemory)
        }
        let dropped = object.settings.withLock { settings in
            settings.timelines.add(UInt(bitPattern: handle), timeline)
        }
        for old in dropped { unsafe AudioQueueTimelineObject.table.remove(OpaquePointer(bitPattern: old)) }
        unsafe object.endHandlesIfDisposed(queue)
        unsafe outTimeline.pointee = handle
    }
}

/// Frees a timeline before its queue.
///
/// - Returns: `kAudio_ParamError` for a timeline that does not belong to this queue.
@_cdecl("AudioQueueDisposeTimeline")
public func audioQueueDisposeTimeline(
    _ queue: AudioQueueRef?, _ timeline: AudioQueueTimelineRef?
) -> OSStatus {
    unsafe callQueue(queue) { (object: AudioQueueObject) throws(QueueError) in
        _ = try unsafe timelineObject(timeline, of: queue)
        unsafe AudioQueueTimelineObject.table.remove(timeline)
        let handle = UInt(bitPattern: timeline)
        object.settings.withLock { $0.timelines.remove(handle) }
    }
}

private func timelineObject(
    _ timeline: AudioQueueTimelineRef?, of queue: AudioQueueRef?
) throws(QueueError) -> AudioQueueTimelineObject {
    guard let object = unsafe AudioQueueTimelineObject.table[timeline],
        object.queue == UInt(bitPattern: queue)
    else { throw QueueError(.invalidArgument) }
    return object
}

// MARK: The queue's time

/// Returns a queue's time, in frames of its format since its start.
///
/// - Parameters:
///   - timeline: The observer of gaps; may be NULL.
///   - outTime: Receives the sample time and the host time; may be NULL.
///   - outDiscontinuity: Receives whether there was a gap since the timeline's last query; written only with
///     a timeline, and may be NULL.
/// - Returns: `kAudioQueueErr_InvalidRunState` before the audio runs, and after a stop; `kAudio_ParamError` for a
///   timeline that does not belong to this queue.
@_cdecl("AudioQueueGetCurrentTime")
public func audioQueueGetCurrentTime(
    _ queue: AudioQueueRef?, _ timeline: AudioQueueTimelineRef?,
    _ outTime: UnsafeMutablePointer<AudioTimeStamp>?, _ outDiscontinuity: UnsafeMutablePointer<Bool>?
) -> OSStatus {
    unsafe callQueue(queue) { (object: AudioQueueObject) throws(QueueError) in
        var observer: AudioQueueTimelineObject?
        if unsafe timeline != nil {
            let found = try unsafe timelineObject(timeline, of: queue)
            object.settings.withLock { $0.timelines.use(found) }
            observer = found
        }
        let time = try object.engine.currentTime(on: observer?.timeline)
        unsafe outTime?.pointee = AudioTimeStamp(sampleTime: time.sampleTime, hostTime: time.hostTime)
        if observer != nil { unsafe outDiscontinuity?.pointee = time.isDiscontinuous }
    }
}

// MARK: The device's time

/// Returns the device's time; while the device does not run, only the host time.
@_cdecl("AudioQueueDeviceGetCurrentTime")
public func audioQueueDeviceGetCurrentTime(
    _ queue: AudioQueueRef?, _ outTime: UnsafeMutablePointer<AudioTimeStamp>?
) -> OSStatus {
    unsafe callQueue(queue) { (object: AudioQueueObject) throws(QueueError) in
        guard let outTime = unsafe outTime else { throw QueueError(.invalidArgument) }
        let now = aq_host_time()
        guard let clock = object.engine.deviceClock else {
            unsafe outTime.pointee = AudioTimeStamp(sampleTime: nil, hostTime: now)
            return
        }
        unsafe outTime.pointee = clock.timeStamp(atHostTime: now)
    }
}

/// Translates a device's sample time to a host time, or the reverse.
///
/// - Parameters:
///   - time: A valid sample time is translated, or else a valid host time.
///   - outTime: Receives both times. COMPAT: its flags are ignored, because older programs leave them unset.
/// - Returns: `kAudioQueueErr_InvalidRunState` while the device does not run; `kAudio_ParamError` for a time
///   in which neither is valid.
@_cdecl("AudioQueueDeviceTranslateTime")
public func audioQueueDeviceTranslateTime(
    _ queue: AudioQueueRef?, _ time: UnsafePointer<AudioTimeStamp>?,
    _ outTime: UnsafeMutablePointer<AudioTimeStamp>?
) -> OSStatus {
    unsafe callQueue(queue) { (object: AudioQueueObject) throws(QueueError) in
        guard let time = unsafe time, let outTime = unsafe outTime else { throw QueueError(.invalidArgument) }
        // Checked before the device's state: a time without a valid field is wrong in any state.
        let given = unsafe time.pointee
        guard given.validSampleTime != nil || given.validHostTime != nil else {
            throw QueueError(.invalidArgument)
        }
        guard let clock = object.engine.deviceClock else { throw QueueError(.invalidRunState) }
        let hostTime = given.validSampleTime.map { clock.hostTime(atFrames: $0) } ?? given.mHostTime
        var translated = clock.timeStamp(atHostTime: hostTime)
        if let frames = given.validSampleTime { translated.mSampleTime = frames }
        unsafe outTime.pointee = translated
    }
}

/// Returns the time nearest to the requested one at which the queue can start.
///
/// - Parameters:
///   - ioTime: The requested time: its host time if valid, or else its sample time of the device.
///   - flags: Must be 0.
/// - Returns: As ``audioQueueDeviceTranslateTime(_:_:_:)``; a host time does not need a running device.
@_cdecl("AudioQueueDeviceGetNearestStartTime")
public func audioQueueDeviceGetNearestStartTime(
    _ queue: AudioQueueRef?, _ ioTime: UnsafeMutablePointer<AudioTimeStamp>?, _ flags: UInt32
) -> OSStatus {
    unsafe callQueue(queue) { (object: AudioQueueObject) throws(QueueError) in
        guard let ioTime = unsafe ioTime, flags == 0 else { throw QueueError(.invalidArgument) }
        let wanted = try object.hostTime(of: unsafe ioTime.pointee)
        let nearest = object.engine.nearestStart(toHostTime: wanted)
        unsafe ioTime.pointee =
            object.engine.deviceClock?.timeStamp(atHostTime: nearest)
            ?? AudioTimeStamp(sampleTime: nil, hostTime: nearest)
    }
}

extension AudioQueueObject {
    /// The host time of a time stamp of the device.
    ///
    /// - Throws: ``QueueError/Code/invalidArgument`` if the time stamp has no valid time;
    ///   ``QueueError/Code/invalidRunState`` if it has only a sample time, and the device does not run.
    func hostTime(of time: AudioTimeStamp) throws(QueueError) -> UInt64 {
        if let hostTime = time.validHostTime { return hostTime }
        guard let frames = time.validSampleTime else { throw QueueError(.invalidArgument) }
        guard let clock = engine.deviceClock else { throw QueueError(.invalidRunState) }
        return clock.hostTime(atFrames: frames)
    }
}

extension DeviceClockReading {
    /// The host time of a position of the device, limited to the range of host times.
    func hostTime(atFrames frames: Double) -> UInt64 {
        let nanoseconds = (frames - self.frames) / framesPerSecond * 1e9
        // A clock without a rate gives a value that is not a number: the result is the host time of the reading.
        guard nanoseconds.isFinite else { return hostTime }
        let whole = Int64(max(-9e18, min(nanoseconds.rounded(), 9e18)))
        let magnitude = whole.magnitude
        if whole < 0 { return magnitude > hostTime ? 0 : hostTime - magnitude }
        let (sum, isTooLarge) = hostTime.addingReportingOverflow(magnitude)
        return isTooLarge ? .max : sum
    }

    /// The device's position at a host time.
    func frames(atHostTime time: UInt64) -> Double {
        let nanoseconds = time >= hostTime ? Double(time - hostTime) : -Double(hostTime - time)
        return frames + nanoseconds / 1e9 * framesPerSecond
    }

    /// The device's position and the host time, with the ratio of a frame's actual to its nominal duration.
    func timeStamp(atHostTime time: UInt64) -> AudioTimeStamp {
        var stamp = AudioTimeStamp(sampleTime: frames(atHostTime: time), hostTime: time)
        if framesPerSecond > 0, nominalFramesPerSecond > 0 {
            stamp.mRateScalar = nominalFramesPerSecond / framesPerSecond
            stamp.mFlags.insert(.rateScalarValid)
        }
        return stamp
    }
}
