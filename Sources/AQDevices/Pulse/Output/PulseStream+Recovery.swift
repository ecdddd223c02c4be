// SPDX-License-Identifier: MIT

import CAQRealTime
import Synchronization

/// Events of the connection and the server's stream: ready, failed, moved, suspended.
extension PulseStream {
    func serverIsLost() {
        carryOut(
            lifecycle.serverIsLost(
                isMakingStream: stream != nil || target.isAsking, waitingUntil: recoveryLimit))
    }

    func serverIsBack() {
        if lifecycle.isInterrupted, stream == nil { connectStream() }
    }

    func streamIsReady() {
        isSettled = true
        // Requests wait a little, because the server would answer before it plays the written data. They do not wait
        // with short buffers, because a later answer could make these underrun.
        if !buffer.returnsWhenUsedUp {
            polling.streamIsNew(at: loopTime)
            connection.loop.wakeUp(at: polling.deadline)
        }
        readGranted()
        carryOut(lifecycle.streamIsReady())
        if !polling.isWaitingForNewStream { askForSinkFacts() }
        if isSuspended { connection.reportDefaultSink() }
        drainServerIfWritten()
    }

    func streamFailed() {
        guard let error = refusal(to: "play on", sink) else { return }
        carryOut(
            lifecycle.streamFailed(
                wasReady: server.isReady, hasPlayed: writer.hasPlayed, error, waitingUntil: recoveryLimit))
    }

    /// Does the work that is due: the end of a fade, a drain's limit, a stall check, another attempt, the end of
    /// the wait for a server.
    func checkDeadline(_ now: UInt64) {
        if now >= lifecycle.recoverBy { return fail(lossError) }
        if now >= deadline {
            deadline = .max
            passDeadline(now)
        }
        checkSlices(now)
        renderUnheardSlices(now)
        checkPolling(now)
        if isStarved.load(ordering: .relaxed) { writeRequested() }
        drainServerIfWritten()
        connection.loop.wakeUp(at: min(deadline, lifecycle.recoverBy, polling.deadline))
    }

    private func passDeadline(_ now: UInt64) {
        switch lifecycle.phase {
        case .fadingToPause, .fadingToStop: checkFade(now)
        case .running:
            if timedStart.isWaiting {
                checkLeadIn(now)
            } else if lifecycle.drain.ticket != nil, !lifecycle.drain.isWaitingForFeed {
                // The written audio is played after the hold.
                if !server.isHeld { finishDrain() }
            } else {
                checkForStall()
            }
        case .interrupted: if connection.isReady, stream == nil { connectStream() }
        case .idle, .connecting, .paused, .closed: break
        }
    }

    /// Ends the stream: returns all segments and reports the error.
    func fail(_ error: DeviceError) { carryOut(lifecycle.fail(error)) }

    func moved() {
        clockFit.reset()
        time.device.interrupt()
        timedStart.forgetFrame()
        // Another sink has another latency.
        if lifecycle.isRunning, timedStart.hostTime > loopTime { waitForStartAgain() }
        time.discontinuities += 1
        publishTime()
        attributesChanged()
        pollClosely()
        feed.post(.moved)
        suspensionChanged()
    }

    func suspensionChanged() {
        guard stream != nil else { return }
        if isSuspended {
            timedStart.forgetFrame()
            stopClock(at: time.frame(at: loopTime))
            connection.reportDefaultSink()
        } else {
            pollClosely()
        }
    }

    /// Stops the clock while the server holds the stream. The stream then resumes with the next frame.
    func holdChanged() {
        let now = loopTime
        guard server.isHeld else {
            pollClosely()
            return resumeDrain()
        }
        timedStart.forgetFrame()
        if lifecycle.isRunning, timedStart.hostTime > now { waitForStartAgain() }
        stopClock(at: time.frame(at: now))
        timing.stop(at: now, sampleRate: sampleRate, limit: writer.end)
        server.ask(.timing) {}
    }

    var awaitsDefaultSink: Bool { isSuspended }

    var runningSink: String? { lifecycle.isRunning ? grant.deviceName : nil }

    /// Moves the stream to the default sink, if its own sink is another one and suspended.
    func defaultSinkIs(_ defaultSink: String) {
        guard isSuspended, lifecycle.isRunning, let context = connection.context, let stream else { return }
        if stream.deviceName == defaultSink { return }
        context.move(streamAt: stream.index, toSink: defaultSink)
    }
}
