// SPDX-License-Identifier: MIT

/// Detects gaps in the captured audio from frames that arrive late.
///
/// QUIRK: not every server reports that it captured nothing for a while. Frames are also late after a delay of this
/// process or the server, but then the missing frames follow at once. Therefore late frames stay in libpulse's queue
/// for a moment. A gap is assumed only if not enough frames follow in that time. Times are host times, in nanoseconds.
struct GapWatch {
    enum Gap {
        case none
        /// The stream was moved, or frames were late. There is a gap if the missing time is longer than arrival times
        /// vary.
        case possible
        /// The stream was interrupted.
        case certain
    }

    /// The lateness that suggests a gap, and the delay of the second check after late frames or an interruption.
    ///
    /// For late frames, the duration of a fragment is added to both. A fragment arrives in pieces, so its first piece
    /// seems late by the duration of the others. Frames that make up for a delay arrive with the next fragment.
    private static let lateNanoseconds = 250e6
    private static let secondCheckNanoseconds: UInt64 = 50_000_000
    /// The time for which the times before an unreported gap may still be correct.
    private static let doubtNanoseconds: UInt64 = 4_000_000_000

    /// The gap between the newest frame and the next one, to be filled with silence.
    var gap = Gap.none
    /// The capture times of frames.
    var times: PulseArrivalTimes
    /// The capture times before an unreported gap, and the host time until which they may still be correct.
    private var timesBefore: PulseArrivalTimes
    private var timesBeforeEnd: UInt64 = 0
    /// The time of the second check of late frames, and the time of the first.
    private(set) var secondCheck = UInt64.max
    private var firstCheck: UInt64 = 0

    init(sampleRate: Double) {
        times = PulseArrivalTimes(sampleRate: sampleRate)
        timesBefore = times
    }

    /// Restarts for a new server stream.
    mutating func restart() {
        times.restart(at: 0)
        timesBeforeEnd = 0
    }

    // MARK: REAL-TIME from here on

    /// Returns whether late frames must wait until ``secondCheck``.
    @_noLocks func isToWait(at now: UInt64) -> Bool {
        if secondCheck == .max { return false }
        return now < secondCheck
    }

    /// Cancels the second check.
    @_noLocks mutating func cancelCheck() { secondCheck = .max }

    /// Returns whether arrived frames must stay in the queue until ``secondCheck``, when the length of the gap is known
    /// more precisely.
    ///
    /// - Parameters:
    ///   - firstFrame: The first of the frames, counted from the start of the server stream.
    ///   - endFrame: The frame after the last of them.
    ///   - fragmentSeconds: The duration of a fragment.
    ///   - hasCaptured: Whether any frame was captured before.
    @_noLocks mutating func mustCheckAgain(
        from firstFrame: Int64, to endFrame: Int64, at now: UInt64, fragmentSeconds: Double, hasCaptured: Bool
    ) -> Bool {
        let isSecond = secondCheck != .max
        secondCheck = .max
        var delay = GapWatch.secondCheckNanoseconds
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
                // The waiting frames began to arrive at the first check.
                times.arrived(endFrame: firstFrame, at: firstCheck)
                times.arrived(endFrame: endFrame, at: now)
            } else {
                delay &+= UInt64(fragment)
            }
        case .possible, .certain:
            if isSecond { return false }
            if !hasCaptured { return false }
        }
        firstCheck = now
        secondCheck = now &+ delay
        return true
    }

    /// The first frame captured after a host time. If the times before an unreported gap may still be correct, the
    /// later of the two results.
    @_noLocks func endFrame(at hostTime: UInt64) -> Int64 {
        let end = times.frames(by: hostTime) &+ 1
        if hostTime >= timesBeforeEnd { return end }
        return max(end, timesBefore.frames(by: hostTime) &+ 1)
    }
}
