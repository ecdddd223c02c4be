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

/// The gaps of all of a queue's runs: each stream counts its own, and one that captures those of a run.
struct GapCount {
    /// Of runs that are over, and of streams that were replaced.
    private var earlier = 0
    /// Since then, as far as was looked. It never falls.
    private var present = 0

    /// All until now.
    ///
    /// - Parameter count: What the stream counts now.
    mutating func all(_ count: Int) -> Int {
        present = max(present, count)
        return earlier + present
    }

    /// From now on the stream counts from 0, after it has come to `count`.
    mutating func endRun(at count: Int) {
        earlier += max(present, count)
        present = 0
    }
}
