/// Where a playback stream is between its client's calls and its server: each event returns what is to be done, in order.
///
/// A value without effects of its own, which ``PulseStream`` carries out.
struct PlaybackLifecycle {
    enum Phase: Equatable {
        /// Nothing plays. There may be a corked, empty server stream.
        case idle
        /// Start was called; the server or the stream is not ready yet.
        case connecting
        case running
        /// A fade-out was written; when it was heard, the stream is corked, and the call answered.
        case fadingToPause(ticket: UInt64)
        /// The same for a stop, or a close, which were answered when the fade-out was written.
        case fadingToStop
        case paused
        /// The server died or the sink vanished while the stream ran; it is waited for until a host time.
        case interrupted(until: UInt64)
        case closed
    }

    /// What follows when a fade-out was heard.
    enum AfterFade { case nothing, start, close }

    enum Action: Equatable {
        case post(DeviceNotice.Kind, token: UInt64)
        case fail(DeviceError)
        /// Begins the timeline at the next frame.
        case beginTimeline
        /// Connects as far as need be, and begins to play then.
        case connect
        /// Makes the server's stream.
        case makeStream
        /// Plays by the server's stream, which is ready.
        case play
        case cork
        case fadeOut
        /// Goes back to the first frame of a start whose time has not come.
        case takeStartBack
        /// Returns all segments.
        case discard
        /// Has the server answer no drain.
        case callOffAnswers
        /// Asks the server to play out, if all is written.
        case drainIfWritten
        /// Stops the clock, and the counting of silence.
        case endSilence
        /// Stops the clock where it is.
        case haltClock
        /// Stops the clock at the frame that is played next.
        case stopClock
        /// Stops all at the frame that is heard now; if asked for, playing goes back to it.
        case interrupt(rewinds: Bool)
        case countDiscontinuity
        /// Returns what was kept back of the client's buffers.
        case returnReserve
        /// Returns all that was played.
        case returnPlayed
        /// Makes the server's stream ready for the next start, or drops one that holds back its last frames.
        case leaveStream
        case dropStream
        /// Asks for another sink from now on.
        case forgetSink
        case tryAgainSoon
        /// Has the connection look for the server again.
        case reconnect
        /// Drops the server's stream, and leaves the connection.
        case leaveServer
    }

    private(set) var phase = Phase.idle
    private(set) var afterFade = AfterFade.nothing
    private(set) var drain = PulseDrain.none

    // MARK: The client's calls

    /// - Returns: Nil where a start changes nothing.
    mutating func start() -> [Action]? {
        switch phase {
        case .idle:
            phase = .connecting
            return [.beginTimeline, .connect]
        case .paused:
            phase = .connecting
            return [.connect]
        case .fadingToPause, .fadingToStop:
            if afterFade == .close { return nil }
            afterFade = .start
            return []
        case .connecting, .running, .interrupted, .closed: return nil
        }
    }

    /// - Parameter isBeforeStart: Whether the time of the start has not come.
    mutating func pause(ticket: UInt64, isBeforeStart: Bool) -> [Action] {
        let answer = Action.post(.paused, token: ticket)
        switch phase {
        case .running:
            // What the pause keeps is played later, and the server asked anew then.
            let callOff: [Action] = drain.isWaitingForFeed ? [] : [.callOffAnswers]
            drain.waitForFeedAgain()
            if isBeforeStart {
                phase = .paused
                return callOff + [.takeStartBack, answer]
            }
            phase = .fadingToPause(ticket: ticket)
            return callOff + [.fadeOut]
        case .fadingToPause(let earlier):
            phase = .fadingToPause(ticket: ticket)
            afterFade = .nothing
            return [.post(.paused, token: earlier)]
        case .fadingToStop:
            if afterFade != .close { afterFade = .nothing }
            return [answer]
        case .connecting, .interrupted:
            phase = .paused
            return [.endSilence, answer]
        case .idle, .paused, .closed: return [answer]
        }
    }

