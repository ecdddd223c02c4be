import CPulse
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
            if unsafe stream != nil || isAskingForMap { interrupt() }
        case .ending: finishEnding()
        case .idle, .paused, .interrupted, .closed: break
        }
        dropStream()
        if case .interrupted = phase { connection.retry() }
    }

    /// The server answers again.
    func serverIsBack() {
        if case .interrupted = phase, unsafe stream == nil { connectStream() }
    }

    var runningSource: String? {
        guard case .running = phase else { return nil }
        return grantedBox.withLock { $0?.deviceName }
    }

    /// Stops the clock, and waits for the server or the source.
    func interrupt() {
        let now = aq_host_time()
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
        let now = aq_host_time()
        let frame = time.frame(at: now)
        time.setAnchor(frame: frame, at: now)
        time.limitFrame = frame
        time.frameRate = 0
        time.isRunning = false
        clock.publish(time)
    }

    /// The server closed the stream, or would not make it.
    func streamFailed() {
        guard let context = unsafe connection.context else { return }
        let errorNumber = unsafe pa_context_errno(context)
        // The context has failed too: it tells on its own.
        if unsafe pa_context_get_state(context) != PA_CONTEXT_READY { return }
        switch phase {
        case .connecting where !isStreamReady && !hasCaptured:
            let name = source.map { "'\($0)'" } ?? "the default device"
            let code: DeviceError.Code =
                errorNumber == Int32(PA_ERR_NOENTITY.rawValue) ? .noSuchDevice : .refused
            fail(.pulse(code, "cannot record from \(name)", errorNumber: errorNumber))
            return
        case .connecting, .running: interrupt()
        case .ending: finishEnding()
        case .idle, .paused, .interrupted, .closed: break
        }
        dropStream()
        guard case .interrupted = phase else { return }
        // The source is gone, or not back yet.
        setDeadline(aq_host_time() + PulseInputStream.rebuildNanoseconds)
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
            case .interrupted: if connection.isReady, unsafe stream == nil { connectStream() }
            case .idle, .connecting, .running, .paused, .closed: break
            }
        }
        if now >= secondLook { readWhatCame() }
        handOverIfWaiting()
        checkEnding()
        connection.loop.wakeUp(at: min(deadline, recoverBy, secondLook))
    }

    /// Somebody moved the stream to another source.
    func moved() {
        time.discontinuities += 1
        clock.publish(time)
        if gap == .none, hasCaptured { gap = .possible }
        times.restart(at: receivedFrames)
        clockFit.reset()
        time.device.interrupt()
        times.latencyNanoseconds = 0
        timingAt = 0
        readGranted()
        feed.post(.moved)
        suspensionChanged()
    }

    /// The source fell asleep or woke up.
    ///
    /// Nothing is captured of a source that sleeps, a monitor's as a microphone's: that time is silence once
    /// it wakes, so that the timeline keeps step with the host's clock. It is waited for without a limit,
    /// since users put sources to sleep, and servers do with a whole session.
    func suspensionChanged() {
        guard let stream = unsafe stream else { return }
        let wasSuspended = isSuspended
        isSuspended = unsafe pa_stream_is_suspended(stream) == 1
        if isSuspended == wasSuspended { return }
        times.restart(at: receivedFrames)
        clockFit.restart()
        time.device.interrupt()
        guard isSuspended else { return }
        switch phase {
        case .running:
            gap = .certain
            countInterruption()
        case .connecting where !isStartUnanswered:
            capturedTime = aq_host_time()
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
        guard isRealSource, now >= timingAt, case .running = phase, let stream = unsafe stream else { return }
        timingAt = now + PulseInputStream.timingNanoseconds
        unsafe aq_pulse_ask_for_timing(stream)
    }

    /// A timing answer came. REAL-TIME.
    @_noLocks func readTiming() {
        guard let stream = unsafe stream, let info = unsafe aq_pulse_timing(stream)?.pointee,
            info.write_index_corrupt == 0, times.hasArrivals, !isSuspended
        else { return }
        // When the server answered, the source had all frames written and as many more as its latency says.
        let written = info.write_index / Int64(bytesPerFrame)
        let answered = aq_host_time() &- info.transport_usec &* 1000
        let captured = answered &- info.source_usec &* 1000
        // PipeWire's server tells what was so when its last period began, which is when its frames arrived.
        let seconds =
            isPipeWire
            ? Double(info.source_usec) / 1e6
            : Double(Int64(bitPattern: times.arrival(of: written) &- captured)) / 1e9
        guard seconds >= 0, seconds <= PulseInputStream.longestSourceSeconds else { return }
        times.latencyNanoseconds = seconds * 1e9
    }
}
