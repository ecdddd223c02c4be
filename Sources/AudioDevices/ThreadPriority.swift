import CRealTime

/// How a thread that sound waits for is placed before others, as far as the system lets it.
package enum ThreadPriority {
    /// Below it, what a thread is late by is heard; above it, the priority of others is not worth a question.
    package static let urgentSeconds = 0.05

    /// The server's own threads have this one: ours must not keep it from them.
    private static let realTimePriority: Int32 = 5
    private static let niceValue: Int32 = -11

    /// Has the calling thread run as soon as it is woken. For code that never blocks nor loops on a client's
    /// account.
    ///
    /// - Returns: Whether the system allowed it, which it does for users with a limit RLIMIT_RTPRIO.
    @discardableResult
    package static func makeRealTime() -> Bool { aq_schedule_in_real_time(realTimePriority) == 0 }

    /// Has the calling thread run before usual ones. For code of the client's: one that loops for ever must not
    /// stop the machine.
    ///
    /// - Returns: Whether the system allowed it, which it does for users with a limit RLIMIT_NICE.
    @discardableResult
    package static func makeHigh() -> Bool { aq_set_nice_value(niceValue) == 0 }
}
