/// A point on a queue's timeline.
///
/// The corresponding C type is `AudioTimeStamp`.
public struct QueueTime: Sendable, Equatable {
    /// Frames of the queue's format since its start, the silence of underruns and the frames lost in overruns
    /// included. Never runs backwards between two starts, and stands still while the queue is paused.
    public var sampleTime: Double
    /// Playback: frames of enqueued audio heard since the last start, stop or reset. Recording: frames captured
    /// since the last start, without those that were lost.
    public var playedFrames: Double
    /// The host time (CLOCK_MONOTONIC, nanoseconds) to which both belong.
    public var hostTime: UInt64
    /// Whether there was a gap since the observer last asked: an underrun or overrun, a lost or changed device.
    public var isDiscontinuous: Bool

    public init(sampleTime: Double, playedFrames: Double, hostTime: UInt64, isDiscontinuous: Bool) {
        self.sampleTime = sampleTime
        self.playedFrames = playedFrames
        self.hostTime = hostTime
        self.isDiscontinuous = isDiscontinuous
    }
}
