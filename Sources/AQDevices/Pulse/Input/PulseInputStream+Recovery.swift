// SPDX-License-Identifier: MIT

import CAQRealTime
import Synchronization

/// Failures, moves and suspensions reported by the connection and the server's stream.
extension PulseInputStream {
    func serverIsLost() {
        carryOut(
            lifecycle.serverIsLost(
                isMakingStream: stream != nil || target.isAsking, hasCaptured: hasCaptured,
                waitingUntil: recoveryLimit))
    }

    func serverIsBack() {
        if lifecycle.isInterrupted, stream == nil { connectStream() }
    }

    var runningSource: String? { lifecycle.isRunning ? grant.deviceName : nil }

    func streamFailed() {
        guard let error = refusal(to: "record from", source) else { return }
        carryOut(
            lifecycle.streamFailed(
                wasReady: server.isReady, hasCaptured: hasCaptured, error, waitingUntil: recoveryLimit))
    }

    /// Does the work that is due: another attempt, the end of the wait for a server, the second check of late frames.
    func checkDeadline(_ now: UInt64) {
        if now >= lifecycle.recoverBy { return fail(lossError) }
        if now >= deadline {
            deadline = .max
            if lifecycle.phase == .ending {
                carryOut(lifecycle.finishEnding())
            } else if lifecycle.isInterrupted, connection.isReady, stream == nil {
                connectStream()
            }
        }
        if now >= watch.secondCheck { readFragments() }
        handOverIfWaiting()
        checkEnding()
        connection.loop.wakeUp(at: min(deadline, lifecycle.recoverBy, watch.secondCheck))
    }

    func moved() {
        time.discontinuities += 1
        clock.publish(time)
        if watch.gap == .none, hasCaptured { watch.gap = .possible }
        watch.times.restart(at: receivedFrames)
        rate.reset()
        time.device.interrupt()
        watch.times.forgetLatency()
        timingAt = 0
        attributesChanged()
        feed.post(.moved)
        suspensionChanged()
    }

    /// Handles a source that was suspended or resumed.
    ///
    /// A suspended source captures nothing, whether a microphone or a monitor. When it resumes, the missing time
    /// becomes silence, so that the timeline follows the host's clock. There is no time limit, because users and
    /// servers may suspend a source for a whole session.
    func suspensionChanged() {
        if isSuspended == wasSuspended { return }
        wasSuspended = isSuspended
        watch.times.restart(at: receivedFrames)
        rate.restart()
        time.device.interrupt()
        if isSuspended { carryOut(lifecycle.sourceSleeps()) }
    }

    // MARK: Latency

    /// The longest plausible latency of a source that is not a monitor, in seconds.
    private static let longestSourceSeconds = 0.5
    private static let timingNanoseconds: UInt64 = 10_000_000_000

    /// Requests the latency of a real source, which arrival times do not show. Requests are rare, because each wakes
    /// the server. REAL-TIME.
    @_noLocks func requestTiming(_ now: UInt64) {
        guard kind.isReal, now >= timingAt, lifecycle.isRunning, let stream else { return }
        timingAt = now + PulseInputStream.timingNanoseconds
        stream.askForTiming()
    }

    /// Reads the source's latency from a timing answer that has arrived. REAL-TIME.
    @_noLocks func readTiming() {
        guard let info = stream?.timing, info.isWriteOffsetKnown, watch.times.hasArrivals, !isSuspended
        else { return }
        // When the server answered, the source had captured all written frames, and further frames for the duration of
        // its latency.
        let written = info.writeOffset / Int64(bytesPerFrame)
        let answered = loopTime &- info.transportTime &* 1000
        let captured = answered &- info.sourceTime &* 1000
        // PipeWire reports the state at the start of its last period, when the frames of that period arrived.
        let seconds =
            kind.isPipeWire
            ? Double(info.sourceTime) / 1e6
            : Double(Int64(bitPattern: watch.times.arrival(of: written) &- captured)) / 1e9
        guard seconds >= 0, seconds <= PulseInputStream.longestSourceSeconds else { return }
        watch.times.addLatency(nanoseconds: seconds * 1e9)
    }
}
