// SPDX-License-Identifier: MIT

import AQDevices
import CAQRealTime

/// The queue's time and the counts of captured and lost frames, derived from the device's position.
struct InputTimeline {
    /// The position of the device's next frame, unless frames are lost.
    private var nextFrame: Int64 = 0
    /// The latest time and the most captured frames that were returned since the last start.
    private var latestTime = -Double.infinity
    private var latestCaptured = -Double.infinity
    private var gaps = GapCount()
    /// The counts at the end of a run; nil during a run. Audio that the device captures afterwards does not count as
    /// lost.
    private var endCounts: CapturePosition?
    /// Whether the buffer that the device returned last was full.
    private(set) var isLatestFull = true

    mutating func start() { (latestTime, latestCaptured, endCounts) = (-.infinity, -.infinity, nil) }

    /// Begins another timeline after the device has done so.
    mutating func restart() {
        gaps.endRun(at: 0)
        (nextFrame, latestTime, latestCaptured) = (0, -.infinity, -.infinity)
    }

    /// Keeps the counts of a run, unless they are kept already.
    mutating func keepCounts(_ position: CapturePosition) { endCounts = counts(position) }

    /// Ends the timeline of a run. The next timeline counts from 0.
    mutating func end(at position: CapturePosition, wasCapturing: Bool) {
        if wasCapturing { gaps.endRun(at: counts(position).discontinuities) }
        nextFrame = 0
    }

    var areCountsKept: Bool { endCounts != nil }

    /// Returns the counts of the current or the last run.
    ///
    /// - Parameter position: The device's counts.
    func counts(_ position: CapturePosition) -> CapturePosition { endCounts ?? position }

    /// Returns the number of gaps in all runs.
    ///
    /// - Parameter count: The device's count; 0 before it captures, when its count is that of the previous run.
    mutating func allGaps(_ count: Int) -> Int { gaps.all(count) }

    /// Returns the time of a position, which never decreases during a run.
    ///
    /// - Parameter timeline: The observer of gaps; nil for none.
    mutating func time(at position: CapturePosition, for timeline: QueueTimeline?) -> QueueTime {
        latestTime = max(latestTime, position.timelineFrames)
        // Frames that wait for a buffer count as captured, until they are lost.
        latestCaptured = max(latestCaptured, latestTime - Double(position.lostFrames))
        let gaps = allGaps(position.discontinuities)
        return QueueTime(
            sampleTime: latestTime, playedFrames: latestCaptured,
            hostTime: position.hostTime, isDiscontinuous: timeline?.observe(gaps) ?? false)
    }

    // MARK: Buffers

    /// Returns an item's buffer with the bytes that the device wrote, whose first frame has a position and a time.
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

    /// Returns the buffer of an item that the device did not fill.
    func empty(_ item: InputItem, notBefore frame: Int64 = .min) -> FilledBuffer {
        unsafe FilledBuffer(
            buffer: item.buffer, room: item.room, capturedBytes: 0,
            info: InputBufferInfo(
                sampleTime: Double(max(frame, nextFrame)), hostTime: aq_host_time(), packetCount: 0,
                lostFramesBefore: 0))
    }
}
