import CRealTime

/// The clock of a server that knows its place once a period, as PipeWire's does, and tells that as the present one.
///
/// How old it is by then nobody tells. But it is never too early: so the lowest places count (``ClockFit``), and the
/// server is asked at times that fall anywhere in its periods until there are some (``lookClosely()``).
extension PulseStream {
    /// The server says that it is PipeWire's.
    func serverIsPipeWire() {
        clockFit.followsPeriods = true
        if lifecycle.isRunning { lookClosely() }
    }

    /// Enters an answer; the frame that is heard now. REAL-TIME.
    ///
    /// One that comes late must not seem to be low: it counts for when it was given.
    @_noLocks func enterPeriod(_ info: PulseTimingAnswer, transportFrames: Double, at now: UInt64) -> Double {
        var answered = now
        var frame = timing.heardFrames
        if info.age != 0 {
            if info.age > 0, info.age < 1_000_000_000 { answered = now &- UInt64(info.age) }
            frame -= transportFrames
        }
        _ = clockFit.add(frame: frame, at: answered)
        return clockFit.frame(at: now)
    }
}
