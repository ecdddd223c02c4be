// SPDX-License-Identifier: MIT

/// An event that the device's thread reports to the client, in order.
public struct DeviceEvent: Sendable, Equatable {
    public enum Kind: UInt8, Sendable {
        /// The stream no longer uses the segment with ``DeviceEvent/token``; the client may use its memory again.
        ///
        /// In playback, the stream has taken the segment's data. In capture, the segment holds
        /// ``DeviceEvent/byteCount`` bytes. Its first frame was captured as frame ``DeviceEvent/frame`` at
        /// ``DeviceEvent/hostTime``.
        case segmentDone
        /// The device runs: enqueued audio plays, or frames are captured.
        case started
        /// Answers to the calls pause, stop, flush, drain, reset and close. ``DeviceEvent/token`` is the call's
        /// ticket.
        case paused, stopped, flushed, drained, reset, closed
        /// No segment was enqueued in time, and silence played. Posted once per underrun.
        case underran
        /// No segment was enqueued in time, and captured frames were lost. Posted once per overrun. The next segment's
        /// ``DeviceEvent/frame`` shows the number of lost frames.
        case overran
        /// The server died or the device disappeared, or in capture was suspended; the stream waits for its return.
        case interrupted
        /// The stream resumes after an interruption. Playback continues at the frame it had reached. Capture continues
        /// after silence of the length of the interruption.
        case resumed
        /// The stream continues on another device.
        case moved
        /// The stream has ended with an error: ``StreamFeed/failure``.
        case failed
    }

    public var kind: Kind
    /// The token of a segment, or the ticket of a call; 0 in all other events.
    public var token: UInt64
    /// The size of a captured segment's data, in bytes; 0 in all other events.
    public var byteCount: Int
    /// The position of a captured segment's first frame on the stream's timeline; for a segment without frames, that of
    /// the next frame to fill.
    public var frame: Int64
    /// The capture time of that frame: CLOCK_MONOTONIC, nanoseconds; 0 for a segment without frames.
    public var hostTime: UInt64

    @_noLocks public init(
        _ kind: Kind, token: UInt64 = 0, byteCount: Int = 0, frame: Int64 = 0, hostTime: UInt64 = 0
    ) {
        self.kind = kind
        self.token = token
        self.byteCount = byteCount
        self.frame = frame
        self.hostTime = hostTime
    }
}
