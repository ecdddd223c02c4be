// SPDX-License-Identifier: MIT

import CAQRealTime
import Synchronization

/// The audio path: from the server's memory to the client's segments, in one copy.
extension PulseInputStream {
    /// The shortest gap that is recognised if the server reported none.
    private static let gapNanoseconds: Int64 = 20_000_000

    /// Takes all arrived frames. REAL-TIME.
    @_noLocks func readFragments() {
        guard let stream else { return }
        let waiting = stream.readableBytes / bytesPerFrame
        if waiting <= 0 {
            watch.cancelCheck()
            return
        }
        let now = loopTime
        let endFrame = receivedFrames &+ Int64(waiting)
        watch.times.arrived(endFrame: endFrame, at: now)
        if mustCheckAgain(endFrame: endFrame, at: now) { return }
        framesCame(at: now)
        measureLatency(at: now)
        handOverHeld()
        while true {
            guard let piece = unsafe stream.peek() else { break }
            unsafe take(piece.start, frames: piece.bytes / bytesPerFrame)
            stream.drop()
        }
        let newestTime = watch.times.hostTime(of: receivedFrames)
        followDevice(until: newestTime)
        if startHostTime == 0 {
            capturedTime = newestTime
            publishTime(at: now)
        } else {
            // Before the start time, the timeline does not advance.
            publishState()
        }
        requestTiming(now)
        // The loop ends the pause or stop, because that is not for the audio path.
        if receivedFrames >= cutFrame { wakeLoop() }
    }

    /// Returns whether arrived frames must stay in the queue for a moment, because there may be a gap before them.
    /// REAL-TIME.
    @_noLocks private func mustCheckAgain(endFrame: Int64, at now: UInt64) -> Bool {
        if watch.isToWait(at: now) { return true }
        let mayBeLate = isSuspended ? false : lifecycle.wantsFrames
        if !mayBeLate {
            watch.cancelCheck()
            return false
        }
        let mustQuery = watch.mustCheckAgain(
            from: receivedFrames, to: endFrame, at: now, fragmentSeconds: grantedFragmentSeconds,
            hasCaptured: capturedTime != 0)
        if !mustQuery { return false }
        let again = watch.secondCheck
        unsafe references.loop._withUnsafeGuaranteedRef { $0.wakeUp(at: again) }
        return true
    }

    /// Reports the first frames, and fills the gap before them. REAL-TIME.
    @_noLocks private func framesCame(at now: UInt64) {
        lifecycle.framesCame()
        if let ending = lifecycle.ending {
            let cut = watch.endFrame(at: ending.hostTime)
            // Frames that arrived before the call was carried out are always kept.
            cutFrame = cut > receivedFrames ? cut : receivedFrames
        }
        answerStart()
        hasCaptured = true
        // Frames captured before a suspension do not end it.
        if isSuspended { return }
        if startHostTime != 0 { return noGapBeforeStart() }
        switch watch.gap {
        case .none: break
        case .possible:
            watch.gap = .none
            if missingNanoseconds() > PulseInputStream.gapNanoseconds {
                time.interruptions &+= 1
                time.discontinuities &+= 1
                makeUp(until: watch.times.hostTime(of: receivedFrames))
            }
        case .certain:
            watch.gap = .none
            makeUp(until: watch.times.hostTime(of: receivedFrames))
            time.isRunning = true
            time.frameRate = sampleRate / 1e9
            // Published before the event, because the client may read the losses as soon as it gets the event.
            publishTime(at: now)
            post(.resumed)
        }
    }

    /// Answers a start and starts the clock, because the source captures. REAL-TIME.
    @_noLocks func answerStart() {
        if !lifecycle.answerStart() { return }
        time.isRunning = true
        time.frameRate = startHostTime == 0 ? sampleRate / 1e9 : 0
        post(.started)
    }

    /// Clears a gap before the start time, because no audio is missing there. REAL-TIME.
    @_noLocks private func noGapBeforeStart() {
        switch watch.gap {
        case .none, .possible: break
        case .certain:
            time.isRunning = true
            publishState()
            post(.resumed)
        }
        watch.gap = .none
    }

