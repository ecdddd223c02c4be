/// How much sound lies between a client's buffers and the loudspeaker: latency against safety and power.
///
/// ``GrantedLatency`` tells what was granted.
public enum LatencyGoal: Sendable, Equatable {
    /// The client's buffers are all that there is.
    ///
    /// The server's buffer is made as long as what was enqueued before the start, and a buffer returns when the
    /// server has used it up. A frame is heard one round of buffers after its callback, at most. A client that
    /// is late by more than the other buffers hold is heard. Where a decoder stands between, what it has decoded
    /// by the start counts, not the client's buffers.
    ///
    /// Of three or more buffers one is a reserve: it returns a buffer's length later, which makes the latency
    /// shorter by that, as long as half a millisecond is left to play. When the client was so late that the others
    /// were nearly played, it returns half a buffer's length earlier for a fiftieth of a second, and for longer, and
    /// in the end as soon as it is used up, when that comes again soon.
    ///
    /// Without a decoder callbacks are made with real-time priority, of eight queues of a process at a time and where
    /// the kernel grants it (RLIMIT_RTPRIO): they should neither wait nor work for long. One that lasts 50 ms loses
    /// the priority for good.
    case buffers
    /// The server holds this many seconds, and buffers wait behind it, filled.
    ///
    /// A buffer returns as soon as its data is in the server's memory. A client may be late by the server's
    /// buffer and all of its own.
    case seconds(Double)

    /// Whether threads that are late for it are heard.
    package var isUrgent: Bool {
        switch self {
        case .buffers: true
        case .seconds(let seconds): seconds < ThreadPriority.urgentSeconds
        }
    }

    /// The least latency: short buffers, and nothing else.
    public static let lowest = LatencyGoal.buffers
    /// For what follows a user's hand, beside other programs.
    public static let interactive = LatencyGoal.seconds(0.025)
    /// The default: no gaps on a busy machine.
    public static let balanced = LatencyGoal.seconds(0.1)
    /// The fewest wake-ups: for what nobody waits for.
    public static let leastPower = LatencyGoal.seconds(2)
}