    /// Nothing more is taken, and nobody has to wait for the fade-out.
    mutating func stop(ticket: UInt64, isBeforeStart: Bool) -> [Action] {
        if afterFade != .close { afterFade = .nothing }
        return fallSilent(isBeforeStart: isBeforeStart) + [.haltClock, .post(.stopped, token: ticket)]
    }

    /// As ``stop(ticket:isBeforeStart:)``; the server's stream ends with its fade-out, if it plays.
    mutating func close(ticket: UInt64, isBeforeStart: Bool) -> [Action] {
        let actions = fallSilent(isBeforeStart: isBeforeStart)
        let answer = Action.post(.closed, token: ticket)
        if phase == .fadingToStop {
            afterFade = .close
            return actions + [.haltClock, answer]
        }
        return actions + end(in: .closed) + [answer]
    }

    private mutating func fallSilent(isBeforeStart: Bool) -> [Action] {
        switch phase {
        case .running where isBeforeStart:
            phase = .idle
            return [.takeStartBack] + discard()
        case .running:
            phase = .fadingToStop
            return [.fadeOut] + discard()
        case .fadingToPause:
            let answer = answerPause()
            phase = .fadingToStop
            return answer + discard()
        case .fadingToStop: return discard()
        case .idle, .connecting, .paused, .interrupted:
            phase = .idle
            return discard()
        case .closed: return []
        }
    }

    mutating func drain(ticket: UInt64) -> [Action] {
        switch phase {
        case .fadingToStop where afterFade != .start, .idle, .closed:
            return [.post(.drained, token: ticket)]
        case .fadingToStop, .connecting, .running, .fadingToPause, .paused, .interrupted:
            let earlier = drain.ticket
            drain = .waitingForFeed(ticket: ticket)
            return (earlier.map { [.post(.drained, token: $0)] } ?? []) + [.drainIfWritten]
        }
    }

    /// Returns all segments; ends a drain that was asked for.
    mutating func discard() -> [Action] {
        guard let ticket = drain.ticket else { return [.discard] }
        drain = .none
        return [.discard, .post(.drained, token: ticket)]
    }

    // MARK: The server

    /// The server answers, or is found not to.
    mutating func connected(_ error: DeviceError?, hasPlayed: Bool, waitingUntil hostTime: UInt64) -> [Action]
    {
        guard phase == .connecting else { return [] }
        guard let error else { return [.makeStream] }
        // What was playing before has a place to keep: it waits for a server that is gone. A first start fails.
        return hasPlayed ? interrupt(waitingUntil: hostTime) + [.reconnect] : fail(error)
    }

    mutating func streamIsReady() -> [Action] {
        switch phase {
        case .connecting: [.play]
        case .interrupted: [.play, .post(.resumed, token: 0)]
        // A stop or pause came before the stream was there.
        case .idle, .paused: [.cork]
        case .running, .fadingToPause, .fadingToStop, .closed: []
        }
    }

    /// The stream plays, by a new or another server stream.
    mutating func began() { phase = .running }

    /// The stream is to play on by another server stream.
    mutating func beganAnew() { phase = .connecting }

    /// The connection is gone.
    ///
    /// - Parameter isMakingStream: Whether the making of a stream had begun. If not, the connection's answer ends the
    ///   attempt.
    mutating func serverIsLost(isMakingStream: Bool, waitingUntil hostTime: UInt64) -> [Action] {
        var actions: [Action] = []
        if phase != .connecting || isMakingStream { actions = interrupt(waitingUntil: hostTime) }
        actions.append(.dropStream)
        if isInterrupted { actions.append(.reconnect) }
        return actions + resumeAfterFade()
    }

    /// The server closed the stream, or would not make it.
    ///
    /// - Parameters:
    ///   - wasReady: Whether it had made it before.
    ///   - error: What a first start fails with.
    mutating func streamFailed(
        wasReady: Bool, hasPlayed: Bool, _ error: DeviceError, waitingUntil hostTime: UInt64
    ) -> [Action] {
        if phase == .connecting, !wasReady, !hasPlayed { return fail(error) }
        let actions = interrupt(waitingUntil: hostTime) + [.dropStream]
        guard isInterrupted else { return actions + resumeAfterFade() }
        // The sink is gone: what comes next is the server's default, at once; if there is none, later.
        let next: [Action] =
            wasReady ? [.countDiscontinuity, .post(.moved, token: 0), .makeStream] : [.tryAgainSoon]
        return actions + [.forgetSink] + next
    }

