import CRealTime
import Synchronization

/// What happens when the server dies, the source vanishes or sleeps, or somebody moves the stream.
extension PulseInputStream {
    private static let rebuildNanoseconds: UInt64 = 100_000_000

    /// The connection is gone. What was capturing waits for its return.
    func serverIsLost() {
        switch phase {
        case .running: interrupt()
        case .connecting:
            // The connection's answer ends the attempt; one that had begun to make its stream goes on waiting.
            if stream != nil || channels.isAsking { interrupt() }
        case .ending: finishEnding()
        case .idle, .paused, .interrupted, .closed: break
        }
        dropStream()
        if case .interrupted = phase { connection.retry() }
    }

    /// The server answers again.
    func serverIsBack() {
        if case .interrupted = phase, stream == nil { connectStream() }
    }

    var runningSource: String? {
        guard case .running = phase else { return nil }
        return grant.deviceName
    }

    /// Stops the clock, and waits for the server or the source.
    func interrupt() {
        let now = loopTime
        // A resumption that could not be begun, or a start without a frame yet: the timeline runs on from here.
        if case .connecting = phase, hasCaptured || !isStartUnanswered { capturedTime = now }
        phase = .interrupted
        gap = .certain
        deadline = .max
        recoverBy = now + UInt64(max(0, min(configuration.recoverySeconds, 1e6)) * 1e9)
        connection.loop.wakeUp(at: recoverBy)
        countInterruption()
    }

    private func countInterruption() {
        time.interruptions += 1
        time.discontinuities += 1
        standStill()
        feed.post(.interrupted)
    }

    /// Stops the clock for readers.
    func standStill() {
        let now = loopTime
        let frame = time.frame(at: now)
        time.setAnchor(frame: frame, at: now)
        time.limitFrame = frame
        time.frameRate = 0
        time.isRunning = false
        clock.publish(time)
    }

    /// The server closed the stream, or would not make it.
    func streamFailed() {
        guard let context = connection.context else { return }
        let errorNumber = context.errorNumber
        // The context has failed too: it tells on its own.
        guard case .ready = context.state else { return }
        switch phase {
        case .connecting where !server.isReady && !hasCaptured:
            let name = source.map { "'\($0)'" } ?? "the default device"
            let code: DeviceError.Code =
                errorNumber == PulseError.noEntity ? .noSuchDevice : .refused
            fail(.pulse(code, "cannot record from \(name)", errorNumber: errorNumber))
            return
        case .connecting, .running: interrupt()
        // Which drops the stream, and may make the next one.
        case .ending: return finishEnding()
        case .idle, .paused, .interrupted, .closed: break
        }
        dropStream()
        guard case .interrupted = phase else { return }
        // The source is gone, or not back yet.
        setDeadline(loopTime + PulseInputStream.rebuildNanoseconds)
    }

    /// What is due: another attempt, the end of waiting, a second look at frames that came late.
    func checkDeadline(_ now: UInt64) {
        if now >= recoverBy {
            recoverBy = .max
            if case .interrupted = phase {
                let seconds = configuration.recoverySeconds
                let message =
                    "the sound server or its device went away and did not come back within \(seconds) s"
                return fail(DeviceError(.connectionLost, message))
            }
        }
        if now >= deadline {
            deadline = .max
            switch phase {
            case .ending: finishEnding()
            case .interrupted: if connection.isReady, stream == nil { connectStream() }
            case .idle, .connecting, .running, .paused, .closed: break
            }
        }
        if now >= secondLook { readWhatCame() }
        handOverIfWaiting()
        checkEnding()
        connection.loop.wakeUp(at: min(deadline, recoverBy, secondLook))
    }

    func moved() {
        time.discontinuities += 1
        clock.publish(time)
        if gap == .none, hasCaptured { gap = .possible }
        times.restart(at: receivedFrames)
        clockFit.reset()
        time.device.interrupt()
        times.latencyNanoseconds = 0
        timingAt = 0
        attributesChanged()
        feed.post(.moved)
        suspensionChanged()
    }

    /// Nothing is captured of a source that sleeps, a monitor's as a microphone's: that time is silence once
    /// it wakes, so that the timeline keeps step with the host's clock. It is waited for without a limit,
    /// since users put sources to sleep, and servers do with a whole session.
    func suspensionChanged() {
        if isSuspended == wasSuspended { return }
        wasSuspended = isSuspended
        times.restart(at: receivedFrames)
        clockFit.restart()
        time.device.interrupt()
        guard isSuspended else { return }
        switch phase {
        case .running:
            gap = .certain
            countInterruption()
        case .connecting where !isStartUnanswered:
            capturedTime = loopTime
            gap = .certain
            countInterruption()
        case .ending: finishEnding()
        case .idle, .connecting, .paused, .interrupted, .closed: break
        }
    }

    // MARK: Latency

    /// How long a source that is no monitor is trusted to hold frames back, in seconds.
    private static let longestSourceSeconds = 0.5
    private static let timingNanoseconds: UInt64 = 10_000_000_000

    /// Asks what a real source's latency is, which arrivals cannot tell: seldom, since it costs wake-ups. REAL-TIME.
    @_noLocks func requestTiming(_ now: UInt64) {
        guard isRealSource, now >= timingAt, case .running = phase, let stream else { return }
        timingAt = now + PulseInputStream.timingNanoseconds
        stream.askForTiming()
    }

    /// A timing answer came. REAL-TIME.
    @_noLocks func readTiming() {
        guard let info = stream?.timing, info.isWriteOffsetKnown, times.hasArrivals, !isSuspended
        else { return }
        // When the server answered, the source had all frames written and as many more as its latency says.
        let written = info.writeOffset / Int64(bytesPerFrame)
        let answered = loopTime &- info.transportTime &* 1000
        let captured = answered &- info.sourceTime &* 1000
        // PipeWire's server tells what was so when its last period began, which is when its frames arrived.
        let seconds =
            isPipeWire
            ? Double(info.sourceTime) / 1e6
            : Double(Int64(bitPattern: times.arrival(of: written) &- captured)) / 1e9
        guard seconds >= 0, seconds <= PulseInputStream.longestSourceSeconds else { return }
        times.latencyNanoseconds = seconds * 1e9
    }
}
