// SPDX-License-Identifier: MIT

/// The state of a playback stream between its client's calls and its server. Each event returns actions, in order.
///
/// A value without effects of its own; ``PulseStream`` carries out the actions.
struct PlaybackLifecycle {
    enum Phase: Equatable {
        /// Nothing plays. There may be a corked, empty server stream.
        case idle
        /// Start was called; the server or the stream is not ready.
        case connecting
        case running
        /// A fade-out was written. After it has played, the stream is corked, and the call answered.
        case fadingToPause(ticket: UInt64)
        /// A fade-out was written for a stop or close, which was answered at once.
        case fadingToStop
        case paused
        /// The server died or the sink disappeared during playback; the stream waits for its return until a host time.
        case interrupted(until: UInt64)
        case closed
    }

    /// The action after a fade-out has played.
    enum AfterFade { case nothing, start, close }

    enum Action: Equatable {
        case post(DeviceEvent.Kind, token: UInt64)
        case fail(DeviceError)
        /// Begins the timeline at the next frame.
        case beginTimeline
        /// Connects if necessary, then begins to play.
        case connect
        /// Makes the server's stream.
        case makeStream
        /// Plays on the server's stream, which is ready.
        case play
        case cork
        case fadeOut
        /// Cancels a start whose time has not come, and goes back to its first frame.
        case takeStartBack
        /// Returns all segments.
        case discard
        /// Cancels the server's answer to a drain.
        case callOffDrain
        /// Asks the server to play to the end, if everything is written.
        case drainIfWritten
        /// Stops the clock and the counting of silence.
        case endSilence
        /// Stops the clock at its current frame.
        case haltClock
        /// Stops the clock at the frame that is played next.
        case stopClock
        /// Stops playback and the clock. If `rewinds`, playback resumes at the frame that is audible now, or at the
        /// first frame of a start whose time has not come; otherwise at the next frame of the renderer.
        case interrupt(rewinds: Bool)
        case countDiscontinuity
        /// Returns the reserve of the client's buffers.
        case returnReserve
        /// Returns all played buffers.
        case returnPlayed
        /// Prepares the server's stream for the next start, or drops the stream if the server holds back its last
        /// frames.
        case leaveStream
        case dropStream
        /// Makes the next streams use the default sink.
        case forgetSink
        case tryAgainSoon
        /// Makes the connection try to connect again.
        case reconnect
        /// Drops the server's stream, and leaves the connection.
        case leaveServer
    }

    private(set) var phase = Phase.idle
    private(set) var afterFade = AfterFade.nothing
    private(set) var drain = PulseDrain.none

    // MARK: The client's calls

    /// - Returns: Nil if a start changes nothing.
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

