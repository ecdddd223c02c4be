/// What the device's thread has to tell the client's, in order.
public struct DeviceNotice: Sendable, Equatable {
    public enum Kind: UInt8, Sendable {
        /// The data of the segment with ``DeviceNotice/token`` was copied; its memory may be reused.
        case segmentDone
        /// The device runs: what is enqueued is being heard.
        case started
        /// The answers to the calls of the same names, with their tickets as ``DeviceNotice/token``.
        case paused, stopped, flushed, drained, closed
        /// Nothing was enqueued in time, and silence was heard: once an episode.
        case underran
        /// The server died or the device vanished; it is waited for.
        case interrupted
        /// Playback goes on after an interruption, from the frame it had reached.
        case resumed
        /// The stream goes on at another device.
        case moved
        /// The stream cannot go on. ``PlaybackFeed/failure`` has the reason.
        case failed
    }

    public var kind: Kind
    public var token: UInt64

    @_noLocks public init(_ kind: Kind, token: UInt64 = 0) {
        self.kind = kind
        self.token = token
    }
}
