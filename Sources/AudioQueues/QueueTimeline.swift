import Synchronization

/// An observer of a queue's discontinuities.
///
/// Make one for each observer; each reports every gap once. May be used from any thread.
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

/// The number of gaps in all runs of a queue: each stream counts its own, and an input stream those of a run.
struct GapCount {
    /// The gaps of ended runs, and of replaced streams.
    private var earlier = 0
    /// The gaps since then, at the last query. It never decreases.
    private var present = 0

    /// All gaps until now.
    ///
    /// - Parameter count: The current count of the stream.
    mutating func all(_ count: Int) -> Int {
        present = max(present, count)
        return earlier + present
    }

    /// Ends a run: from now on the stream counts from 0, after it has reached `count`.
    mutating func endRun(at count: Int) {
        earlier += max(present, count)
        present = 0
    }
}
