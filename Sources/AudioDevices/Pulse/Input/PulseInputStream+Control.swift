import CRealTime
import Synchronization

/// What the control calls do, on the loop's thread.
extension PulseInputStream {
    /// How long a pause or stop waits at most, beyond the source's period, for what was captured before it: on
    /// a busy machine that comes late.
    private static let graceNanoseconds: UInt64 = 400_000_000
    /// The fragment asked for by a pause or stop, so that the source hands over what it holds.
    private static let endingFragmentSeconds = 0.02

    /// - Parameter hostTime: When the first frame is to be captured; 0 for as soon as possible.
    func startCapturing(fragmentFrames: Int, at hostTime: UInt64 = 0) {
        if case .closed = phase { return }
        self.fragmentFrames = fragmentFrames
        // Far from where sums of times overflow.
        let hostTime = min(hostTime, .max / 2)
        switch phase {
        case .idle:
            beginTimeline()
            startHostTime = hostTime
            connect()
        case .paused:
            startHostTime = hostTime
            connect()
        case .ending:
            startsAgain = true
            nextStartHostTime = hostTime
        case .connecting, .running, .interrupted, .closed: break
        }
    }

    private func beginTimeline() {
        feed.clearFailure()
        filler.restart()
        isWaiting.store(false, ordering: .relaxed)
        grant.restart()
        hasCaptured = false
        capturedTime = 0
        stampedTime = 0
        gap = .none
        time.restart(at: loopTime)
        clock.publish(time)
    }

    /// Connects to the server if need be, and to the source.
    ///
    /// What was capturing before has a place to keep: it waits for a server that is gone. A first start fails.
    private func connect() {
        recoverBy = .max
        isStartUnanswered = true
        phase = .connecting
        connection.add(self)
        connection.whenConnected { [self] error in
            guard case .connecting = phase, stream == nil else { return }
            guard let error else { return connectStream() }
            guard hasCaptured else { return fail(error) }
            interrupt()
            connection.retry()
        }
    }

    // MARK: Pause and stop

    func endCapturing(_ new: Ending) {
        startsAgain = false
        switch phase {
        case .connecting, .running:
            ending = new
            // Nothing before a start's time is wanted.
            if startHostTime > new.hostTime { return finishEnding() }
            phase = .ending
            beginEnding()
        case .ending:
            if let earlier = ending { answer(earlier) }
            // What came after the first of the two calls is not wanted.
            ending = Ending(
                isStop: new.isStop || ending?.isStop == true, ticket: new.ticket,
                hostTime: ending?.hostTime ?? new.hostTime)
        case .interrupted:
            ending = new
            // The timeline ran on until now; there is no more to come.
            if !new.isStop { makeUp(until: new.hostTime) }
            finishEnding()
        case .idle where !new.isStop: answer(new)
        case .idle, .paused:
            ending = new
            finishEnding()
        case .closed: answer(new)
        }
    }

    /// Has the source hand over what it captured before the call, as far as it can be told to.
    private func beginEnding() {
        guard let stream, server.isReady, !isSuspended else { return finishEnding() }
        let endingFragment = Int(PulseInputStream.endingFragmentSeconds * sampleRate)
        if grantedFragmentSeconds > 2 * PulseInputStream.endingFragmentSeconds {
            stream.setAttributes(bufferAttributes(fragmentFrames: endingFragment))
        }
        setDeadline(
            loopTime + UInt64(min(grantedFragmentSeconds, 2) * 1e9)
                + PulseInputStream.graceNanoseconds)
        readWhatCame()
        checkEnding()
    }

    /// Ends the pause or stop under way once all is there that was captured before it.
    func checkEnding() {
        guard case .ending = phase, let ending else { return }
        // Without room there is nothing to wait for: what a stop has no segment for is not delivered.
        if receivedFrames >= cutFrame || (ending.isStop && !hasRoom) { finishEnding() }
    }

    private var hasRoom: Bool { held.isEmpty && filler.hasRoom }

    /// Lets go of the source and answers the pause or stop under way.
    func finishEnding() {
        guard let ending else { return }
        self.ending = nil
        startHostTime = 0
        dropStream()
        deadline = .max
        recoverBy = .max
        handOverHeld()
        if ending.isStop {
            discard()
            phase = .idle
            connection.remove(self)
        } else {
            phase = .paused
        }
        gap = .none
        standStill()
        answer(ending)
        if startsAgain {
            startsAgain = false
            startCapturing(fragmentFrames: fragmentFrames, at: nextStartHostTime)
        }
    }

    private func answer(_ ending: Ending) {
        feed.post(ending.isStop ? .stopped : .paused, token: ending.ticket)
    }

    // MARK: The others

    func flushSegment(_ ticket: UInt64) {
        handOverHeld()
        filler.handOver()
        feed.post(.flushed, token: ticket)
    }

    func resetSegments(_ ticket: UInt64) {
        handOverHeld()
        filler.returnAll()
        feed.post(.reset, token: ticket)
    }

    func closeCapture(_ ticket: UInt64) {
        end(in: .closed)
        feed.post(.closed, token: ticket)
    }

    /// Gives the stream up: hands over what was captured, returns all segments and says why.
    func fail(_ error: DeviceError) {
        end(in: .idle)
        feed.fail(error)
    }

    /// Answers what is pending, returns all segments, and lets go of the server.
    private func end(in finalPhase: Phase) {
        if case .closed = phase { return }
        startsAgain = false
        if ending != nil { finishEnding() }
        startHostTime = 0
        dropStream()
        handOverHeld()
        discard()
        phase = finalPhase
        gap = .none
        deadline = .max
        recoverBy = .max
        connection.remove(self)
        standStill()
    }

    /// Returns all segments and forgets what waits.
    private func discard() {
        filler.returnAll()
        held.discard()
        isWaiting.store(false, ordering: .relaxed)
        hasCaptured = false
    }

    func setDeadline(_ hostTime: UInt64) {
        deadline = hostTime
        connection.loop.wakeUp(at: min(deadline, recoverBy))
    }
}
