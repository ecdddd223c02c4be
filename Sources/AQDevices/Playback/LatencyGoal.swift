// SPDX-License-Identifier: MIT

/// The amount of audio between a client's buffers and the speaker. Less audio gives a lower latency; more audio
/// prevents gaps and uses less power.
///
/// ``GrantedLatency`` has the granted values.
public enum LatencyGoal: Sendable, Equatable {
    /// No audio beyond the client's buffers.
    ///
    /// The server's buffer is as long as the audio enqueued before the start, and a client's buffer is returned when
    /// the server has used it up. A frame is audible at most one round of buffers after its callback. A callback that
    /// takes longer than the remaining buffers last causes a gap. If the queue has a decoder, the audio that it has
    /// decoded by the start counts, not the client's buffers.
    ///
    /// If there are three or more buffers, one of them is a reserve: each buffer is returned one buffer's length later,
    /// if at least half a millisecond of audio is then left to play. This shortens the latency by one buffer. If a
    /// client is so late that the other buffers are nearly played, the delay is halved for 20 ms or four rounds of
    /// buffers, whichever is longer. If that happens again soon, the delay stays halved for longer, and in the end
    /// buffers are returned as soon as they are used up.
    ///
    /// The device's thread makes the callbacks of up to eight queues per process, if they have no decoder, run loop or
    /// dispatch queue. The thread has real-time priority if the kernel grants it (RLIMIT_RTPRIO). These callbacks
    /// should neither wait nor work for long, because nothing is sent to the server meanwhile. If callbacks take 50 ms
    /// without a pause, the thread loses the priority permanently.
    case buffers
    /// The server holds this many seconds of audio: 0.001 to 10. Values out of range count as the nearer bound, and NaN
    /// as 0.001. Further filled buffers wait in the client's memory. The virtual device always takes 10 ms at a time.
    ///
    /// A buffer is returned as soon as its data is in the server's memory. A gap occurs only if the client is late by
    /// more than the server's buffer and its own buffers last.
    case seconds(Double)

    /// Whether a late thread causes a gap.
    package var isUrgent: Bool {
        switch self {
        case .buffers: true
        case .seconds(let seconds): seconds < ThreadPriority.urgentSeconds
        }
    }

    /// The lowest latency: no audio beyond the client's buffers.
    public static let lowest = LatencyGoal.buffers
    /// A short latency for audio that responds to user input while other programs run.
    public static let interactive = LatencyGoal.seconds(0.025)
    /// The default: no gaps on a busy machine.
    public static let balanced = LatencyGoal.seconds(0.1)
    /// The fewest wake-ups: for audio without a required response time.
    public static let leastPower = LatencyGoal.seconds(2)
}
