/// Where a capture stream is between its client's calls and its server: each event returns what is to be done, in order.
///
/// A value without effects of its own, which ``PulseInputStream`` carries out.
struct CaptureLifecycle {
    enum Phase: Equatable {
        /// Nothing is captured, and there is no server stream.
        case idle
        /// Start was called, and may have been answered; no frame has come yet.
        case connecting
        case running
        /// A pause or stop waits for the frames that were captured before it.
        case ending
        case paused
        /// The server died or the source vanished while frames were wanted; it is waited for until a host time.
        case interrupted(until: UInt64)
        case closed
    }

    /// A pause or stop under way.
    struct Ending: Equatable {
        var isStop: Bool
        var ticket: UInt64
        /// When it was asked for: frames captured before are wanted.
        var hostTime: UInt64

        fileprivate var answer: Action { .post(isStop ? .stopped : .paused, token: ticket) }
    }

    enum Action: Equatable {
        case post(DeviceNotice.Kind, token: UInt64)
        case fail(DeviceError)
        case beginTimeline
        /// Takes over the start's time of a call that came while a pause or stop was under way.
        case takeNextStartTime
        /// Connects as far as need be, and makes the server's stream then.
        case connect
        case makeStream
        /// Has the source hand over what it captured before a pause or stop.
        case beginEnding
        /// Puts silence behind the newest frame, until a host time.
        case makeUp(until: UInt64)
        /// Lets go of the source, and hands over what there is room for.
        case leaveSource
        /// Returns all segments, and forgets what waits for room.
        case discard
        case leaveConnection
        /// Stops the clock.
        case standStill
        /// Stops the clock, and has what is missing made up for; if asked for, from now on.
        case interrupt(fromNow: Bool)
        case dropStream
        case tryAgainSoon
        /// Has the connection look for the server again.
        case reconnect
    }

    private(set) var phase = Phase.idle
    private(set) var ending: Ending?
    /// Start was called while a pause or stop was under way.
    private(set) var startsAgain = false
    /// Start was called, and the source does not yet capture for it.
    private(set) var isStartUnanswered = false

    // MARK: The client's calls

    /// - Returns: Nil where a start changes nothing.
    mutating func start() -> [Action]? {
        switch phase {
        case .idle: return [.beginTimeline] + connect()
        case .paused: return connect()
        case .ending:
            startsAgain = true
            return []
        case .connecting, .running, .interrupted, .closed: return nil
        }
    }

    private mutating func connect() -> [Action] {
        isStartUnanswered = true
        phase = .connecting
        return [.connect]
    }

    /// - Parameter startHostTime: The start's time, before which nothing is wanted; 0 for none.
    mutating func end(_ new: Ending, startHostTime: UInt64) -> [Action] {
        startsAgain = false
        switch phase {
        case .connecting, .running:
            ending = new
            if startHostTime > new.hostTime { return finishEnding() }
            phase = .ending
            return [.beginEnding]
        case .ending:
            let earlier = ending
            // What came after the first of the two calls is not wanted.
            ending = Ending(
                isStop: new.isStop || earlier?.isStop == true, ticket: new.ticket,
                hostTime: earlier?.hostTime ?? new.hostTime)
            return earlier.map { [$0.answer] } ?? []
        case .interrupted:
            ending = new
            // The timeline ran on until now; there is no more to come.
            return (new.isStop ? [] : [.makeUp(until: new.hostTime)]) + finishEnding()
        case .idle where !new.isStop: return [new.answer]
        case .idle, .paused:
            ending = new
            return finishEnding()
        case .closed: return [new.answer]
        }
    }

    /// All is there that was captured before the pause or stop under way, or can come no more.
    mutating func finishEnding() -> [Action] {
        guard let ended = ending else { return [] }
        ending = nil
        var actions = [Action.leaveSource]
        if ended.isStop {
            phase = .idle
            actions += [.discard, .leaveConnection]
        } else {
            phase = .paused
        }
        actions += [.standStill, ended.answer]
        guard startsAgain else { return actions }
        startsAgain = false
        return actions + [.takeNextStartTime] + (start() ?? [])
    }

    mutating func close(ticket: UInt64) -> [Action] { end(in: .closed) + [.post(.closed, token: ticket)] }

    /// Gives the stream up: hands over what was captured, and says why.
    mutating func fail(_ error: DeviceError) -> [Action] { end(in: .idle) + [.fail(error)] }

