// SPDX-License-Identifier: MIT

import CAQRealTime
import Synchronization

/// The client's calls on the loop's thread, and the execution of ``CaptureLifecycle`` actions.
extension PulseInputStream {
    /// The longest wait of a pause or stop, beyond the source's period, for frames captured before the call. On a busy
    /// machine they arrive late.
    private static let graceNanoseconds: UInt64 = 400_000_000
    /// The fragment requested by a pause or stop, so that the source delivers its data.
    private static let endingFragmentSeconds = 0.02
    /// The interval between attempts to make a stream on a server without a source for it.
    private static let rebuildNanoseconds: UInt64 = 100_000_000

    /// - Parameter hostTime: The capture time of the first frame; 0 for as soon as possible.
    func startCapturing(fragmentFrames: Int, at hostTime: UInt64 = 0) {
        if lifecycle.phase != .closed { self.fragmentFrames = fragmentFrames }
        guard let actions = lifecycle.start() else { return }
        // Limited, so that sums of times cannot overflow.
        let hostTime = min(hostTime, .max / 2)
        if lifecycle.startsAgain { nextStartHostTime = hostTime } else { startHostTime = hostTime }
        carryOut(actions)
    }

    func endCapturing(_ ending: CaptureLifecycle.Ending) {
        carryOut(lifecycle.end(ending, startHostTime: startHostTime))
    }

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

    func closeCapture(_ ticket: UInt64) { carryOut(lifecycle.close(ticket: ticket)) }

    /// Ends the stream: delivers the captured frames, returns all segments, and reports the error.
    func fail(_ error: DeviceError) { carryOut(lifecycle.fail(error)) }

    // MARK: Actions

    func carryOut(_ actions: [CaptureLifecycle.Action]) {
        for action in actions { carryOut(action) }
        connection.loop.wakeUp(at: lifecycle.recoverBy)
    }

    private func carryOut(_ action: CaptureLifecycle.Action) {
        switch action {
        case .post(let kind, let token): feed.post(kind, token: token)
        case .fail(let error): feed.fail(error)
        case .beginTimeline: beginTimeline()
        case .takeNextStartTime: startHostTime = nextStartHostTime
        case .connect: connect()
        case .makeStream: if stream == nil { connectStream() }
        case .beginEnding: beginEnding()
        case .makeUp(let hostTime): makeUp(until: hostTime)
        case .leaveSource:
            startHostTime = 0
            deadline = .max
            dropStream()
            handOverHeld()
        case .discard:
            filler.returnAll()
            held.discard()
            isWaiting.store(false, ordering: .relaxed)
            hasCaptured = false
        case .leaveConnection: connection.remove(self)
        case .stopClock:
            watch.gap = .none
            stopClock()
        case .interrupt(let fromNow): interrupt(fromNow: fromNow)
        case .dropStream: dropStream()
        case .tryAgainSoon: setDeadline(loopTime + PulseInputStream.rebuildNanoseconds)
        case .reconnect: connection.retry()
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
        watch.gap = .none
        time.restart(at: loopTime)
        clock.publish(time)
    }

    private func connect() {
        connection.add(self)
        connection.whenConnected { [self] error in
            guard stream == nil else { return }
            carryOut(lifecycle.connected(error, hasCaptured: hasCaptured, waitingUntil: recoveryLimit))
        }
    }

    /// Requests the frames captured before the call. If fragments are long, requests a shorter one, so that the source
    /// delivers them soon.
    private func beginEnding() {
        guard let stream, server.isReady, !isSuspended else { return carryOut(lifecycle.finishEnding()) }
        let endingFragment = Int(PulseInputStream.endingFragmentSeconds * sampleRate)
        if grantedFragmentSeconds > 2 * PulseInputStream.endingFragmentSeconds {
            stream.setAttributes(bufferAttributes(fragmentFrames: endingFragment))
        }
        setDeadline(
            loopTime + UInt64(min(grantedFragmentSeconds, 2) * 1e9) + PulseInputStream.graceNanoseconds)
        readFragments()
        checkEnding()
    }

    /// Ends the current pause or stop if all frames captured before it have arrived.
    func checkEnding() {
        guard lifecycle.phase == .ending, let ending = lifecycle.ending else { return }
        // Without room there is nothing to wait for, because a stop drops frames without a segment.
        let hasRoom = held.isEmpty && filler.hasRoom
        if receivedFrames >= cutFrame || (ending.isStop && !hasRoom) { carryOut(lifecycle.finishEnding()) }
    }

    /// Stops the clock, and marks the time until the next frame as a gap to be filled with silence. The gap begins at
    /// the newest frame, or now.
    private func interrupt(fromNow: Bool) {
        if fromNow { capturedTime = loopTime }
        watch.gap = .certain
        deadline = .max
        time.interruptions += 1
        time.discontinuities += 1
        stopClock()
        feed.post(.interrupted)
    }

    /// Stops the clock for readers.
    private func stopClock() {
        let now = loopTime
        let frame = time.frame(at: now)
        time.setAnchor(frame: frame, at: now)
        time.limitFrame = frame
        time.frameRate = 0
        time.isRunning = false
        clock.publish(time)
    }
}
