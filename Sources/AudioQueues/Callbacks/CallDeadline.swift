import CRealTime

/// How long a queue's call waits for the device or for a running callback.
enum CallDeadline {
    static let patienceNanoseconds: UInt64 = 2_000_000_000

    /// Two seconds from now, as a host time in nanoseconds.
    static var fromNow: UInt64 { aq_host_time() &+ patienceNanoseconds }

    /// When a callback that runs now lasts longer than most: for calls that are not to wait for such a one.
    static var brief: UInt64 { aq_host_time() &+ CallbackWatch.longestNanoseconds }
}
