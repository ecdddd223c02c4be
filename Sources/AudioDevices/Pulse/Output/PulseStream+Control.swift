import CRealTime
import Synchronization

/// What the control calls do, on the loop's thread.
extension PulseStream {
    /// Makes the server's stream, corked, so that a start has only to let it run.
    ///
    /// A failure is nobody's yet: a start tries again, and tells.
    func preparePlaying() {
        guard case .idle = phase, stream == nil else { return }
        connection.add(self)
        connection.whenConnected { [self] error in
            guard error == nil, case .idle = phase, stream == nil else { return }
            connectStream()
        }
    }

    /// - Parameter hostTime: When the next frame is to be heard; 0 for as soon as possible.
    func startPlaying(at hostTime: UInt64 = 0) {
        // Far from where sums of times overflow.
        let hostTime = min(hostTime, .max / 2)
        switch phase {
        case .idle:
            startHostTime = hostTime
            beginTimeline()
            play()
        case .paused:
            startHostTime = hostTime
            play()
        case .fadingToPause, .fadingToStop:
            guard afterFade != .close else { return }
            afterFade = .start
            startHostTime = hostTime
        case .connecting, .running, .interrupted, .closed:
            break
        }
    }

    /// Starts or resumes at the renderer's cursor, connecting first if need be.
    ///
    /// What was playing before has a place to keep: it waits for a server that is gone. A first start fails.
    private func play() {
        recoverBy = .max
        phase = .connecting
        if server.isReady {
            // Otherwise the answer of `settle()` starts it, once it says where the server stands.
            renewTarget()
            if isSettled { beginRunning() }
            return
        }
        connection.add(self)
        connection.whenConnected { [self] error in
            guard case .connecting = phase else { return }
            if let error {
                guard hasPlayed else { return fail(error) }
                interrupt()
                connection.retry()
            } else if stream == nil {
                connectStream()
            }
        }
    }

    /// The server stream is ready and corked, or new: writes what there is, and lets it run.
    func beginRunning() {
        phase = .running
        isFeeding = true
        isSettled = false
        isSounding = false
        deadline = .max
        leadIn = .none
        contentFrame = deviceFrames
        sourceOffset = renderer.cursor - deviceFrames
        renderer.fade.set(from: hasPlayed ? 0 : 1, at: renderer.cursor, frames: hasPlayed ? fadeFrames : 0)
        time.isRunning = true
        standStill(at: Double(renderer.cursor))
        if startHostTime > loopTime { beginLeadIn() }
        writeWhatIsAsked()
        // The server tells of no silence before the first frame.
        if !isLeadingIn, time.starvedSince == 0, deviceFrames == contentFrame, !renderer.hasData {
            beginSilence()
        }
        server.setCorked(false)
        // A new stream is asked a little later.
        if questionsAt == .max { requestTiming() }
        feed.post(.started)
    }

    func pausePlaying(_ ticket: UInt64) {
        switch phase {
        case .running:
            if !drain.isWaitingForFeed {
                // What the pause keeps is played later, and the server asked anew then.
                server.callOffAnswers()
                drain.waitForFeedAgain()
            }
            if isBeforeStart {
                takeStartBack()
                phase = .paused
                feed.post(.paused, token: ticket)
                return
            }
            fadeOut()
            phase = .fadingToPause(ticket: ticket)
        case .fadingToPause(let earlier):
            feed.post(.paused, token: earlier)
            phase = .fadingToPause(ticket: ticket)
            afterFade = .nothing
        case .fadingToStop:
            if afterFade != .close { afterFade = .nothing }
            feed.post(.paused, token: ticket)
        case .connecting, .interrupted:
            phase = .paused
            recoverBy = .max
            time.isRunning = false
            time.endSilence(at: loopTime, nominalRate: clock.nominalRate)
            publishTime()
            feed.post(.paused, token: ticket)
        case .idle, .paused, .closed:
            feed.post(.paused, token: ticket)
        }
    }

    /// Returns all segments and answers at once: nothing more is taken, and nobody has to wait for the fade-out.
    func stopPlaying(_ ticket: UInt64) {
        if afterFade != .close { afterFade = .nothing }
        fallSilent()
        time.isRunning = false
        time.frameRate = 0
        publishTime()
        feed.post(.stopped, token: ticket)
    }

