/// The times of position requests: several times soon after it has changed, and then occasionally, together with
/// the server's data requests, so that no thread is woken for it.
///
/// libpulse's automatic requests restart at intervals of 10 ms with every underrun. If hundreds of streams underrun,
/// these alone keep the server so busy that all underrun again, permanently. Here the streams of a connection share a
/// limit of requests. Times are host times, in nanoseconds.
struct PositionPolling {
    /// Each further request comes after twice the time, until the usual one.
    private static let firstWait: UInt64 = 10_000_000
    private static let usualWait: UInt64 = 1_500_000_000
    /// The number of requests after a start on PipeWire. Their intervals fall at different positions in periods of any
    /// usual length.
    private static let periodQuestions = 12
    private static let periodWait: UInt64 = 9_100_000
    /// The interval between two requests, for each stream of the connection.
    private static let share: UInt64 = 1_000_000
    /// The time in which a new stream is audible on a server that is not busy.
    private static let newStreamWait: UInt64 = 2_000_000

    private var next = UInt64.max
    private var wait: UInt64 = 0
    private var left = 0
    private var lastAsked: UInt64 = 0
    /// The time to ask a new stream's server for its sink's properties.
    private var sinkQuestion = UInt64.max

    /// The time when something is due.
    var deadline: UInt64 { @_noLocks get { min(next, sinkQuestion) } }

    /// Whether a new stream gets no request at first: the server would answer before it plays the written data.
    var isWaitingForNewStream: Bool { @_noLocks get { sinkQuestion != .max } }

    /// Schedules the question for a new stream's sink a little later.
    mutating func streamIsNew(at now: UInt64) { sinkQuestion = now + PositionPolling.newStreamWait }

    mutating func streamIsDropped() { sinkQuestion = .max }

    /// Whether it is time to ask for a new stream's sink.
    mutating func takeSinkQuestion(at now: UInt64) -> Bool {
        guard now >= sinkQuestion else { return false }
        sinkQuestion = .max
        return true
    }

    /// Whether a request is due now; another may follow.
    ///
    /// - Parameters:
    ///   - isRunning: Whether the stream plays.
    ///   - hasPeriods: Whether the server knows its position once per period.
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

    /// The position has changed: schedules several requests soon.
    ///
    /// - Returns: Whether to make a request now.
    @_noLocks mutating func beginClosely(at now: UInt64, streams: Int, hasPeriods: Bool) -> Bool {
        let least = UInt64(streams) &* PositionPolling.share
        left = PositionPolling.periodQuestions
        wait = max(hasPeriods ? PositionPolling.periodWait : PositionPolling.firstWait, least)
        next = now &+ wait
        return now &- lastAsked >= least
    }

    /// Whether to make a request together with the server's data request, because the last one was long ago.
    @_noLocks func isUsualQuestionDue(at now: UInt64) -> Bool {
        if isWaitingForNewStream { return false }
        return now &- lastAsked >= PositionPolling.usualWait
    }

    @_noLocks mutating func asked(at now: UInt64) { lastAsked = now }
}
