import AudioDevices
import CRealTime

/// The queue's time and the counts of captured and lost frames, derived from the device's.
struct InputTimeline {
    /// The position of the device's next frame, if none is lost.
    private var nextFrame: Int64 = 0
    /// The latest time that was returned since the last start.
    private var latestTime = -Double.infinity
    private var gaps = GapCount()
    /// The counts at the end of a run: audio that the device captures afterwards is not counted as lost.
    private var endCounts: CapturePosition?
    /// Whether the buffer that the device returned last was full.
    private(set) var isLatestFull = true

    /// Begins the timeline of another start.
    mutating func start() { (latestTime, endCounts) = (-.infinity, nil) }

    /// Begins a timeline after the device has begun one itself.
    mutating func restart() {
        gaps.endRun(at: 0)
        (nextFrame, latestTime) = (0, -.infinity)
    }

    /// Keeps the counts of a run, unless they were kept before.
    mutating func keepCounts(_ position: CapturePosition) { endCounts = counts(position) }

    /// Ends the timeline; the next one counts from 0.
    mutating func end(at position: CapturePosition, wasCapturing: Bool) {
        if wasCapturing { gaps.endRun(at: counts(position).discontinuities) }
        nextFrame = 0
    }

    /// Whether the counts are those of a run that has ended.
    var areCountsKept: Bool { endCounts != nil }

    /// The counts of the current or the last run.
    ///
    /// - Parameter position: The device's counts.
    func counts(_ position: CapturePosition) -> CapturePosition { endCounts ?? position }

    /// The gaps of all runs.
    ///
    /// - Parameter count: The device's count; 0 before it captures, when it is that of the previous run.
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

    /// The buffer of an item with the bytes that the device wrote, whose first frame has a position and a time.
    mutating func fill(
        _ item: InputItem, capturedBytes: Int, frame: Int64, hostTime: UInt64
    ) -> FilledBuffer {
        isLatestFull = capturedBytes >= item.byteCount
        let frames = min(max(0, capturedBytes), item.byteCount) / item.bytesPerFrame
        // Frames that were lost before the buffer's turn still precede it.
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
