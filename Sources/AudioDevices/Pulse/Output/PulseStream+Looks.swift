import CRealTime

/// When the server is asked for the stream's place: some times soon after it has changed, and then now and then, when the
/// server asks for more anyway, so that nobody is woken for it.
///
/// libpulse has automatic questions, which begin anew with every underrun, from 10 ms on. Of hundreds of streams that
/// run dry they alone keep the server so busy that all run dry again, for good. Here the streams of a connection share
/// what may be asked.
extension PulseStream {
    /// After it come others, each after twice the time, until the usual one.
    private static let firstLook: UInt64 = 10_000_000
    private static let usualNanoseconds: UInt64 = 1_500_000_000
    /// On PipeWire so many questions follow a start; and they are so far apart that they fall differently into periods of
    /// any usual length.
    private static let periodLooks = 12
    private static let periodLook: UInt64 = 9_100_000
    /// Between two questions for each stream that the connection has.
    private static let share: UInt64 = 1_000_000

    /// Has the server asked now and some times soon, since its place is another. REAL-TIME.
    @_noLocks func lookClosely() {
        let now = loopTime
        let streams = unsafe loopReference._withUnsafeGuaranteedRef { $0.streams }
        let least = UInt64(streams) &* PulseStream.share
        if now &- askedAt >= least { requestTiming() }
        looksLeft = PulseStream.periodLooks
        let first = clockFit.followsPeriods ? PulseStream.periodLook : PulseStream.firstLook
        lookInterval = max(first, least)
        lookAt = now &+ lookInterval
        let next = lookAt
        unsafe loopReference._withUnsafeGuaranteedRef { $0.wakeUp(at: next) }
    }

    /// Asks once more, as long as somebody listens.
    func lookAgain(_ now: UInt64) {
        looksLeft -= 1
        lookAt = .max
        guard lifecycle.isRunning else { return }
        requestTiming()
        if !clockFit.followsPeriods { lookInterval *= 2 }
        if looksLeft > 0, lookInterval < PulseStream.usualNanoseconds { lookAt = now + lookInterval }
    }

    /// Asks with what the server asks for, if it was not asked for long; a new stream is asked a little later, since the
    /// server would answer before it plays what it is now given. REAL-TIME.
    @_noLocks func lookNowAndThen() {
        if questionsAt != .max { return }
        if loopTime &- askedAt >= PulseStream.usualNanoseconds { requestTiming() }
    }

    /// Asks for one timing answer now. REAL-TIME.
    @_noLocks func requestTiming() {
        guard let stream else { return }
        askedAt = loopTime
        stream.askForTiming()
    }
}
