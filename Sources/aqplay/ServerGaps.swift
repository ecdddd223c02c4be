// SPDX-License-Identifier: MIT

/// Decides which of a queue's underruns are gaps because a server sent too little, after which more is received before
/// playback goes on.
struct ServerGaps {
    /// The time within which the queue counts a gap after its end, in seconds.
    static let reportSeconds = 1.0

    /// The number of the queue's underruns that were noticed.
    private var known = 0
    /// The time at which audio was enqueued after a gap, in seconds of the monotonic clock.
    private var resumption = -Double.infinity
    /// Whether more is being received because of a gap.
    var isFillingAgain = false

    /// Notices the underruns of a queue that waits for a server; returns whether there is a gap that was not noticed.
    mutating func isGap(underruns: Int, at time: Double) -> Bool {
        guard underruns > known else { return false }
        known = underruns
        // The gap that has just ended may be counted only now.
        return time - resumption > Self.reportSeconds
    }

    /// Records that audio was enqueued after a gap.
    mutating func resume(at time: Double) { (isFillingAgain, resumption) = (false, time) }
}
