import CPulse
import CRealTime
import Synchronization

/// The audio path: from the server's memory into the client's segments, in one copy.
extension PulseInputStream {
    /// After a move, the shortest time that counts as one in which nothing was captured.
    private static let gapNanoseconds: Int64 = 20_000_000

    /// Takes what has arrived. REAL-TIME.
    @_noLocks func readWhatCame() {
        guard let stream = unsafe stream else { return }
        let waiting = unsafe aq_pulse_readable_bytes(stream) / bytesPerFrame
        if waiting <= 0 { return }
        let now = aq_host_time()
        times.arrived(endFrame: receivedFrames &+ Int64(waiting), at: now)
        framesCame()
        handOverBacklog()
        while true {
            var data: UnsafeRawPointer?
            let bytes = unsafe aq_pulse_peek(stream, &data)
            if bytes <= 0 { break }
            unsafe take(data, frames: bytes / bytesPerFrame)
            unsafe aq_pulse_drop(stream)
        }
        capturedTime = times.hostTime(of: receivedFrames)
        publishTime(at: now)
        // What does not belong to the audio path is done from the loop.
        if receivedFrames >= cutFrame { wakeLoop() }
        if isRealSource { if now >= timingAt { wakeLoop() } }
    }

    /// Tells of the first frames, and makes up for what is missing before them. REAL-TIME.
    @_noLocks private func framesCame() {
        switch phase {
        case .connecting, .interrupted: phase = .running
        case .idle, .running, .ending, .paused, .closed: break
        }
        if let ending {
            let cut = times.frames(by: ending.hostTime) &+ 1
            // What arrived before the call was looked at is kept in any case.
            cutFrame = cut > receivedFrames ? cut : receivedFrames
        }
        if isStartUnanswered {
            isStartUnanswered = false
            time.isRunning = true
            time.frameRate = sampleRate / 1e9
            post(.started)
        }
        hasCaptured = true
        // What still comes from before a suspension does not end it.
        if isSuspended { return }
        switch gap {
        case .none: break
        case .possible:
            gap = .none
            if missingNanoseconds() > PulseInputStream.gapNanoseconds {
                time.interruptions &+= 1
                makeUp(until: times.hostTime(of: receivedFrames))
            }
        case .certain:
            gap = .none
            makeUp(until: times.hostTime(of: receivedFrames))
            time.isRunning = true
            time.frameRate = sampleRate / 1e9
            post(.resumed)
        }
    }

    @_noLocks private func missingNanoseconds() -> Int64 {
        if capturedTime == 0 { return 0 }
        return Int64(bitPattern: times.hostTime(of: receivedFrames) &- capturedTime)
    }

    /// Puts silence after the newest frame, for the time until `hostTime`. REAL-TIME.
    @_noLocks func makeUp(until hostTime: UInt64) {
        if capturedTime == 0 { return }
        let nanoseconds = Int64(bitPattern: hostTime &- capturedTime)
        let frames = Int(Double(nanoseconds) * sampleRate / 1e9 + 0.5)
        if frames <= 0 { return }
        time.interruptedFrames &+= Int64(frames)
        handOverBacklog()
        var done = 0
        let began = capturedTime
        let isBehind = unsafe !backlogReference._withUnsafeGuaranteedRef { $0.isEmpty }
        if !isBehind {
            done = unsafe fillerReference._withUnsafeGuaranteedRef {
                $0.fillSilence(frames: frames, hostTime: began)
            }
        }
        if done < frames {
            let rest = frames &- done
            let restBegins = began &+ UInt64(Double(done) * 1e9 / sampleRate)
            let lost = unsafe backlogReference._withUnsafeGuaranteedRef {
                $0.appendMissing(frames: rest, hostTime: restBegins)
            }
            didKeep(lost: lost)
        }
        capturedTime = hostTime
        stampedTime = hostTime
    }

    /// Hands frames to the client, or keeps them; nil is a hole. REAL-TIME.
    @_noLocks private func take(_ data: UnsafeRawPointer?, frames: Int) {
        let left = cutFrame &- receivedFrames
        let wanted = left < Int64(frames) ? Int(left < 0 ? 0 : left) : frames
        var hostTime = times.hostTime(of: receivedFrames)
        if hostTime < stampedTime { hostTime = stampedTime }
        stampedTime = hostTime
        receivedFrames &+= Int64(frames)
        if wanted <= 0 { return }
        var done = 0
        let isBehind = unsafe !backlogReference._withUnsafeGuaranteedRef { $0.isEmpty }
        if let data = unsafe data {
            if !isBehind {
                done = unsafe fillerReference._withUnsafeGuaranteedRef {
                    unsafe $0.fill(data, frames: wanted, hostTime: hostTime)
                }
            }
            if done < wanted { unsafe keep(data, frames: wanted, after: done, hostTime: hostTime) }
        } else {
            time.holeFrames &+= Int64(wanted)
            if !isBehind {
                done = unsafe fillerReference._withUnsafeGuaranteedRef {
                    $0.fillSilence(frames: wanted, hostTime: hostTime)
                }
            }
            if done < wanted { unsafe keep(nil, frames: wanted, after: done, hostTime: hostTime) }
        }
    }

