import AudioDevices
import AudioQueues
public import CAudioToolbox
import CRealTime

// MARK: Timelines

/// Creates an observer of the gaps in a queue's time.
///
/// The corresponding C function is `AudioQueueCreateTimeline`.
@_cdecl("AudioQueueCreateTimeline")
public func audioQueueCreateTimeline(
    _ queue: AudioQueueRef?, _ outTimeline: UnsafeMutablePointer<AudioQueueTimelineRef?>?
) -> OSStatus {
    unsafe callQueue(queue) { (object: AudioQueueObject) throws(QueueError) in
        guard let outTimeline = unsafe outTimeline else {
            throw QueueError(.invalidArgument, "cannot make a timeline without a place to put it")
        }
        let timeline = AudioQueueTimelineObject(
            object.engine.makeTimeline(), of: UInt(bitPattern: queue))
        guard let handle = unsafe AudioQueueTimelineObject.table.insert(timeline) else {
            throw QueueError(.outOfMemory, "cannot make a timeline: there are too many")
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
/// - Returns: `kAudio_ParamError` for one that is none of this queue's.
///
/// The corresponding C function is `AudioQueueDisposeTimeline`.
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
    else { throw QueueError(.invalidArgument, "cannot use what is no timeline of this queue") }
    return object
}

// MARK: The queue's time

/// Tells a queue's time, in frames of its format since its start.
///
/// - Parameters:
///   - timeline: The observer that wants to know of gaps; may be NULL.
///   - outTime: Sample time and host time; may be NULL.
///   - outDiscontinuity: Whether there was a gap since the timeline was asked last; written only with a timeline, and
///     may be NULL.
/// - Returns: `kAudioQueueErr_InvalidRunState` before sound really runs, and after a stop.
///
/// The corresponding C function is `AudioQueueGetCurrentTime`.
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

/// Tells the device's time; while it does not run, the host's alone.
///
/// The corresponding C function is `AudioQueueDeviceGetCurrentTime`.
@_cdecl("AudioQueueDeviceGetCurrentTime")
public func audioQueueDeviceGetCurrentTime(
    _ queue: AudioQueueRef?, _ outTime: UnsafeMutablePointer<AudioTimeStamp>?
) -> OSStatus {
    unsafe callQueue(queue) { (object: AudioQueueObject) throws(QueueError) in
        guard let outTime = unsafe outTime else {
            throw QueueError(.invalidArgument, "cannot tell the device's time without a place to put it")
        }
        let now = aq_host_time()
        guard let clock = object.engine.deviceClock else {
            unsafe outTime.pointee = AudioTimeStamp(sampleTime: nil, hostTime: now)
            return
        }
        unsafe outTime.pointee = clock.timeStamp(atHostTime: now)
    }
}

/// Translates a device's sample time to the host's, or the other way round.
///
/// - Parameters:
///   - time: A valid sample time is translated, or else a valid host time.
///   - outTime: COMPAT: gets both whatever its flags say, which older programs leave unset.
/// - Returns: `kAudioQueueErr_InvalidRunState` while the device does not run; `kAudio_ParamError` for a time in which
///   neither is valid.
///
/// The corresponding C function is `AudioQueueDeviceTranslateTime`.
@_cdecl("AudioQueueDeviceTranslateTime")
public func audioQueueDeviceTranslateTime(
    _ queue: AudioQueueRef?, _ time: UnsafePointer<AudioTimeStamp>?,
    _ outTime: UnsafeMutablePointer<AudioTimeStamp>?
) -> OSStatus {
    unsafe callQueue(queue) { (object: AudioQueueObject) throws(QueueError) in
        guard let time = unsafe time, let outTime = unsafe outTime else {
            throw QueueError(.invalidArgument, "cannot translate a time from or to NULL")
        }
        // Before the device is asked: a time that says nothing is wrong however that stands.
        let given = unsafe time.pointee
        guard given.validSampleTime != nil || given.validHostTime != nil else { throw QueueError.noTime }
        guard let clock = object.engine.deviceClock else { throw QueueError.deviceStandsStill }
        let hostTime = given.validSampleTime.map { clock.hostTime(atFrames: $0) } ?? given.mHostTime
        var translated = clock.timeStamp(atHostTime: hostTime)
        if let frames = given.validSampleTime { translated.mSampleTime = frames }
        unsafe outTime.pointee = translated
    }
}

/// Tells the time nearest to the one asked for at which the queue can start.
///
/// - Parameters:
///   - ioTime: A valid host time counts, or else a valid sample time of the device.
///   - flags: 0.
/// - Returns: As ``audioQueueDeviceTranslateTime(_:_:_:)``; a host time needs no device that runs.
///
/// The corresponding C function is `AudioQueueDeviceGetNearestStartTime`.
@_cdecl("AudioQueueDeviceGetNearestStartTime")
public func audioQueueDeviceGetNearestStartTime(
    _ queue: AudioQueueRef?, _ ioTime: UnsafeMutablePointer<AudioTimeStamp>?, _ flags: UInt32
) -> OSStatus {
    unsafe callQueue(queue) { (object: AudioQueueObject) throws(QueueError) in
        guard let ioTime = unsafe ioTime, flags == 0 else {
            throw QueueError(.invalidArgument, "cannot find the nearest time to NULL, or with flags")
        }
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
    /// - Throws: ``QueueError/Code/invalidArgument`` if it says no time; ``QueueError/Code/invalidRunState`` if it says
    ///   a sample time alone, and the device does not run.
    func hostTime(of time: AudioTimeStamp) throws(QueueError) -> UInt64 {
        if let hostTime = time.validHostTime { return hostTime }
        guard let frames = time.validSampleTime else { throw QueueError.noTime }
        guard let clock = engine.deviceClock else { throw QueueError.deviceStandsStill }
        return clock.hostTime(atFrames: frames)
    }
}

extension QueueError {
    fileprivate static let noTime = QueueError(
        .invalidArgument, "cannot use a time stamp in which neither sample time nor host time is valid")
    fileprivate static let deviceStandsStill = QueueError(
        .invalidRunState, "cannot translate times of a device that does not run")
}

extension DeviceClockReading {
    /// When the device is, or was, at these frames; the nearest host time that there is.
    func hostTime(atFrames frames: Double) -> UInt64 {
        let nanoseconds = (frames - self.frames) / framesPerSecond * 1e9
        // What is no number, as of a clock without a rate, is now.
        guard nanoseconds.isFinite else { return hostTime }
        let whole = Int64(max(-9e18, min(nanoseconds.rounded(), 9e18)))
        let magnitude = whole.magnitude
        if whole < 0 { return magnitude > hostTime ? 0 : hostTime - magnitude }
        let (sum, isTooLarge) = hostTime.addingReportingOverflow(magnitude)
        return isTooLarge ? .max : sum
    }

    /// Where the device is, or was, at a host time.
    func frames(atHostTime time: UInt64) -> Double {
        let nanoseconds = time >= hostTime ? Double(time - hostTime) : -Double(hostTime - time)
        return frames + nanoseconds / 1e9 * framesPerSecond
    }

    /// Both times, and how much longer than it says a frame takes.
    func timeStamp(atHostTime time: UInt64) -> AudioTimeStamp {
        var stamp = AudioTimeStamp(sampleTime: frames(atHostTime: time), hostTime: time)
        if framesPerSecond > 0, nominalFramesPerSecond > 0 {
            stamp.mRateScalar = nominalFramesPerSecond / framesPerSecond
            stamp.mFlags.insert(.rateScalarValid)
        }
        return stamp
    }
}
