// SPDX-License-Identifier: MIT

/// The state of a capture stream between its client's calls and its server. Each event returns actions, in order.
///
/// A value without effects of its own; ``PulseInputStream`` carries out the actions.
struct CaptureLifecycle {
    enum Phase: Equatable {
        /// Nothing is captured, and there is no server stream.
        case idle
        /// Start was called, and perhaps answered; no frame has arrived.
        case connecting
        case running
        /// A pause or stop waits for frames captured before it.
        case ending
        case paused
        /// The server died or the source disappeared during capture; the stream waits for its return until a host time.
        case interrupted(until: UInt64)
        case closed
    }

    /// A pause or stop in progress.
    struct Ending: Equatable {
        var isStop: Bool
        var ticket: UInt64
        /// The host time of the call: frames captured before it are wanted.
        var hostTime: UInt64

        fileprivate var answer: Action { .post(isStop ? .stopped : .paused, token: ticket) }
    }

    enum Action: Equatable {
        case post(DeviceEvent.Kind, token: UInt64)
        case fail(DeviceError)
        case beginTimeline
        /// Applies the start time of a call made during a pause or stop.
        case takeNextStartTime
        /// Connects if necessary, then makes the server's stream.
        case connect
        case makeStream
        /// Requests from the source the frames captured before a pause or stop.
        case beginEnding
        /// Adds silence after the newest frame, until a host time.
        case makeUp(until: UInt64)
        /// Drops the server's stream, and delivers frames as far as there is room.
        case leaveSource
        /// Returns all segments, and drops the frames that wait for room.
        case discard
        case leaveConnection
        /// Stops the clock.
        case stopClock
        /// Stops the clock, and marks the time until the next frame as a gap to be filled with silence. The gap begins
        /// at the newest frame, or now.
        case interrupt(fromNow: Bool)
        case dropStream
        case tryAgainSoon
        /// Makes the connection try to connect again.
        case reconnect
    }

    private(set) var phase = Phase.idle
    private(set) var ending: Ending?
    /// Whether start was called during a pause or stop.
    private(set) var startsAgain = false
    /// Whether a start has no answer, because the source does not capture.
    private(set) var isStartUnanswered = false

    // MARK: The client's calls

    /// - Returns: Nil if a start changes nothing.
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

    /// - Parameter startHostTime: The start time, before which no frame is wanted; 0 for none.
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
            // Frames captured after the first of the two calls are not wanted.
            ending = Ending(
                isStop: new.isStop || earlier?.isStop == true, ticket: new.ticket,
                hostTime: earlier?.hostTime ?? new.hostTime)
            return earlier.map { [$0.answer] } ?? []
        case .interrupted:
            ending = new
            // The timeline continues until now, and no other frames will arrive.
            return (new.isStop ? [] : [.makeUp(until: new.hostTime)]) + finishEnding()
        case .idle where !new.isStop: return [new.answer]
        case .idle, .paused:
            ending = new
            return finishEnding()
        case .closed: return [new.answer]
        }
    }

    /// Ends the current pause or stop: all frames captured before it have arrived, or cannot arrive.
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
        actions += [.stopClock, ended.answer]
        guard startsAgain else { return actions }
        startsAgain = false
        return actions + [.takeNextStartTime] + (start() ?? [])
    }

    mutating func close(ticket: UInt64) -> [Action] { end(in: .closed) + [.post(.closed, token: ticket)] }

    /// Ends the stream: delivers the captured frames, and reports the error.
    mutating func fail(_ error: DeviceError) -> [Action] { end(in: .idle) + [.fail(error)] }

    private mutating func end(in finalPhase: Phase) -> [Action] {
        if phase == .closed { return [] }
        startsAgain = false
        let actions = finishEnding()
        phase = finalPhase
        return actions + [.leaveSource, .discard, .leaveConnection, .stopClock]
    }

    // MARK: The server

    /// Handles the server's answer, or a failure to connect.
    mutating func connected(
        _ error: DeviceError?, hasCaptured: Bool, waitingUntil hostTime: UInt64
    ) -> [Action] {
        guard phase == .connecting else { return [] }
        guard let error else { return [.makeStream] }
        // A stream that was capturing keeps its state and waits for the server. A first start fails.
        guard hasCaptured else { return fail(error) }
        return interrupt(hasCaptured: hasCaptured, waitingUntil: hostTime) + [.reconnect]
    }

    /// Handles a server stream that is ready: the wait for frames then has no limit.
    mutating func streamIsReady() {
        if isInterrupted { phase = .interrupted(until: .max) }
    }

    /// Returns whether a start must be answered, now that the source captures. REAL-TIME.
    @_noLocks mutating func answerStart() -> Bool {
        let isUnanswered = isStartUnanswered
        isStartUnanswered = false
        return isUnanswered
    }

    /// Handles the first frames of a server stream. REAL-TIME.
    @_noLocks mutating func framesCame() {
        switch phase {
        case .connecting, .interrupted: phase = .running
        case .idle, .running, .ending, .paused, .closed: break
        }
    }

    /// Handles a lost connection.
    ///
    /// - Parameter isMakingStream: Whether a stream was being made. If not, the connection's answer ends the attempt.
    mutating func serverIsLost(
        isMakingStream: Bool, hasCaptured: Bool, waitingUntil hostTime: UInt64
    ) -> [Action] {
        // `finishEnding()` drops the stream, and may make the next one.
        if phase == .ending { return finishEnding() }
        var actions: [Action] = []
        if phase != .connecting || isMakingStream {
            actions = interrupt(hasCaptured: hasCaptured, waitingUntil: hostTime)
        }
        return actions + [.dropStream] + (isInterrupted ? [.reconnect] : [])
    }

    /// Handles a stream that the server closed or refused.
    ///
    /// - Parameters:
    ///   - wasReady: Whether the server had made the stream before.
    ///   - error: The error of a first start.
    mutating func streamFailed(
        wasReady: Bool, hasCaptured: Bool, _ error: DeviceError, waitingUntil hostTime: UInt64
    ) -> [Action] {
        if phase == .connecting, !wasReady, !hasCaptured { return fail(error) }
        if phase == .ending { return finishEnding() }
        // The source is gone, or has not returned.
        let actions = interrupt(hasCaptured: hasCaptured, waitingUntil: hostTime)
        return actions + [.dropStream] + (isInterrupted ? [.tryAgainSoon] : [])
    }

    private mutating func interrupt(hasCaptured: Bool, waitingUntil hostTime: UInt64) -> [Action] {
        switch phase {
        case .connecting, .running:
            // After a failed resumption, or a start that was answered without a frame, the gap begins now.
            let fromNow = phase == .connecting && (hasCaptured || !isStartUnanswered)
            phase = .interrupted(until: hostTime)
            return [.interrupt(fromNow: fromNow)]
        case .interrupted(let limit):
            // The limit is `.max` if the stream was ready, but no frame had arrived.
            phase = .interrupted(until: min(limit, hostTime))
            return []
        case .idle, .ending, .paused, .closed: return []
        }
    }

    /// Handles a source that was suspended.
    mutating func sourceSleeps() -> [Action] {
        switch phase {
        case .running: [.interrupt(fromNow: false)]
        case .connecting where !isStartUnanswered: [.interrupt(fromNow: true)]
        case .ending: finishEnding()
        case .idle, .connecting, .paused, .interrupted, .closed: []
        }
    }

    // MARK: State

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

    /// The host time at which the wait for a server ends; `.max` if there is no wait or no limit.
    var recoverBy: UInt64 { if case .interrupted(let hostTime) = phase { hostTime } else { .max } }
}
