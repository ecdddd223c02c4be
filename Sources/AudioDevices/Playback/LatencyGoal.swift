/// The amount of audio between a client's buffers and the speaker: latency against safety and power.
///
/// ``GrantedLatency`` has the granted values.
public enum LatencyGoal: Sendable, Equatable {
    /// Only the client's buffers.
    ///
    /// The server's buffer is as long as the audio enqueued before the start, and a client's buffer is returned when
    /// the server has used it up. A frame is audible at most one round of buffers after its callback. A callback that
    /// takes longer than the remaining buffers last causes a gap. With a decoder, the audio that it has decoded by the
    /// start counts, not the client's buffers.
    ///
    /// One of three or more buffers is a reserve: buffers are returned one buffer's length later, which shortens the
    /// latency by that much, if half a millisecond is left to play. If the client was so late that the other buffers
    /// were nearly played, buffers are returned half a buffer's length earlier for a fiftieth of a second. If that soon
    /// happens again, this lasts longer, and in the end buffers are returned as soon as they are used up.
    ///
    /// Without a decoder, and without a run loop or dispatch queue for them, the device's thread makes the callbacks,
    /// for up to eight queues of a process at a time, with real-time priority if the kernel grants it (RLIMIT_RTPRIO).
    /// They should neither wait nor work for long: nothing is sent to the server meanwhile. Callbacks that together
    /// take 50 ms without a pause lose the priority permanently.
    case buffers
    /// The server holds this many seconds, and filled buffers wait after it.
    ///
    /// A buffer is returned as soon as its data is in the server's memory. A client may be late by the server's buffer
    /// and all of its own.
    case seconds(Double)

    /// Whether late threads cause gaps.
    package var isUrgent: Bool {
        switch self {
        case .buffers: true
        case .seconds(let seconds): seconds < ThreadPriority.urgentSeconds
        }
    }

    /// The lowest latency: short buffers, and nothing else.
    public static let lowest = LatencyGoal.buffers
    /// A short latency for audio that responds to user input, beside other programs.
    public static let interactive = LatencyGoal.seconds(0.025)
    /// The default: no gaps on a busy machine.
    public static let balanced = LatencyGoal.seconds(0.1)
    /// The fewest wake-ups: for audio without a required response time.
    public static let leastPower = LatencyGoal.seconds(2)
}
