/// A point on a queue's timeline.
///
/// The corresponding C type is `AudioTimeStamp`.
public struct QueueTime: Sendable, Equatable {
    /// The number of frames of the queue's format since its start, including the silence of underruns and the
    /// frames lost in overruns. It never decreases between two starts, and is constant while the queue is
    /// paused.
    public var sampleTime: Double
    /// The number of played frames of enqueued audio since the last start, stop or reset; for a recording the
    /// number of frames captured since the last start, without those that were lost.
    public var playedFrames: Double
    /// The host time (CLOCK_MONOTONIC, nanoseconds) of both.
    public var hostTime: UInt64
    /// Whether there was a gap since the observer's last query: an underrun or overrun, a lost or changed
    /// device.
    public var isDiscontinuous: Bool

    public init(sampleTime: Double, playedFrames: Double, hostTime: UInt64, isDiscontinuous: Bool) {
        self.sampleTime = sampleTime
        self.playedFrames = playedFrames
        self.hostTime = hostTime
        self.isDiscontinuous = isDiscontinuous
    }
}