    private mutating func end(in finalPhase: Phase) -> [Action] {
        if phase == .closed { return [] }
        startsAgain = false
        let actions = finishEnding()
        phase = finalPhase
        return actions + [.leaveSource, .discard, .leaveConnection, .standStill]
    }

    // MARK: The server

    /// The server answers, or is found not to.
    mutating func connected(
        _ error: DeviceError?, hasCaptured: Bool, waitingUntil hostTime: UInt64
    ) -> [Action] {
        guard phase == .connecting else { return [] }
        guard let error else { return [.makeStream] }
        // What was capturing before has a place to keep: it waits for a server that is gone. A first start fails.
        guard hasCaptured else { return fail(error) }
        return interrupt(hasCaptured: hasCaptured, waitingUntil: hostTime) + [.reconnect]
    }

    /// The server's stream is there; frames are waited for without a limit.
    mutating func streamIsReady() {
        if isInterrupted { phase = .interrupted(until: .max) }
    }

    /// The source captures: whether a start is to be answered. REAL-TIME.
    @_noLocks mutating func answerStart() -> Bool {
        let isUnanswered = isStartUnanswered
        isStartUnanswered = false
        return isUnanswered
    }

    /// The first frames of a server's stream are there. REAL-TIME.
    @_noLocks mutating func framesCame() {
        switch phase {
        case .connecting, .interrupted: phase = .running
        case .idle, .running, .ending, .paused, .closed: break
        }
    }

    /// The connection is gone.
    ///
    /// - Parameter isMakingStream: Whether the making of a stream had begun. If not, the connection's answer ends the
    ///   attempt.
    mutating func serverIsLost(
        isMakingStream: Bool, hasCaptured: Bool, waitingUntil hostTime: UInt64
    ) -> [Action] {
        // Which drops the stream, and may make the next one.
        if phase == .ending { return finishEnding() }
        var actions: [Action] = []
        if phase != .connecting || isMakingStream {
            actions = interrupt(hasCaptured: hasCaptured, waitingUntil: hostTime)
        }
        return actions + [.dropStream] + (isInterrupted ? [.reconnect] : [])
    }

    /// The server closed the stream, or would not make it.
    ///
    /// - Parameters:
    ///   - wasReady: Whether it had made it before.
    ///   - error: What a first start fails with.
    mutating func streamFailed(
        wasReady: Bool, hasCaptured: Bool, _ error: DeviceError, waitingUntil hostTime: UInt64
    ) -> [Action] {
        if phase == .connecting, !wasReady, !hasCaptured { return fail(error) }
        if phase == .ending { return finishEnding() }
        // The source is gone, or not back yet.
        let actions = interrupt(hasCaptured: hasCaptured, waitingUntil: hostTime)
        return actions + [.dropStream] + (isInterrupted ? [.tryAgainSoon] : [])
    }

    private mutating func interrupt(hasCaptured: Bool, waitingUntil hostTime: UInt64) -> [Action] {
        switch phase {
        case .connecting, .running:
            // A resumption that could not be begun, or a start without a frame yet: the timeline runs on from here.
            let fromNow = phase == .connecting && (hasCaptured || !isStartUnanswered)
            phase = .interrupted(until: hostTime)
            return [.interrupt(fromNow: fromNow)]
        case .idle, .ending, .paused, .interrupted, .closed: return []
        }
    }

    /// The source fell asleep.
    mutating func sourceSleeps() -> [Action] {
        switch phase {
        case .running: [.interrupt(fromNow: false)]
        case .connecting where !isStartUnanswered: [.interrupt(fromNow: true)]
        case .ending: finishEnding()
        case .idle, .connecting, .paused, .interrupted, .closed: []
        }
    }

    // MARK: Questions

    var isInterrupted: Bool { if case .interrupted = phase { true } else { false } }

    /// Whether frames are wanted. REAL-TIME.
    var wantsFrames: Bool {
        @_noLocks get {
            switch phase {
            case .connecting, .running, .interrupted: true
            case .idle, .ending, .paused, .closed: false
            }
        }
    }

    var isRunning: Bool {
        @_noLocks get { if case .running = phase { true } else { false } }
    }

    /// When a server is waited for no longer; `.max` while none is.
    var recoverBy: UInt64 { if case .interrupted(let hostTime) = phase { hostTime } else { .max } }
}
