// SPDX-License-Identifier: MIT

import CAQRealTime

/// The clock for a server like PipeWire, which updates its position once per period and reports it as current.
///
/// A reported position is never too low, but may be too high by up to a period. Therefore the lowest positions count
/// (``ClockFit``), and requests are made at varying positions in the periods until there are enough
/// (``pollClosely()``).
extension PulseStream {
    /// Handles the report that the server is PipeWire's.
    func serverIsPipeWire() {
        clockFit.followsPeriods = true
        guard lifecycle.isRunning else { return }
        pollClosely()
        // Buffers that are shorter than a period are returned earlier.
        writeRequested()
    }

    /// Adds an answer, and returns the frame that is audible now. REAL-TIME.
    ///
    /// A delayed answer counts for the time when it was given, so that it does not seem low.
    @_noLocks func enterPeriod(_ info: PulseTimingAnswer, transportFrames: Double, at now: UInt64) -> Double {
        var answered = now
        var frame = timing.playedFrames
        if let age = info.age {
            if age > 0 {
                if age < 1_000_000_000 { answered = now &- UInt64(age) }
            }
            frame -= transportFrames
        }
        _ = clockFit.add(frame: frame, at: answered)
        return clockFit.frame(at: now)
    }
}
