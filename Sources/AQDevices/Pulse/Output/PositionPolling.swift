// SPDX-License-Identifier: MIT

/// The times of position requests: several soon after the position has changed, and later occasional ones together with
/// the server's data requests, so that they wake no thread.
///
/// libpulse's automatic requests restart at intervals of 10 ms with every underrun. If hundreds of streams underrun,
/// these requests alone keep the server so busy that all streams underrun again, permanently. Here the streams of a
/// connection share a limit on requests. Times are host times, in nanoseconds.
struct PositionPolling {
    /// The time before the second request. It doubles with each further request, up to the usual time.
    private static let firstWait: UInt64 = 10_000_000
    private static let usualWait: UInt64 = 1_500_000_000
    /// The number of requests after a start on PipeWire. Their interval is chosen so that they fall at different
    /// positions in periods of any usual length.
    private static let periodQuestions = 12
    private static let periodWait: UInt64 = 9_100_000
    /// The shortest interval between two requests, for each stream of the connection.
    private static let share: UInt64 = 1_000_000
    /// The time in which a new stream is audible on a server that is not busy.
    private static let newStreamWait: UInt64 = 2_000_000

    private var next = UInt64.max
    private var wait: UInt64 = 0
    private var left = 0
    private var lastAsked: UInt64 = 0
    /// The time to ask for the properties of a new stream's sink.
    private var sinkQuestion = UInt64.max

    /// The time when a request or the question for the sink is due.
    var deadline: UInt64 { @_noLocks get { min(next, sinkQuestion) } }

    /// Whether a new stream's requests must wait, because the server would answer before it plays the written data.
    var isWaitingForNewStream: Bool { @_noLocks get { sinkQuestion != .max } }

    /// Schedules the question for a new stream's sink a little later.
    mutating func streamIsNew(at now: UInt64) { sinkQuestion = now + PositionPolling.newStreamWait }

    mutating func streamIsDropped() { sinkQuestion = .max }

    /// Returns whether it is time to ask for the properties of a new stream's sink.
    mutating func takeSinkQuestion(at now: UInt64) -> Bool {
        guard now >= sinkQuestion else { return false }
        sinkQuestion = .max
        return true
    }

    /// Returns whether a request is due now, and schedules the next one.
    ///
    /// - Parameters:
    ///   - isRunning: Whether the stream plays.
    ///   - hasPeriods: Whether the server updates its position once per period.
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

    /// Schedules several requests soon, because the position has changed.
    ///
    /// - Returns: True if a request must be made now.
    @_noLocks mutating func beginClosely(at now: UInt64, streams: Int, hasPeriods: Bool) -> Bool {
        let least = UInt64(streams) &* PositionPolling.share
        left = PositionPolling.periodQuestions
        wait = max(hasPeriods ? PositionPolling.periodWait : PositionPolling.firstWait, least)
        next = now &+ wait
        return now &- lastAsked >= least
    }

    /// Returns whether a request is due together with the server's data request, because the last one was long ago.
    @_noLocks func isUsualQuestionDue(at now: UInt64) -> Bool {
        if isWaitingForNewStream { return false }
        return now &- lastAsked >= PositionPolling.usualWait
    }

    @_noLocks mutating func asked(at now: UInt64) { lastAsked = now }
}
