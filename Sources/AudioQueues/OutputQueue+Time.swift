import AudioDevices
import Synchronization

/// A point on a queue's timeline.
///
/// The corresponding C type is `AudioTimeStamp`.
public struct QueueTime: Sendable, Equatable {
    /// Frames of the queue's format since its start, the silence of underruns included. Never runs backwards
    /// between two starts, and stands still while the queue is paused.
    public var sampleTime: Double
    /// Frames of enqueued audio heard since the last start, stop or reset.
    public var playedFrames: Double
    /// The host time (CLOCK_MONOTONIC, nanoseconds) to which both belong.
    public var hostTime: UInt64
    /// Whether there was a gap since the observer last asked: an underrun, a lost or changed device.
    public var isDiscontinuous: Bool

    public init(sampleTime: Double, playedFrames: Double, hostTime: UInt64, isDiscontinuous: Bool) {
        self.sampleTime = sampleTime
        self.playedFrames = playedFrames
        self.hostTime = hostTime
        self.isDiscontinuous = isDiscontinuous
    }
}

/// One observer's memory of the discontinuities that it was told of.
///
/// Make as many as there are observers; each is told of every gap once. From any thread.
///
/// The corresponding C type is `AudioQueueTimelineRef`.
public final class QueueTimeline: Sendable {
    private let seen: Atomic<Int>

    init(discontinuities: Int) { seen = Atomic(discontinuities) }

    /// Whether the count changed since the last call.
    func observe(_ discontinuities: Int) -> Bool {
        seen.exchange(discontinuities, ordering: .relaxed) != discontinuities
    }
}

extension OutputQueue {
    /// Makes an observer that knows of no gap after now.
    ///
    /// The corresponding C function is `AudioQueueCreateTimeline`.
    public func makeTimeline() -> QueueTimeline {
        QueueTimeline(discontinuities: core.stream.position().discontinuities)
    }

    /// What is heard now.
    ///
    /// - Parameter timeline: The observer who wants to know of gaps; without one,
    ///   ``QueueTime/isDiscontinuous`` is false.
    /// - Throws: ``QueueError/Code/invalidRunState`` before audio really runs, which is a moment after
    ///   ``start()``, and after a stop.
    ///
    /// The corresponding C function is `AudioQueueGetCurrentTime`.
    public func currentTime(on timeline: QueueTimeline? = nil) throws(QueueError) -> QueueTime {
        try core.monitor.withLock { (state: inout QueueState) throws(QueueError) -> QueueTime in
            if case .fail(let code) = state.machine.apply(.use) { throw QueueError(code) }
            // COMPAT: callers take this error for position 0.
            guard state.isRunning, !state.isStopPending else { throw QueueError(.invalidRunState) }
            let position = core.stream.position()
            state.latestTime = max(state.latestTime, position.timelineFrames)
            return QueueTime(
                sampleTime: state.latestTime, playedFrames: position.playedFrames,
                hostTime: position.hostTime,
                isDiscontinuous: timeline?.observe(position.discontinuities) ?? false)
        }
    }
}
