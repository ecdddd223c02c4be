import Synchronization

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
