/// What the device's thread has to tell the client's, in order.
public struct DeviceNotice: Sendable, Equatable {
    public enum Kind: UInt8, Sendable {
        /// The stream is done with the segment with ``DeviceNotice/token``; its memory is the client's again.
        ///
        /// Playback: its data was taken. Capture: it holds ``DeviceNotice/byteCount`` bytes, the first of
        /// them captured as frame ``DeviceNotice/frame`` at ``DeviceNotice/hostTime``.
        case segmentDone
        /// The device runs: what is enqueued is being heard, or frames are captured.
        case started
        /// The answers to the calls of the same names, with their tickets as ``DeviceNotice/token``.
        case paused, stopped, flushed, drained, reset, closed
        /// Nothing was enqueued in time, and silence was heard: once an episode.
        case underran
        /// No segment was enqueued in time, and captured frames were lost: once an episode. The next segment's
        /// ``DeviceNotice/frame`` tells how many.
        case overran
        /// The server died or the device vanished; it is waited for.
        case interrupted
        /// The stream goes on after an interruption: playback from the frame it had reached, capture behind
        /// silence of the length of the interruption.
        case resumed
        /// The stream goes on at another device.
        case moved
        /// The stream cannot go on. ``StreamFeed/failure`` has the reason.
        case failed
    }

    public var kind: Kind
    public var token: UInt64
    /// Bytes that a captured segment holds; 0 in all other notices.
    public var byteCount: Int
    /// The place of a captured segment's first frame on the stream's timeline.
    public var frame: Int64
    /// When that frame was captured: CLOCK_MONOTONIC, nanoseconds.
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
