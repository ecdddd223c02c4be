import AudioDevices
import CRealTime

/// The queue's time, and what was captured and lost, as it follows from the device's.
struct InputTimeline {
    /// The position of the device's next frame, if none is lost.
    private var nextFrame: Int64 = 0
    /// The latest time that was given out since the last start.
    private var latestTime = -Double.infinity
    private var gaps = GapCount()
    /// The counts at the end of a run: audio that the device captures after it is not wanted, so it is not lost.
    private var endCounts: CapturePosition?
    /// Whether the buffer that the device returned last was full.
    private(set) var isLatestFull = true

    /// Begins the timeline of another start.
    mutating func start() { (latestTime, endCounts) = (-.infinity, nil) }

    /// Begins a timeline that the device has begun by itself.
    mutating func restart() {
        gaps.endRun(at: 0)
        (nextFrame, latestTime) = (0, -.infinity)
    }

    /// Keeps the counts of a run, unless they were kept before.
    mutating func keepCounts(_ position: CapturePosition) { endCounts = counts(position) }

    /// Ends the timeline, whose next one counts from 0.
    mutating func end(at position: CapturePosition, wasCapturing: Bool) {
        if wasCapturing { gaps.endRun(at: counts(position).discontinuities) }
        nextFrame = 0
    }

    /// Whether the counts are those of a run that is over.
    var areCountsKept: Bool { endCounts != nil }

    /// The counts of the present or the last run.
    ///
    /// - Parameter position: The device's counts.
    func counts(_ position: CapturePosition) -> CapturePosition { endCounts ?? position }

    /// The gaps of all runs.
    ///
    /// - Parameter count: The device's count; 0 before it captures, since it is that of the run before.
    mutating func allGaps(_ count: Int) -> Int { gaps.all(count) }

    /// The time of a position. It never runs backwards.
    ///
    /// - Parameter timeline: The observer of gaps, if there is one.
    mutating func time(at position: CapturePosition, for timeline: QueueTimeline?) -> QueueTime {
        latestTime = max(latestTime, position.timelineFrames)
        let gaps = allGaps(position.discontinuities)
        return QueueTime(
            sampleTime: latestTime, playedFrames: latestTime - Double(position.lostFrames),
            hostTime: position.hostTime, isDiscontinuous: timeline?.observe(gaps) ?? false)
    }

    // MARK: Buffers

    /// The buffer of an item with the bytes that the device wrote, the first frame of which has a position and a time.
    mutating func fill(
        _ item: InputItem, capturedBytes: Int, frame: Int64, hostTime: UInt64
    ) -> FilledBuffer {
        isLatestFull = capturedBytes >= item.byteCount
        let frames = min(max(0, capturedBytes), item.byteCount) / item.bytesPerFrame
        // Frames that were lost before the buffer's turn came are before it all the same.
        guard frames > 0 else { return empty(item, notBefore: frame) }
        defer { nextFrame = frame + Int64(frames) }
        return unsafe FilledBuffer(
            buffer: item.buffer, room: item.room, capturedBytes: frames * item.bytesPerFrame,
            info: InputBufferInfo(
                sampleTime: Double(frame), hostTime: hostTime, packetCount: frames,
                lostFramesBefore: max(0, frame - nextFrame)))
    }

    /// The buffer of an item that the device did not fill.
    func empty(_ item: InputItem, notBefore frame: Int64 = .min) -> FilledBuffer {
        unsafe FilledBuffer(
            buffer: item.buffer, room: item.room, capturedBytes: 0,
            info: InputBufferInfo(
                sampleTime: Double(max(frame, nextFrame)), hostTime: aq_host_time(), packetCount: 0,
                lostFramesBefore: 0))
    }
}