    @_noLocks private func missingNanoseconds() -> Int64 {
        if capturedTime == 0 { return 0 }
        return Int64(bitPattern: watch.times.hostTime(of: receivedFrames) &- capturedTime)
    }

    /// Adds silence after the newest frame, for the time until `hostTime`, or skips as many frames. REAL-TIME.
    @_noLocks func makeUp(until hostTime: UInt64) {
        if capturedTime == 0 { return }
        if startHostTime != 0 { return }
        let nanoseconds = Int64(bitPattern: hostTime &- capturedTime)
        let frames = Int(Double(nanoseconds) * sampleRate / 1e9 + 0.5)
        if frames <= 0 { return }
        time.interruptedFrames &+= Int64(frames)
        unsafe measure(nil, frames: frames)
        // Frames that wait for room must be delivered before a skip, so silence follows them.
        let isNext = unsafe references.held._withUnsafeGuaranteedRef { $0.isEmpty }
        if isNext, !fillsGaps {
            unsafe references.filler._withUnsafeGuaranteedRef { $0.skip(frames: frames) }
        } else {
            unsafe hold(nil, frames: frames, hostTime: capturedTime)
        }
        capturedTime = hostTime
        stampedTime = hostTime
    }

    /// Delivers frames to the client, or keeps them; nil is a hole. REAL-TIME.
    @_noLocks private func take(_ piece: UnsafeRawPointer?, frames pieceFrames: Int) {
        let skipped = skipToStart(pieceFrames)
        let frames = pieceFrames &- skipped
        if frames <= 0 { return }
        var rest = unsafe piece
        if skipped > 0, let whole = unsafe piece { unsafe rest = whole + skipped &* bytesPerFrame }
        let left = cutFrame &- receivedFrames
        let wanted = left < Int64(frames) ? Int(left < 0 ? 0 : left) : frames
        var hostTime = watch.times.hostTime(of: receivedFrames)
        if hostTime < stampedTime { hostTime = stampedTime }
        stampedTime = hostTime
        receivedFrames &+= Int64(frames)
        if wanted <= 0 { return }
        unsafe measure(rest, frames: wanted)
        guard let data = unsafe rest else {
            time.holeFrames &+= Int64(wanted)
            unsafe hold(nil, frames: wanted, hostTime: hostTime)
            return
        }
        var done = 0
        if unsafe references.held._withUnsafeGuaranteedRef({ $0.isEmpty }) {
            done = unsafe references.filler._withUnsafeGuaranteedRef {
                unsafe $0.fill(data, frames: wanted, hostTime: hostTime)
            }
        }
        if done == wanted { return }
        unsafe hold(
            data + done &* bytesPerFrame, frames: wanted &- done,
            hostTime: hostTime &+ UInt64(Double(done) * 1e9 / sampleRate))
    }

    /// Skips those of the next `frames` frames that were captured before a start time, and begins the timeline after
    /// them. REAL-TIME.
    ///
    /// - Returns: The number of skipped frames.
    @_noLocks private func skipToStart(_ frames: Int) -> Int {
        if startHostTime == 0 { return 0 }
        let early = watch.times.frames(by: startHostTime) &- receivedFrames
        if early >= Int64(frames) {
            receivedFrames &+= Int64(frames)
            return frames
        }
        let skipped = early > 0 ? Int(early) : 0
        receivedFrames &+= Int64(skipped)
        startHostTime = 0
        // No time stamp precedes that of the first frame.
        stampedTime = watch.times.hostTime(of: receivedFrames)
        time.frameRate = sampleRate / 1e9
        return skipped
    }

    /// Measures the levels of frames, or of a length of silence, that follow all captured frames. REAL-TIME.
    @_noLocks private func measure(_ data: UnsafeRawPointer?, frames: Int) {
        let held = unsafe references.held._withUnsafeGuaranteedRef { $0.frames }
        unsafe references.filler._withUnsafeGuaranteedRef {
            unsafe $0.measure(data, frames: frames, endFrame: $0.frame &+ Int64(held &+ frames))
        }
    }

