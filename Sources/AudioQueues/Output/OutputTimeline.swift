// SPDX-License-Identifier: MIT

import AQDevices

/// The queue's time in frames of its format, derived from the device's position.
struct OutputTimeline {
    /// The number of frames of the format that were passed on since the last start or reset.
    var framesOnTheWay = 0
    /// The latest time since the last start that was returned, or reached at a reset.
    private var latestTime = -Double.infinity
    /// The difference between the format's time and the device's at the last reset, if effects stretch time.
    private var stretchedFrames = 0.0
    private var gaps = GapCount()

    mutating func start() {
        latestTime = -.infinity
        stretchedFrames = 0
    }

    /// Returns the number of frames of the timeline other than those passed on since the last start or reset.
    ///
    /// - Parameter position: The position of a running device; nil before it runs.
    func otherFrames(at position: PlaybackPosition?) -> Double {
        position.map { max(0, $0.otherFrames) + stretchedFrames } ?? 0
    }

    func nextFrame(at position: PlaybackPosition?) -> Double {
        otherFrames(at: position) + Double(framesOnTheWay)
    }

    /// Records the difference between the format's time and the device's, before the device counts from 0 again.
    ///
    /// - Parameter sourceFrames: The number of played frames of the format, before effects stretch them.
    mutating func keepStretchedTime(at position: PlaybackPosition, sourceFrames: Double) {
        stretchedFrames += sourceFrames - position.playedFrames
        latestTime = max(latestTime, position.timelineFrames + stretchedFrames)
    }

    /// Returns the time of a position, which never decreases during a run.
    ///
    /// - Parameters:
    ///   - sourceFrames: The number of played frames of the format, before effects stretch them; nil without effects.
    ///   - isExact: Whether the position and `sourceFrames` belong to the same run.
    ///   - timeline: The observer of gaps; nil for none.
    mutating func time(
        at position: PlaybackPosition, sourceFrames: Double?, isExact: Bool, for timeline: QueueTimeline?
    ) -> QueueTime {
        var sampleTime = position.timelineFrames
        if let sourceFrames { sampleTime += sourceFrames - position.playedFrames + stretchedFrames }
        if isExact { latestTime = max(latestTime, sampleTime) }
        let gaps = allGaps(position.discontinuities)
        return QueueTime(
            sampleTime: latestTime, playedFrames: sourceFrames ?? position.playedFrames,
            hostTime: position.hostTime, isDiscontinuous: timeline?.observe(gaps) ?? false)
    }

    /// Returns the number of gaps in all runs.
    ///
    /// - Parameter count: The stream's count of gaps.
    mutating func allGaps(_ count: Int) -> Int { gaps.all(count) }

    /// Keeps the count of a stream that will be replaced.
    mutating func endGaps(at count: Int) { gaps.endRun(at: count) }
}