    /// Returns all segments. What plays is faded out, by a fade that ends later.
    private func fallSilent() {
        switch phase {
        case .running where isBeforeStart:
            takeStartBack()
            discard()
            phase = .idle
        case .running:
            fadeOut()
            discard()
            phase = .fadingToStop
        case .fadingToPause:
            answerPause()
            discard()
            phase = .fadingToStop
        case .fadingToStop:
            discard()
        case .idle, .connecting, .paused, .interrupted:
            discard()
            phase = .idle
            recoverBy = .max
        case .closed: break
        }
    }

    func flushPlaying(_ ticket: UInt64) {
        let now = loopTime
        let before = time.frame(at: now)
        if case .running = phase, isBeforeStart {
            waitForStartAgain()
            discard()
            time.timelineZero += time.anchorFrame - before
            publishTime()
        } else if case .running = phase {
            let isSilent = time.starvedSince != 0
            fadeOut(isPadded: false)
            discard()
            if endsDry, timing.heardFrames(at: now, sampleRate: sampleRate) >= Double(deviceFrames) {
                time.timelineZero += time.anchorFrame - before
                renewStream()
                feed.post(.flushed, token: ticket)
                return
            }
            // What comes next follows the fade-out directly.
            isFeeding = true
            deadline = .max
            renderer.fade.set(from: 1, at: renderer.cursor, frames: 0)
            sourceOffset = renderer.cursor - deviceFrames
            let heard = timing.heardFrames(at: now, sampleRate: sampleRate) + Double(sourceOffset)
            time.jump(to: min(heard, time.limitFrame), at: now)
            time.timelineZero += time.anchorFrame - before
            if isSilent { beginSilence() } else { publishTime() }
            isStarved.store(true, ordering: .sequentiallyConsistent)
            dataAvailable()
        } else {
            discard()
            time.timelineZero += time.anchorFrame - before
            publishTime()
        }
        feed.post(.flushed, token: ticket)
    }

    /// Plays on by another stream, and is silent meanwhile: what the server holds back of this one is not to be heard
    /// before what comes next.
    private func renewStream() {
        dropStream()
        deadline = .max
        phase = .connecting
        beginSilence()
        connectStream()
    }

    func drainPlaying(_ ticket: UInt64) {
        switch phase {
        case .fadingToStop where afterFade != .start, .idle, .closed:
            feed.post(.drained, token: ticket)
        case .fadingToStop, .connecting, .running, .fadingToPause, .paused, .interrupted:
            if let earlier = drain.ticket { feed.post(.drained, token: earlier) }
            drain = .waitingForFeed(ticket: ticket)
            drainServerIfWritten()
        }
    }

    /// Returns all segments and answers at once. The server's stream ends with its fade-out, if it plays.
    func closePlaying(_ ticket: UInt64) {
        fallSilent()
        if case .fadingToStop = phase {
            afterFade = .close
            time.isRunning = false
            time.frameRate = 0
            publishTime()
        } else {
            end(in: .closed)
        }
        feed.post(.closed, token: ticket)
    }

    // MARK: Pieces

    func beginTimeline() {
        feed.clearFailure()
        hasPlayed = false
        time.silentFrames = 0
        time.starvedSince = 0
        time.jump(to: Double(renderer.cursor), at: loopTime)
        time.limitFrame = time.anchorFrame
        time.timelineZero = time.anchorFrame
        time.playedZero = time.anchorFrame
    }

    /// Returns all segments and forgets what could be replayed; ends a drain that was asked for.
    func discard() {
        renderer.discardAll()
        hasPlayed = false
        let now = loopTime
        time.endSilence(at: now, nominalRate: clock.nominalRate)
        time.jump(to: Double(renderer.cursor), at: now)
        time.limitFrame = time.anchorFrame
        time.playedZero = time.anchorFrame
        if let ticket = drain.ticket {
            drain = .none
            feed.post(.drained, token: ticket)
        }
    }

    /// Gives the stream up: returns all segments and says why.
    func fail(_ error: DeviceError) {
        // The failure is told first: a client that waits for the drain would take its answer for the end.
        let unanswered = drain.ticket
        drain = .none
        end(in: .idle)
        feed.fail(error)
        if let unanswered { feed.post(.drained, token: unanswered) }
    }

    /// Answers what is pending, returns all segments, and lets go of the server.
    func end(in finalPhase: Phase) {
        answerPause()
        discard()
        dropStream()
        startHostTime = 0
        phase = finalPhase
        afterFade = .nothing
        deadline = .max
        recoverBy = .max
        connection.remove(self)
        time.isRunning = false
        time.frameRate = 0
        publishTime()
    }

    func setDeadline(_ hostTime: UInt64) {
        deadline = hostTime
        connection.loop.wakeUp(at: min(deadline, recoverBy))
    }
}