    /// - Parameter isBeforeStart: Whether the start time has not come.
    mutating func pause(ticket: UInt64, isBeforeStart: Bool) -> [Action] {
        let answer = Action.post(.paused, token: ticket)
        switch phase {
        case .running:
            // The audio that the pause keeps is played later. The server is then asked again to drain.
            let callOff: [Action] = drain.isWaitingForFeed ? [] : [.callOffDrain]
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

    /// Stops after a fade-out. The call is answered without waiting for the fade-out.
    mutating func stop(ticket: UInt64, isBeforeStart: Bool) -> [Action] {
        if afterFade != .close { afterFade = .nothing }
        return fallSilent(isBeforeStart: isBeforeStart) + [.haltClock, .post(.stopped, token: ticket)]
    }

    /// Does the same as ``stop(ticket:isBeforeStart:)``, and ends the server's stream after its fade-out, if it is
    /// playing.
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

    /// Returns all segments, and ends a drain.
    mutating func discard() -> [Action] {
        guard let ticket = drain.ticket else { return [.discard] }
        drain = .none
        return [.discard, .post(.drained, token: ticket)]
    }

    // MARK: The server

    /// Handles the server's answer, or a failure to connect.
    mutating func connected(_ error: DeviceError?, hasPlayed: Bool, waitingUntil hostTime: UInt64) -> [Action]
    {
        guard phase == .connecting else { return [] }
        guard let error else { return [.makeStream] }
        // A stream that was playing keeps its position and waits for the server. A first start fails.
        return hasPlayed ? interrupt(waitingUntil: hostTime) + [.reconnect] : fail(error)
    }

    mutating func streamIsReady() -> [Action] {
        switch phase {
        case .connecting: [.play]
        case .interrupted: [.play, .post(.resumed, token: 0)]
        // A stop or pause was called before the stream was ready.
        case .idle, .paused: [.cork]
        case .running, .fadingToPause, .fadingToStop, .closed: []
        }
    }

    /// Records that playback has begun on a server stream.
    mutating func began() { phase = .running }

    /// Records that playback must continue on another server stream.
    mutating func beganAnew() { phase = .connecting }

    /// Handles a lost connection.
    ///
    /// - Parameter isMakingStream: Whether a stream was being made. If not, the connection's answer ends the attempt.
    mutating func serverIsLost(isMakingStream: Bool, waitingUntil hostTime: UInt64) -> [Action] {
        var actions: [Action] = []
        if phase != .connecting || isMakingStream { actions = interrupt(waitingUntil: hostTime) }
        actions.append(.dropStream)
        if isInterrupted { actions.append(.reconnect) }
        return actions + resumeAfterFade()
    }

    /// Handles a stream that the server closed or refused.
    ///
    /// - Parameters:
    ///   - wasReady: Whether the server had made the stream before.
    ///   - error: The error of a first start.
    mutating func streamFailed(
        wasReady: Bool, hasPlayed: Bool, _ error: DeviceError, waitingUntil hostTime: UInt64
    ) -> [Action] {
        if phase == .connecting, !wasReady, !hasPlayed { return fail(error) }
        let actions = interrupt(waitingUntil: hostTime) + [.dropStream]
        guard isInterrupted else { return actions + resumeAfterFade() }
        // The sink is gone, so the default sink is used. If the stream was not ready, there may be no sink, and the
        // attempt is delayed.
        let next: [Action] =
            wasReady ? [.countDiscontinuity, .post(.moved, token: 0), .makeStream] : [.tryAgainSoon]
        return actions + [.forgetSink] + next
    }

    /// Waits for a server if the stream plays or starts; ends a fade-out.
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

    /// Ends the pause, stop or close that wrote the fade-out, because the fade-out has played.
    mutating func fadeIsOver() -> [Action] {
        let answer = answerPause()
        phase = phase == .fadingToStop ? .idle : .paused
        return [.leaveStream, .endSilence, .stopClock, .returnReserve] + answer + resumeAfterFade()
    }

    /// Carries out the calls made during a fade-out, after its end.
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

    /// Ends the stream with an error.
    mutating func fail(_ error: DeviceError) -> [Action] {
        // The failure is posted before the answer to a drain, because a client would take that answer for success.
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

    /// Returns whether the server must now be asked to play to the end. Called when everything is written.
    mutating func askToDrain() -> Bool {
        guard case .waitingForFeed(let ticket) = drain, phase == .running else { return false }
        drain = .waitingForServer(ticket: ticket)
        return true
    }

    /// Returns whether the stream must now wait for the sink. Called when the server has played everything.
    mutating func serverDrained() -> Bool {
        guard case .waitingForServer(let ticket) = drain else { return false }
        drain = .waitingForSink(ticket: ticket)
        return true
    }

    /// Ends a drain, because the last frame was audible or the time limit has passed.
    mutating func finishDrain() -> [Action] {
        guard let ticket = drain.ticket else { return [] }
        drain = .none
        phase = .idle
        return [.leaveStream, .stopClock, .returnPlayed, .post(.drained, token: ticket)]
    }

    // MARK: State

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

    /// Whether a server stream made now should play at once.
    var wantsToRun: Bool { phase == .connecting || phase == .running || isInterrupted }

    /// The host time at which the wait for a server ends; `.max` if there is no wait.
    var recoverBy: UInt64 { if case .interrupted(let hostTime) = phase { hostTime } else { .max } }
}
