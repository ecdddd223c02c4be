/// When the server is asked for a stream's position: some times soon after it has changed, and then now and then, when the
/// server asks for more anyway, so that nobody is woken for it.
///
/// libpulse has automatic questions, which begin anew with every underrun, from 10 ms on. Of hundreds of streams that
/// run dry they alone keep the server so busy that all run dry again, for good. Here the streams of a connection share
/// what may be asked. Times are host times, in nanoseconds.
struct PositionPolling {
    /// After it come others, each after twice the time, until the usual one.
    private static let firstWait: UInt64 = 10_000_000
    private static let usualWait: UInt64 = 1_500_000_000
    /// On PipeWire so many questions follow a start; and they are so far apart that they fall differently into periods of
    /// any usual length.
    private static let periodQuestions = 12
    private static let periodWait: UInt64 = 9_100_000
    /// Between two questions for each stream that the connection has.
    private static let share: UInt64 = 1_000_000
    /// What a new stream is heard within, on any server that has time.
    private static let newStreamWait: UInt64 = 2_000_000

    private var next = UInt64.max
    private var wait: UInt64 = 0
    private var left = 0
    private var lastAsked: UInt64 = 0
    /// When a new stream's server is asked what its sink is like.
    private var sinkQuestion = UInt64.max

    /// When something is due.
    var deadline: UInt64 { @_noLocks get { min(next, sinkQuestion) } }

    /// Whether a new stream is left alone at first: the server would answer before it plays what it is now given.
    var isWaitingForNewStream: Bool { @_noLocks get { sinkQuestion != .max } }

    /// A new stream is there, whose sink is to be asked about a little later.
    mutating func streamIsNew(at now: UInt64) { sinkQuestion = now + PositionPolling.newStreamWait }

    mutating func streamIsDropped() { sinkQuestion = .max }

    /// Whether it is time to ask about a new stream's sink.
    mutating func takeSinkQuestion(at now: UInt64) -> Bool {
        guard now >= sinkQuestion else { return false }
        sinkQuestion = .max
        return true
    }

    /// Whether a closer look is due now; another may follow.
    ///
    /// - Parameters:
    ///   - isRunning: Whether anybody listens.
    ///   - hasPeriods: Whether the server knows its position once a period.
    mutating func takeQuestion(at now: UInt64, isRunning: Bool, hasPeriods: Bool) -> Bool {
        guard now >= next else { return false }
        left -= 1
        next = .max
        guard isRunning else { return false }
        if !hasPeriods { wait *= 2 }
        if left > 0, wait < PositionPolling.usualWait { next = now + wait }
        return true
    }

    // MARK: REAL-TIME from here on

    /// The position has changed: has the server asked some times soon.
    ///
    /// - Returns: Whether to ask now.
    @_noLocks mutating func beginClosely(at now: UInt64, streams: Int, hasPeriods: Bool) -> Bool {
        let least = UInt64(streams) &* PositionPolling.share
        left = PositionPolling.periodQuestions
        wait = max(hasPeriods ? PositionPolling.periodWait : PositionPolling.firstWait, least)
        next = now &+ wait
        return now &- lastAsked >= least
    }

    /// Whether to ask with what the server asks for, since it was not asked for long.
    @_noLocks func isUsualQuestionDue(at now: UInt64) -> Bool {
        if isWaitingForNewStream { return false }
        return now &- lastAsked >= PositionPolling.usualWait
    }

    @_noLocks mutating func asked(at now: UInt64) { lastAsked = now }
}
