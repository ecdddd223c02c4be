import CRealTime
import Synchronization

/// What a ``PlaybackLifecycle`` returns, carried out.
extension PulseStream {
    func carryOut(_ actions: [PlaybackLifecycle.Action]) {
        for action in actions { carryOut(action) }
        connection.loop.wakeUp(at: lifecycle.recoverBy)
    }

    private func carryOut(_ action: PlaybackLifecycle.Action) {
        switch action {
        case .post(let kind, let token): feed.post(kind, token: token)
        case .fail(let error): feed.fail(error)
        case .beginTimeline: beginTimeline()
        case .connect: connect()
        case .makeStream: if stream == nil { connectStream() }
        case .play: beginRunning()
        case .cork: server.setCorked(true)
        case .fadeOut: fadeOut()
        case .takeStartBack: takeStartBack()
        case .discard: discard()
        case .callOffAnswers: server.callOffAnswers()
        case .drainIfWritten: drainServerIfWritten()
        case .endSilence:
            time.isRunning = false
            time.endSilence(at: loopTime, nominalRate: clock.nominalRate)
            publishTime()
        case .haltClock: haltClock()
        case .stopClock:
            time.isRunning = false
            standStill(at: Double(renderer.cursor))
        case .interrupt(let rewinds): interrupt(rewinds: rewinds)
        case .countDiscontinuity:
            time.discontinuities += 1
            publishTime()
        case .returnReserve: returnReserve()
        case .returnPlayed: renderer.returnSegments(usedUpTo: .max)
        case .leaveStream: leaveStream()
        case .dropStream: dropStream()
        case .forgetSink:
            sink = nil
            // The next one has channels of its own.
            channels.forget()
        case .tryAgainSoon: setDeadline(loopTime + PulseStream.rebuildNanoseconds)
        case .reconnect: connection.retry()
        case .leaveServer:
            dropStream()
            timedStart.hostTime = 0
            deadline = .max
            connection.remove(self)
            haltClock()
        }
    }

    /// Between two attempts to make a stream at a server that has no sink for it.
    private static let rebuildNanoseconds: UInt64 = 100_000_000

    /// Starts or resumes at the renderer's cursor, connecting first if need be.
    private func connect() {
        if server.isReady {
            // Otherwise the answer of `settle()` starts it, once it says where the server stands.
            renewTarget()
            if isSettled { beginRunning() }
            return
        }
        connection.add(self)
        connection.whenConnected { [self] error in
            carryOut(lifecycle.connected(error, hasPlayed: writer.hasPlayed, waitingUntil: recoveryLimit))
        }
    }

    /// Until when a server that is lost now is waited for.
    var recoveryLimit: UInt64 {
        loopTime + UInt64(max(0, min(configuration.recoverySeconds, 1e6)) * 1e9)
    }

    /// The server stream is ready and corked, or new: writes what there is, and lets it run.
    func beginRunning() {
        lifecycle.began()
        isFeeding = true
        isSettled = false
        standstill.begins()
        deadline = .max
        timedStart.beginAtOnce(at: writer.end)
        writer.align(renderer.cursor, to: writer.end)
        renderer.fade.set(
            from: writer.hasPlayed ? 0 : 1, at: renderer.cursor, frames: writer.hasPlayed ? fadeFrames : 0)
        time.isRunning = true
        standStill(at: Double(renderer.cursor))
        if timedStart.hostTime > loopTime { beginLeadIn() }
        writeWhatIsAsked()
        // The server tells of no silence before the first frame.
        if !timedStart.isWaiting, time.starvedSince == 0, writer.end == timedStart.contentFrame,
            !renderer.hasData
        {
            beginSilence()
        }
        server.setCorked(false)
        // A new stream is asked a little later.
        if !polling.isWaitingForNewStream { requestTiming() }
        feed.post(.started)
    }

    private func beginTimeline() {
        feed.clearFailure()
        writer.resetAudio(hasPlayed: false)
        time.silentFrames = 0
        time.starvedSince = 0
        time.jump(to: Double(renderer.cursor), at: loopTime)
        time.limitFrame = time.anchorFrame
        time.timelineZero = time.anchorFrame
        time.playedZero = time.anchorFrame
    }

    /// Returns all segments and forgets what could be replayed.
    private func discard() {
        renderer.discardAll()
        writer.resetAudio(hasPlayed: false)
        let now = loopTime
        time.endSilence(at: now, nominalRate: clock.nominalRate)
        time.jump(to: Double(renderer.cursor), at: now)
        time.limitFrame = time.anchorFrame
        time.playedZero = time.anchorFrame
    }

    /// Stops all at the frame heard now, and goes back to it if `rewinds`.
    private func interrupt(rewinds: Bool) {
        let now = loopTime
        let heard = time.frame(at: now)
        isFeeding = false
        deadline = .max
        time.isRunning = false
        time.endSilence(at: now, nominalRate: clock.nominalRate)
        if rewinds {
            // A start whose time is to come is begun anew.
            if timedStart.hostTime > now { rewindToStart() } else { renderer.rewind(to: Int64(heard)) }
        }
        timedStart.end()
        standStill(at: Double(renderer.cursor))
    }

    /// Returns what is used up where playing stopped, the reserve too: to be filled again by the next start.
    func returnReserve() {
        guard buffer.returnsWhenUsedUp else { return }
        buffer.giveReserve()
        renderer.returnSegments(usedUpTo: renderer.cursor)
    }

    private func haltClock() {
        time.isRunning = false
        time.frameRate = 0
        publishTime()
    }

    func setDeadline(_ hostTime: UInt64) {
        deadline = hostTime
        connection.loop.wakeUp(at: hostTime)
    }
}
