import AudioDevices

/// The queue's time, in frames of its format, derived from the device's.
struct OutputTimeline {
    /// Frames of the format that were passed on since the last start or reset.
    var framesOnTheWay = 0
    /// The latest time that was returned since the last start.
    private var latestTime = -Double.infinity
    /// The difference of the format's time to the device's from before resets, if effects stretch it.
    private var stretchedFrames = 0.0
    private var gaps = GapCount()

    /// Begins the timeline of another start.
    mutating func start() {
        latestTime = -.infinity
        stretchedFrames = 0
    }

    /// The frames of the timeline other than those passed on since the last start or reset.
    ///
    /// - Parameter position: The position of a running device; nil before it runs.
    func otherFrames(at position: PlaybackPosition?) -> Double {
        position.map { max(0, $0.otherFrames) + stretchedFrames } ?? 0
    }

    /// The position of the next frame to pass on.
    func nextFrame(at position: PlaybackPosition?) -> Double {
        otherFrames(at: position) + Double(framesOnTheWay)
    }

    /// Keeps the difference between the format's time and the device's before the device counts from 0 again.
    ///
    /// - Parameter sourceFrames: The frames of the format that were played, if effects stretch them.
    mutating func keepStretchedTime(at position: PlaybackPosition, sourceFrames: Double) {
        stretchedFrames += sourceFrames - position.playedFrames
        latestTime = max(latestTime, position.timelineFrames + stretchedFrames)
    }

    /// The time of a position. It never runs backwards.
    ///
    /// - Parameters:
    ///   - sourceFrames: The frames of the format that were played, if effects stretch them; nil without effects.
    ///   - isExact: Whether the position and `sourceFrames` belong to the same run.
    ///   - timeline: The observer of gaps, if there is one.
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

    /// The gaps of all runs.
    ///
    /// - Parameter count: The stream's count.
    mutating func allGaps(_ count: Int) -> Int { gaps.all(count) }

    /// Keeps the count of a stream before it is replaced.
    mutating func endGaps(at count: Int) { gaps.endRun(at: count) }
}
