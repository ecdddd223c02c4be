import Synchronization

/// The two lock-free queues between a client and a device's thread: segments in, notices out.
///
/// Calls that add segments must not overlap each other (hold a lock of your own); the calls that take
/// notices belong to one thread at a time. The device's thread is never blocked by either.
public final class PlaybackFeed: Sendable {
    /// How many segments may be enqueued and not yet returned.
    public static let segmentCapacity = 256

    /// Adds a segment; false when ``segmentCapacity`` segments are outstanding.
    public func enqueue(_ segment: PlaybackSegment) -> Bool { false }
    /// Segments enqueued whose notice was not yet taken.
    public var outstandingSegments: Int { 0 }
    /// The next notice, in order, or nil.
    public func nextNotice() -> DeviceNotice? { nil }
    /// Waits until there may be a notice, until ``wake()``, or until `deadline` (host time, nanoseconds).
    public func waitForNotice(until deadline: UInt64 = .max) {}
    /// Ends a ``waitForNotice(until:)``, from any thread.
    public func wake() {}
    /// Why the stream failed, once `.failed` was noticed.
    public var failure: DeviceError? { nil }

    public init() {}
}
