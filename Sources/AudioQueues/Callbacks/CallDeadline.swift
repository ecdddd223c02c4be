// SPDX-License-Identifier: MIT

import CAQRealTime

/// The limits of a queue's calls that wait for the device or for a running callback.
enum CallDeadline {
    static let patienceNanoseconds: UInt64 = 2_000_000_000

    /// The host time two seconds from now, in nanoseconds.
    static var fromNow: UInt64 { aq_host_time() &+ patienceNanoseconds }

    /// The host time 50 ms from now, in nanoseconds, for calls that do not wait for slow callbacks.
    static var brief: UInt64 { aq_host_time() &+ 50_000_000 }
}