    /// Keeps frames, or a length of silence, until there is room. REAL-TIME.
    @_noLocks private func hold(_ data: UnsafeRawPointer?, frames: Int, hostTime: UInt64) {
        unsafe references.held._withUnsafeGuaranteedRef {
            if let data = unsafe data {
                unsafe $0.append(data, frames: frames, hostTime: hostTime)
            } else {
                $0.appendSilence(frames: frames, hostTime: hostTime)
            }
        }
        // The client checks the flag after it has enqueued; this thread checks the feed after it has set the flag. So
        // at least one of them finds the other's change.
        isWaiting.store(true, ordering: .sequentiallyConsistent)
        handOverHeld()
    }

    /// Delivers frames that wait for room, after ``roomAvailable()``. REAL-TIME.
    @_noLocks func handOverIfWaiting() {
        if isWaiting.load(ordering: .relaxed) { handOverHeld() }
    }

    /// Delivers waiting frames, as far as there is room. REAL-TIME.
    @_noLocks func handOverHeld() {
        unsafe references.held._withUnsafeGuaranteedRef { $0.drain() }
        let isEmpty = unsafe references.held._withUnsafeGuaranteedRef { $0.isEmpty }
        if isEmpty { isWaiting.store(false, ordering: .relaxed) }
    }

    /// Measures the age of the first arrived frame; the longest age is reported as the latency. REAL-TIME.
    @_noLocks private func measureLatency(at now: UInt64) {
        let age = Double(Int64(bitPattern: now &- watch.times.hostTime(of: receivedFrames))) / 1e9
        unsafe references.grant._withUnsafeGuaranteedRef { $0.measured(seconds: age) }
    }

    /// Publishes the capture position to readers of the clock. REAL-TIME.
    @_noLocks private func publishTime(at now: UInt64) {
        let frame = unsafe references.filler._withUnsafeGuaranteedRef { $0.frame }
        let waiting = unsafe references.held._withUnsafeGuaranteedRef { $0.frames }
        let captured = Double(frame &+ Int64(waiting))
        // A microphone's frames in transit count as captured, because they will arrive. Frames that arrive early from a
        // monitor do not count before they are audible.
        let underWay = Double(Int64(bitPattern: now &- capturedTime)) * time.frameRate
        let isAhead = watch.times.isMonitor
        time.setAnchor(frame: underWay > 0 || isAhead ? captured + underWay : captured, at: now)
        let limit = captured + underWay + grantedFragmentSeconds * sampleRate
        time.limitFrame = limit > captured ? limit : captured
        copyLosses()
        publishState()
    }

    /// Publishes the clock's state to readers. REAL-TIME.
    @_noLocks private func publishState() {
        let published = time
        unsafe references.clock._withUnsafeGuaranteedRef { $0.publish(published) }
    }

    /// Updates the source's clock, and occasionally its rate. REAL-TIME.
    @_noLocks private func followDevice(until hostTime: UInt64) {
        rate.add(frame: receivedFrames, at: hostTime)
        time.device.follow(Double(receivedFrames), at: hostTime, rate: rate.rate)
    }

    @_noLocks private func copyLosses() {
        let overruns = unsafe references.filler._withUnsafeGuaranteedRef { $0.overruns }
        let lostFrames = unsafe references.filler._withUnsafeGuaranteedRef { $0.lostFrames }
        time.discontinuities &+= overruns &- time.overruns
        time.overruns = overruns
        time.lostFrames = lostFrames
    }

    @_noLocks private func post(_ kind: DeviceEvent.Kind) {
        unsafe references.feed._withUnsafeGuaranteedRef { $0.post(kind) }
    }

    /// Makes the loop call ``checkDeadline(_:)`` soon. REAL-TIME.
    @_noLocks private func wakeLoop() {
        unsafe references.loop._withUnsafeGuaranteedRef { $0.wakeUp(at: 0) }
    }
}
