/// Whether there was time in which nothing was captured, told from frames that come late.
///
/// QUIRK: not every server tells that it captured nothing for a while. But this process or the server may
/// also have been held up, and what was captured meanwhile comes next: so frames that are late stay in
/// libpulse's queue, and are late by a gap only if none have followed that make up for it. Times are host times, in
/// nanoseconds.
struct GapWatch {
    enum Gap {
        case none
        /// The stream was moved, or frames came late: there is a gap if it is longer than arrivals vary.
        case possible
        /// The stream was interrupted.
        case certain
    }

    /// How late frames must be for there to be such a time before them, and how long after that, or after an
    /// interruption, they are looked at again. A fragment comes in pieces, of which the first looks late by all
    /// the others, and what makes up for a delay comes with the next: so both are besides a fragment's time.
    private static let lateNanoseconds = 250e6
    private static let secondLookNanoseconds: UInt64 = 50_000_000
    /// How long all may be held up, so that there was no gap after all.
    private static let doubtNanoseconds: UInt64 = 4_000_000_000

    /// What is missing between the newest frame and the next is to be made up for by silence.
    var gap = Gap.none
    /// When frames were captured.
    var times: PulseArrivalTimes
    /// The times from before a gap that the server did not tell of, and how long they may still be the true ones.
    private var timesBefore: PulseArrivalTimes
    private var timesBeforeEnd: UInt64 = 0
    /// When frames that came late are looked at again, and when they were first.
    private(set) var secondLook = UInt64.max
    private var firstLook: UInt64 = 0

    init(sampleRate: Double) {
        times = PulseArrivalTimes(sampleRate: sampleRate)
        timesBefore = times
    }

    /// The server's stream is new.
    mutating func restart() {
        times.restart(at: 0)
        timesBeforeEnd = 0
    }

    // MARK: REAL-TIME from here on

    /// Whether frames that came late are to be left until ``secondLook``.
    @_noLocks func isToWait(at now: UInt64) -> Bool {
        if secondLook == .max { return false }
        return now < secondLook
    }

    /// Nothing is to be looked at again.
    @_noLocks mutating func forgetLooks() { secondLook = .max }

    /// Whether to leave frames that have come for a moment, since how long nothing was captured can be told better then:
    /// until ``secondLook``.
    ///
    /// - Parameters:
    ///   - range: The frames, counted from the server stream's first.
    ///   - fragmentSeconds: How much comes at once.
    ///   - hasCaptured: Whether any frame was captured before.
    @_noLocks mutating func mustLookAgain(
        from firstFrame: Int64, to endFrame: Int64, at now: UInt64, fragmentSeconds: Double, hasCaptured: Bool
    ) -> Bool {
        let isSecond = secondLook != .max
        secondLook = .max
        var delay = GapWatch.secondLookNanoseconds
        switch gap {
        case .none:
            let fragment = (fragmentSeconds < 0.5 ? fragmentSeconds : 0.5) * 1e9
            let late = times.lateness(endFrame: endFrame, at: now)
            if late < GapWatch.lateNanoseconds + fragmentSeconds * 1e9 { return false }
            if isSecond {
                gap = .possible
                timesBefore = times
                timesBeforeEnd = now &+ GapWatch.doubtNanoseconds
                times.restart(at: firstFrame)
                // What waits began to come at the first look.
                times.arrived(endFrame: firstFrame, at: firstLook)
                times.arrived(endFrame: endFrame, at: now)
            } else {
                delay &+= UInt64(fragment)
            }
        case .possible, .certain:
            if isSecond { return false }
            if !hasCaptured { return false }
        }
        firstLook = now
        secondLook = now &+ delay
        return true
    }

    /// The first frame that was captured after a host time, by the times that are known and those that may be true.
    @_noLocks func endFrame(at hostTime: UInt64) -> Int64 {
        let end = times.frames(by: hostTime) &+ 1
        if hostTime >= timesBeforeEnd { return end }
        return max(end, timesBefore.frames(by: hostTime) &+ 1)
    }
}
