import CRealTime

/// The time that a queue's call waits for the device or for a running callback.
enum CallDeadline {
    static let patienceNanoseconds: UInt64 = 2_000_000_000

    /// Two seconds from now, as a host time in nanoseconds.
    static var fromNow: UInt64 { aq_host_time() &+ patienceNanoseconds }

    /// The time after which a callback that runs now has taken longer than most: for calls that should not
    /// wait for such a one.
    static var brief: UInt64 { aq_host_time() &+ 50_000_000 }
}
