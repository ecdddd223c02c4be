// SPDX-License-Identifier: MIT

import Synchronization

/// An observer of a queue's discontinuities.
///
/// An observer reports every gap once, so each part of a program needs an observer of its own. May be used from any
/// thread.
///
/// The corresponding C type is `AudioQueueTimelineRef`.
public final class QueueTimeline: Sendable {
    private let seen: Atomic<Int>

    init(discontinuities: Int) { seen = Atomic(discontinuities) }

    /// Returns whether the count of discontinuities changed since the last call.
    func observe(_ discontinuities: Int) -> Bool {
        seen.exchange(discontinuities, ordering: .relaxed) != discontinuities
    }
}

/// The number of gaps in all runs of a queue. An output stream counts its own gaps, an input stream those of a run.
struct GapCount {
    /// The number of gaps in ended runs and replaced streams.
    private var earlier = 0
    /// The number of gaps since then, as of the last query. Never decreases within a run.
    private var present = 0

    /// Returns the number of gaps until now.
    ///
    /// - Parameter count: The current count of the stream.
    mutating func all(_ count: Int) -> Int {
        present = max(present, count)
        return earlier + present
    }

    /// Ends a run in which the stream has counted `count` gaps. The stream counts from 0 afterwards.
    mutating func endRun(at count: Int) {
        earlier += max(present, count)
        present = 0
    }
}