    /// What plays, or is about to, waits for a server; what fades out has ended.
    private mutating func interrupt(waitingUntil hostTime: UInt64) -> [Action] {
        switch phase {
        case .fadingToStop:
            drain.waitForFeedAgain()
            phase = .idle
            return [.interrupt(rewinds: false)]
        case .fadingToPause:
            drain.waitForFeedAgain()
            let answer = answerPause()
            phase = .paused
            return [.interrupt(rewinds: false)] + answer
        case .connecting, .running:
            drain.waitForFeedAgain()
            let rewinds = phase == .running
            phase = .interrupted(until: hostTime)
            return [
                .interrupt(rewinds: rewinds), .returnReserve, .countDiscontinuity,
                .post(.interrupted, token: 0),
            ]
        case .idle, .paused, .interrupted, .closed: return []
        }
    }

    // MARK: Ends

    /// The fade-out was heard, and so ends what asked for it.
    mutating func fadeIsOver() -> [Action] {
        let answer = answerPause()
        phase = phase == .fadingToStop ? .idle : .paused
        return [.leaveStream, .endSilence, .stopClock, .returnReserve] + answer + resumeAfterFade()
    }

    /// Carries out what was called while a fade-out was under way, when it is over.
    private mutating func resumeAfterFade() -> [Action] {
        let next = afterFade
        afterFade = .nothing
        return switch next {
        case .nothing: []
        case .start: start() ?? []
        case .close: end(in: .closed)
        }
    }

    private func answerPause() -> [Action] {
        if case .fadingToPause(let ticket) = phase { [.post(.paused, token: ticket)] } else { [] }
    }

    /// Gives the stream up, and says why.
    mutating func fail(_ error: DeviceError) -> [Action] {
        // The failure is told first: a client that waits for the drain would take its answer for the end.
        let unanswered = drain.ticket
        drain = .none
        let answer = unanswered.map { [Action.post(.drained, token: $0)] } ?? []
        return end(in: .idle) + [.fail(error)] + answer
    }

    private mutating func end(in finalPhase: Phase) -> [Action] {
        let actions = answerPause() + discard() + [.leaveServer]
        phase = finalPhase
        afterFade = .nothing
        return actions
    }

    // MARK: Drains

    /// All is written: whether the server is to be asked to play it out.
    mutating func askToDrain() -> Bool {
        guard case .waitingForFeed(let ticket) = drain, phase == .running else { return false }
        drain = .waitingForServer(ticket: ticket)
        return true
    }

    /// The server has played all: whether the sink is to be waited for.
    mutating func serverDrained() -> Bool {
        guard case .waitingForServer(let ticket) = drain else { return false }
        drain = .waitingForSink(ticket: ticket)
        return true
    }

    /// The last frame was heard, or the time limit has passed.
    mutating func finishDrain() -> [Action] {
        guard let ticket = drain.ticket else { return [] }
        drain = .none
        phase = .idle
        return [.leaveStream, .stopClock, .returnPlayed, .post(.drained, token: ticket)]
    }

    // MARK: Questions

    var isRunning: Bool {
        @_noLocks get { if case .running = phase { true } else { false } }
    }

    var isFading: Bool {
        switch phase {
        case .fadingToPause, .fadingToStop: true
        case .idle, .connecting, .running, .paused, .interrupted, .closed: false
        }
    }

    var isInterrupted: Bool { if case .interrupted = phase { true } else { false } }

    /// Whether a server stream that is made now is to play at once.
    var wantsToRun: Bool { phase == .connecting || phase == .running || isInterrupted }

    /// When a server is waited for no longer; `.max` while none is.
    var recoverBy: UInt64 { if case .interrupted(let hostTime) = phase { hostTime } else { .max } }
}