    /// Keeps what found no room. REAL-TIME.
    @_noLocks private func keep(
        _ data: UnsafeRawPointer?, frames: Int, after done: Int, hostTime: UInt64
    ) {
        var rest: UnsafeRawPointer?
        if let data = unsafe data { unsafe rest = data + done &* bytesPerFrame }
        let restTime = hostTime &+ UInt64(Double(done) * 1e9 / sampleRate)
        let lost = unsafe backlogReference._withUnsafeGuaranteedRef {
            unsafe $0.append(rest, frames: frames &- done, hostTime: restTime)
        }
        didKeep(lost: lost)
    }

    @_noLocks private func didKeep(lost: Int) {
        if lost > 0 {
            unsafe fillerReference._withUnsafeGuaranteedRef { $0.lose(frames: lost) }
        }
        // The client looks at the flag after enqueueing, this thread at the feed after raising it: one of the
        // two sees the other.
        isWaiting.store(true, ordering: .sequentiallyConsistent)
        let hasSegment = unsafe feedReference._withUnsafeGuaranteedRef { $0.hasSegment }
        if hasSegment { wakeLoop() }
    }

    /// Hands out what waits, as far as there is room. REAL-TIME.
    @_noLocks func handOverBacklog() {
        while true {
            let frames = unsafe backlogReference._withUnsafeGuaranteedRef { $0.frontFrames }
            if frames == 0 { break }
            let data = unsafe backlogReference._withUnsafeGuaranteedRef { unsafe $0.frontData }
            let hostTime = unsafe backlogReference._withUnsafeGuaranteedRef { $0.frontHostTime }
            var done: Int
            if let data = unsafe data {
                done = unsafe fillerReference._withUnsafeGuaranteedRef {
                    unsafe $0.fill(data, frames: frames, hostTime: hostTime)
                }
            } else {
                done = unsafe fillerReference._withUnsafeGuaranteedRef {
                    $0.fillSilence(frames: frames, hostTime: hostTime)
                }
            }
            if done == 0 { return }
            unsafe backlogReference._withUnsafeGuaranteedRef { $0.consume(done) }
        }
        isWaiting.store(false, ordering: .relaxed)
    }

    /// Tells readers of the clock how far capture has come. REAL-TIME.
    @_noLocks private func publishTime(at now: UInt64) {
        let frame = unsafe fillerReference._withUnsafeGuaranteedRef { $0.frame }
        let waiting = unsafe backlogReference._withUnsafeGuaranteedRef { $0.frames }
        let captured = Double(frame &+ Int64(waiting))
        // As if frames were there as soon as they are captured: those on their way will be.
        let underWay = Double(Int64(bitPattern: now &- capturedTime)) * time.frameRate
        time.setAnchor(frame: underWay > 0 ? captured + underWay : captured, at: now)
        time.limitFrame = captured + underWay + grantedFragmentSeconds * sampleRate
        copyLosses()
        let published = time
        unsafe clockReference._withUnsafeGuaranteedRef { $0.publish(published) }
    }

    @_noLocks private func copyLosses() {
        let overruns = unsafe fillerReference._withUnsafeGuaranteedRef { $0.overruns }
        let lostFrames = unsafe fillerReference._withUnsafeGuaranteedRef { $0.lostFrames }
        time.discontinuities &+= overruns &- time.overruns
        time.overruns = overruns
        time.lostFrames = lostFrames
    }

    @_noLocks private func post(_ kind: DeviceNotice.Kind) {
        unsafe feedReference._withUnsafeGuaranteedRef { $0.post(kind) }
    }

    /// Has the loop call ``checkDeadline(_:)`` soon. REAL-TIME.
    @_noLocks private func wakeLoop() {
        unsafe loopReference._withUnsafeGuaranteedRef { $0.wakeUp(at: 0) }
    }
}

/// Frames have arrived. REAL-TIME.
@_noLocks func pulseInputStreamHasData(_ context: UnsafeMutableRawPointer?) {
    guard let context = unsafe context else { return }
    unsafe Unmanaged<PulseInputStream>.fromOpaque(context)._withUnsafeGuaranteedRef { $0.readWhatCame() }
}
