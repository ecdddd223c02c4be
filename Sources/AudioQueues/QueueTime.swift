// SPDX-License-Identifier: MIT

/// A point on a queue's timeline.
///
/// The corresponding C type is `AudioTimeStamp`.
public struct QueueTime: Sendable, Equatable {
    /// The number of frames of the queue's format since the last start of a stopped queue, including the silence of
    /// underruns, and in a recording the lost frames and the silence recorded for missing time.
    ///
    /// Never decreases between two such starts, and is constant while the queue is paused.
    public var sampleTime: Double
    /// The number of enqueued frames played since the last start of a stopped queue or the last reset; in a recording,
    /// ``sampleTime`` without lost frames.
    public var playedFrames: Double
    /// The host time of ``sampleTime`` and ``playedFrames``: CLOCK_MONOTONIC, in nanoseconds.
    public var hostTime: UInt64
    /// Whether there was a gap since the observer's last query: an underrun, an overrun, or a lost or changed device.
    /// False without an observer.
    public var isDiscontinuous: Bool

    public init(sampleTime: Double, playedFrames: Double, hostTime: UInt64, isDiscontinuous: Bool) {
        self.sampleTime = sampleTime
        self.playedFrames = playedFrames
        self.hostTime = hostTime
        self.isDiscontinuous = isDiscontinuous
    }
}
