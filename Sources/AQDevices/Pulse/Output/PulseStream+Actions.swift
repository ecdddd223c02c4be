// SPDX-License-Identifier: MIT

import CAQRealTime
import Synchronization

/// The execution of ``PlaybackLifecycle`` actions.
extension PulseStream {
    func carryOut(_ actions: [PlaybackLifecycle.Action]) {
        for action in actions { carryOut(action) }
        connection.loop.wakeUp(at: lifecycle.recoverBy)
        if configuration.slices != nil { deviceMayHaveGone() }
        ownConnection?.setSinkInUse(runningSink)
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
        case .callOffDrain: server.callOffDrain()
        case .drainIfWritten: drainServerIfWritten()
        case .endSilence:
            time.isRunning = false
            time.endSilence(at: loopTime, nominalRate: clock.nominalRate)
            publishTime()
        case .haltClock: haltClock()
        case .stopClock:
            time.isRunning = false
            stopClock(at: Double(renderer.cursor))
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
            // The next sink has its own channels.
            target.forgetChannels()
        case .tryAgainSoon: setDeadline(loopTime + PulseStream.rebuildNanoseconds)
        case .reconnect: connection.retry()
        case .leaveServer:
            dropStream()
            timedStart.hostTime = 0
            deadline = .max
            connection.remove(self)
            haltClock()
            if case .closed = lifecycle.phase { leaveOwnConnection() }
        }
    }

    /// The interval between attempts to make a stream on a server without a sink for it.
    private static let rebuildNanoseconds: UInt64 = 100_000_000

    /// Starts or resumes at the renderer's cursor, after connecting if necessary.
    private func connect() {
        if server.isReady {
            // If the stream is not settled, the answer to `settle()` starts it, with the server's position.
            renewTarget()
            if isSettled { beginRunning() }
            return
        }
        connection.add(self)
        connection.whenConnected { [self] error in
            carryOut(lifecycle.connected(error, hasPlayed: writer.hasPlayed, waitingUntil: recoveryLimit))
        }
    }

    /// Writes the waiting audio to the server's stream, and uncorks it. The stream must be ready, and either corked or
    /// new.
    func beginRunning() {
        lifecycle.began()
        isFeeding = true
        isSettled = false
        stall.begins()
        deadline = .max
        timedStart.beginAtOnce(at: writer.end)
        writer.align(renderer.cursor, to: writer.end)
        renderer.fade.set(
            from: writer.hasPlayed ? 0 : 1, at: renderer.cursor, frames: writer.hasPlayed ? fadeFrames : 0)
        time.isRunning = true
        stopClock(at: Double(renderer.cursor))
        if timedStart.hostTime > loopTime { beginLeadIn() }
        writeRequested()
        // The server does not report silence before the first frame.
        if !timedStart.isWaiting, time.starvedSince == 0, writer.end == timedStart.contentFrame,
            !renderer.hasData
        {
            beginSilence()
        }
        server.setCorked(false)
        // A new stream gets its first request a little later.
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

    /// Returns all segments and clears the history.
    private func discard() {
        renderer.discardAll()
        writer.resetAudio(hasPlayed: false)
        let now = loopTime
        time.endSilence(at: now, nominalRate: clock.nominalRate)
        time.jump(to: Double(renderer.cursor), at: now)
        time.limitFrame = time.anchorFrame
        time.playedZero = time.anchorFrame
    }

    /// Stops playback and the clock. If `rewinds`, playback resumes at the frame that is audible now, or at the first
    /// frame of a start whose time has not come; otherwise at the next frame of the renderer.
    private func interrupt(rewinds: Bool) {
        let now = loopTime
        let playedFrame = time.frame(at: now)
        isFeeding = false
        deadline = .max
        time.isRunning = false
        time.endSilence(at: now, nominalRate: clock.nominalRate)
        if rewinds {
            // A start whose time has not come begins again.
            if timedStart.hostTime > now { rewindToStart() } else { renderer.rewind(to: Int64(playedFrame)) }
        }
        timedStart.end()
        stopClock(at: Double(renderer.cursor))
    }

    /// Returns the used buffers after playback has stopped, including the reserve, so that the next start refills them.
    func returnReserve() {
        guard buffer.returnsWhenUsedUp else { return }
        buffer.giveReserve()
        renderer.returnSegments(usedUpTo: renderer.cursor)
    }

    private func leaveOwnConnection() {
        guard let ownConnection else { return }
        // A service takes the `.closed` event first, and then returns the connection.
        if !connection.loop.hasService { ownConnection.giveBack() }
        connection.disconnect()
    }

    private func haltClock() {
        time.isRunning = false
        time.frameRate = 0
        publishTime()
    }
}
