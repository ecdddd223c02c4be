import CRealTime
import Synchronization

/// What happens when the server dies, the sink vanishes, or somebody moves the stream.
extension PulseStream {
    private static let rebuildNanoseconds: UInt64 = 100_000_000

    /// The connection is gone. What was playing waits for its return, at the frame that was being heard.
    func serverIsLost() {
        switch phase {
        case .running, .fadingToPause, .fadingToStop: interrupt()
        case .interrupted: break
        case .connecting:
            // The connection's answer ends the attempt; one that had begun to make its stream goes on waiting.
            if stream != nil || channels.isAsking { interrupt() }
        case .idle, .paused, .closed: break
        }
        dropStream()
        if case .interrupted = phase { connection.retry() }
        goOnAfterFade()
    }

    /// The server answers again.
    func serverIsBack() {
        if case .interrupted = phase, stream == nil { connectStream() }
    }

    /// Stops the clock at the frame heard now, and rewinds to it.
    func interrupt() {
        let now = loopTime
        let heard = time.frame(at: now)
        isFeeding = false
        deadline = .max
        drain.waitForFeedAgain()
        time.isRunning = false
        time.endSilence(at: now, nominalRate: clock.nominalRate)
        switch phase {
        case .fadingToStop:
            phase = .idle
        case .fadingToPause:
            answerPause()
            phase = .paused
        case .connecting, .running:
            if case .running = phase {
                // A start whose time is to come is begun anew.
                if startHostTime > now { rewindToStart() } else { renderer.rewind(to: Int64(heard)) }
            }
            leadIn = .none
            phase = .interrupted
            returnReserve()
            recoverBy = now + UInt64(max(0, min(configuration.recoverySeconds, 1e6)) * 1e9)
            connection.loop.wakeUp(at: recoverBy)
            time.discontinuities += 1
            feed.post(.interrupted)
        case .idle, .paused, .interrupted, .closed: break
        }
        standStill(at: Double(renderer.cursor))
    }

    /// The server closed the stream, or would not make it.
    func streamFailed() {
        guard let context = connection.context else { return }
        let errorNumber = context.errorNumber
        // The context has failed too: it tells on its own.
        guard case .ready = context.state else { return }
        let wasPlaying = server.isReady
        switch phase {
        case .connecting where !wasPlaying && !hasPlayed:
            let name = sink.map { "'\($0)'" } ?? "the default device"
            let code: DeviceError.Code =
                errorNumber == PulseError.noEntity ? .noSuchDevice : .refused
            fail(.pulse(code, "cannot play on \(name)", errorNumber: errorNumber))
            return
        case .running, .connecting, .fadingToPause, .fadingToStop: interrupt()
        case .idle, .paused, .interrupted, .closed: break
        }
        dropStream()
        guard case .interrupted = phase else { return goOnAfterFade() }
        // The sink is gone: what comes next is the server's default, at once; if there is none, later. It has channels
        // of its own.
        sink = nil
        channels.forget()
        if wasPlaying {
            time.discontinuities += 1
            feed.post(.moved)
            connectStream()
        } else {
            setDeadline(loopTime + PulseStream.rebuildNanoseconds)
        }
    }

    /// What is due: the end of a fade, a drain's time limit, a look at what stands, another attempt, the end of waiting.
    func checkDeadline(_ now: UInt64) {
        if now >= recoverBy {
            recoverBy = .max
            if case .interrupted = phase {
                let seconds = configuration.recoverySeconds
                fail(
                    DeviceError(
                        .connectionLost,
                        "the sound server or its device went away and did not come back within \(seconds) s"))
                return
            }
        }
        if now >= deadline {
            deadline = .max
            switch phase {
            case .fadingToPause, .fadingToStop: checkFade(now)
            case .running:
                if isLeadingIn {
                    checkLeadIn(now)
                } else if drain.ticket != nil, !drain.isWaitingForFeed {
                    finishDrain()
                } else {
                    checkStandstill()
                }
            case .interrupted: if connection.isReady, stream == nil { connectStream() }
            case .idle, .connecting, .paused, .closed: break
            }
        }
        if now >= lookAt { lookAgain(now) }
        if now >= questionsAt {
            questionsAt = .max
            askForSinkFacts()
            if case .running = phase { requestTiming() }
        }
        if isStarved.load(ordering: .relaxed) { writeWhatIsAsked() }
        drainServerIfWritten()
        connection.loop.wakeUp(at: min(deadline, recoverBy, lookAt, questionsAt))
    }

    func moved() {
        clockFit.reset()
        time.device.interrupt()
        startFrame = .max
        // Another sink is heard another time after it is written to.
        if case .running = phase, startHostTime > loopTime { waitForStartAgain() }
        time.discontinuities += 1
        publishTime()
        attributesChanged()
        lookClosely()
        feed.post(.moved)
        suspensionChanged()
    }

    func suspensionChanged() {
        guard stream != nil else { return }
        if isSuspended {
            startFrame = .max
            standStill(at: time.frame(at: loopTime))
            connection.tellDefaultSink()
        } else {
            lookClosely()
        }
    }

    var awaitsDefaultSink: Bool { isSuspended }

    var runningSink: String? {
        guard case .running = phase else { return nil }
        return grant.deviceName
    }

    /// Moves the stream to the default sink, when it sits on another that sleeps.
    func defaultSinkIs(_ defaultSink: String) {
        guard isSuspended, case .running = phase, let context = connection.context,
            let stream
        else { return }
        if stream.deviceName == defaultSink { return }
        context.move(streamAt: stream.index, toSink: defaultSink)
    }
}
