import AudioDevices

/// The queue's time, in frames of its format, as it follows from the device's.
struct OutputTimeline {
    /// Frames of the format that were handed on since the last start or reset.
    private(set) var framesOnTheWay = 0
    /// The latest time that was given out since the last start.
    private var latestTime = -Double.infinity
    /// The frames by which resets have moved the format's time away from the device's, where effects stretch it.
    private var stretchedFrames = 0.0
    private var gaps = GapCount()

    /// Begins the timeline of another start.
    mutating func start() {
        latestTime = -.infinity
        stretchedFrames = 0
    }

    mutating func didHandOn(frames: Int) { framesOnTheWay += frames }

    /// Forgets the frames that were handed on: they were dropped, or all were heard.
    mutating func forgetFrames() { framesOnTheWay = 0 }

    /// The frames of the timeline other than those handed on since the last start or reset.
    ///
    /// - Parameter position: The position of a running device; nil before it runs.
    func otherFrames(at position: PlaybackPosition?) -> Double {
        position.map { max(0, $0.otherFrames) + stretchedFrames } ?? 0
    }

    /// The position of the next frame that is handed on.
    func nextFrame(at position: PlaybackPosition?) -> Double {
        otherFrames(at: position) + Double(framesOnTheWay)
    }

    /// Keeps the difference between the format's time and the device's before the device counts from 0 again.
    ///
    /// - Parameter sourceFrames: The frames of the format that were heard, where effects stretch them.
    mutating func keepStretchedTime(at position: PlaybackPosition, sourceFrames: Double) {
        stretchedFrames += sourceFrames - position.playedFrames
        latestTime = max(latestTime, position.timelineFrames + stretchedFrames)
    }

    /// The time of a position. It never runs backwards.
    ///
    /// - Parameters:
    ///   - sourceFrames: The frames of the format that were heard, where effects stretch them; nil without effects.
    ///   - isExact: Whether the position and `sourceFrames` are of the same run.
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

    /// Keeps the count of a stream that another one replaces.
    mutating func endGaps(at count: Int) { gaps.endRun(at: count) }
}
