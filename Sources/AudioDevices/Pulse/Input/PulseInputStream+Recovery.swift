import CRealTime
import Synchronization

/// What the connection and the server's stream report: that it fails, moves or sleeps.
extension PulseInputStream {
    func serverIsLost() {
        carryOut(
            lifecycle.serverIsLost(
                isMakingStream: stream != nil || channels.isAsking, hasCaptured: hasCaptured,
                waitingUntil: recoveryLimit))
    }

    func serverIsBack() {
        if lifecycle.isInterrupted, stream == nil { connectStream() }
    }

    var runningSource: String? { lifecycle.isRunning ? grant.deviceName : nil }

    func streamFailed() {
        guard let context = connection.context else { return }
        let errorNumber = context.errorNumber
        // The context has failed too: it tells on its own.
        guard case .ready = context.state else { return }
        let name = source.map { "'\($0)'" } ?? "the default device"
        let code: DeviceError.Code = errorNumber == PulseError.noEntity ? .noSuchDevice : .refused
        let error = DeviceError.pulse(code, "cannot record from \(name)", errorNumber: errorNumber)
        carryOut(
            lifecycle.streamFailed(
                wasReady: server.isReady, hasCaptured: hasCaptured, error, waitingUntil: recoveryLimit))
    }

    /// What is due: another attempt, the end of waiting, a second look at frames that came late.
    func checkDeadline(_ now: UInt64) {
        if now >= lifecycle.recoverBy {
            let seconds = configuration.recoverySeconds
            let message =
                "the sound server or its device went away and did not come back within \(seconds) s"
            return fail(DeviceError(.connectionLost, message))
        }
        if now >= deadline {
            deadline = .max
            if lifecycle.phase == .ending { carryOut(lifecycle.finishEnding()) }
            if lifecycle.isInterrupted, connection.isReady, stream == nil { connectStream() }
        }
        if now >= watch.secondLook { readWhatCame() }
        handOverIfWaiting()
        checkEnding()
        connection.loop.wakeUp(at: min(deadline, lifecycle.recoverBy, watch.secondLook))
    }

    func moved() {
        time.discontinuities += 1
        clock.publish(time)
        if watch.gap == .none, hasCaptured { watch.gap = .possible }
        watch.times.restart(at: receivedFrames)
        rate.reset()
        time.device.interrupt()
        watch.times.latencyNanoseconds = 0
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
        watch.times.restart(at: receivedFrames)
        rate.restart()
        time.device.interrupt()
        if isSuspended { carryOut(lifecycle.sourceSleeps()) }
    }

    // MARK: Latency

    /// How long a source that is no monitor is trusted to hold frames back, in seconds.
    private static let longestSourceSeconds = 0.5
    private static let timingNanoseconds: UInt64 = 10_000_000_000

    /// Asks what a real source's latency is, which arrivals cannot tell: seldom, since it costs wake-ups. REAL-TIME.
    @_noLocks func requestTiming(_ now: UInt64) {
        guard kind.isReal, now >= timingAt, lifecycle.isRunning, let stream else { return }
        timingAt = now + PulseInputStream.timingNanoseconds
        stream.askForTiming()
    }

    /// A timing answer came. REAL-TIME.
    @_noLocks func readTiming() {
        guard let info = stream?.timing, info.isWriteOffsetKnown, watch.times.hasArrivals, !isSuspended
        else { return }
        // When the server answered, the source had all frames written and as many more as its latency says.
        let written = info.writeOffset / Int64(bytesPerFrame)
        let answered = loopTime &- info.transportTime &* 1000
        let captured = answered &- info.sourceTime &* 1000
        // PipeWire's server tells what was so when its last period began, which is when its frames arrived.
        let seconds =
            kind.isPipeWire
            ? Double(info.sourceTime) / 1e6
            : Double(Int64(bitPattern: watch.times.arrival(of: written) &- captured)) / 1e9
        guard seconds >= 0, seconds <= PulseInputStream.longestSourceSeconds else { return }
        watch.times.latencyNanoseconds = seconds * 1e9
    }
}
