// SPDX-License-Identifier: MIT

import CAQRealTime
import Synchronization

/// Starting so that the first frame is audible at a host time (``TimedStart``).
extension PulseStream {
    /// The interval of position requests during the wait, because the position drifts against the host's clock.
    private static let pollNanoseconds: UInt64 = 250_000_000
    /// The time to wait for a first answer after the start time. Until then, the server's buffer is full of silence,
    /// and the position at which audio would be in time is unknown. A suspended sink never answers.
    private static let patienceNanoseconds: UInt64 = 500_000_000
    private static let retryNanoseconds: UInt64 = 10_000_000

    /// Whether the sink has taken no audio for the start time, so that the start can be cancelled silently.
    var isBeforeStart: Bool {
        if timedStart.isWaiting { return true }
        guard timedStart.isPlaced else { return false }
        return timing.rewritableFrame(at: loopTime, sampleRate: sampleRate, limit: writer.end)
            <= timedStart.contentFrame
    }

    /// An estimate of the earliest time, at or after `hostTime`, at which a frame written now is audible.
    func nearestStart(toHostTime hostTime: UInt64) -> UInt64 {
        let now = aq_host_time()
        let state = clock.snapshot()
        var seconds = grant.longestSeconds
        if state.isRunning, state.frameRate > 0 {
            seconds = (state.limitFrame - state.frame(at: now)) / (state.frameRate * 1e9)
        } else if seconds == 0 {
            seconds = Double(PlaybackBuffer.leastTargetFrames(configuration)) / sampleRate
        }
        return max(hostTime, now + UInt64(max(0, min(seconds, 60)) * 1e9))
    }

    // MARK: The loop's thread

    /// Writes silence from now on, and the client's audio when its position is known.
    func beginLeadIn() {
        timedStart.beginWaiting(hadPlayedBefore: writer.hasPlayed)
        isFeeding = false
        time.limitFrame = Double(renderer.cursor)
        publishTime()
        setDeadline(min(timedStart.hostTime, loopTime + PulseStream.pollNanoseconds))
    }

    /// Does the work that is due during the wait for a start time.
    func checkLeadIn(_ now: UInt64) {
        if timedStart.frame == .max {
            guard now < timedStart.hostTime + PulseStream.patienceNanoseconds else {
                // A position reported for the silence is no position in the audio.
                stopClock(at: Double(renderer.cursor))
                return beginContent(at: writer.end)
            }
            requestTiming()
            let retry = now + PulseStream.retryNanoseconds
            return setDeadline(now < timedStart.hostTime ? nextPoll(now) : retry)
        }
        if now < timedStart.hostTime {
            // The audio that replaces silence must be enqueued. If it is not, the client's next call continues here.
            if timedStart.frame < writer.end, renderer.hasData {
                return beginContent(at: max(timedStart.frame, firstRewritableFrame()))
            }
            requestTiming()
            return setDeadline(nextPoll(now))
        }
        // The server did not request the data to be written, or there was none.
        beginContent(at: firstRewritableFrame())
    }

    private func nextPoll(_ now: UInt64) -> UInt64 {
        min(timedStart.hostTime, now + PulseStream.pollNanoseconds)
    }

    /// Cancels a start whose time has not come: corks the stream, and goes back to the first frame.
    func takeStartBack() {
        rewindToStart()
        timedStart.end()
        deadline = .max
        settle()
        time.isRunning = false
        stopClock(at: Double(renderer.cursor))
        returnReserve()
    }

    /// Goes back to the first frame written for a start time.
    func rewindToStart() {
        guard timedStart.isPlaced else { return }
        renderer.rewind(to: timedStart.contentFrame + writer.offset)
        // None of the audio was audible, so it needs no fade-in.
        writer.resetAudio(hasPlayed: timedStart.hadPlayedBefore)
    }

    /// Replaces the audio written for a start time by silence, and keeps waiting.
    func waitForStartAgain() {
        guard timedStart.isPlaced else { return }
        let written = writer.end
        rewindToStart()
        isFeeding = false
        time.limitFrame = Double(renderer.cursor)
        publishTime()
        if written > timedStart.contentFrame {
            writer.seek(to: timedStart.contentFrame)
            writeSilence(frames: Int(written - timedStart.contentFrame))
        }
        timedStart.waitAgain()
        setDeadline(nextPoll(loopTime))
        pollSoon()
    }

    // MARK: The audio path

    /// Estimates the frame that is audible at the start time. REAL-TIME.
    @_noLocks func updateStartFrame() {
        timedStart.setFrame(aq_round_wide(clockFit.frame(at: timedStart.hostTime)))
        let cursor = unsafe references.renderer._withUnsafeGuaranteedRef { $0.cursor }
        writer.align(cursor, to: timedStart.frame)
        if timedStart.frame < writer.end { pollSoon() }
    }

    /// Writes the silence that the server requests, and the audio after it when its position is in range. REAL-TIME.
    @_noLocks func feedLeadIn() {
        guard timedStart.isWaiting, let stream else { return }
        let asked = stream.writableBytes / bytesPerFrame
        let silence = timedStart.frame &- writer.end
        if silence < 0 { return pollSoon() }
        if silence > Int64(asked) { return writeSilence(frames: asked) }
        writeSilence(frames: Int(silence))
        // If this is false, there was no memory for the silence, and the server requests again.
        if writer.end == timedStart.frame { beginContent(at: timedStart.frame) }
    }

    /// Begins the audio at a device frame: after all written data, or over the end of it. REAL-TIME.
    @_noLocks private func beginContent(at frame: Int64) {
        timedStart.beginContent(at: frame)
        isFeeding = true
        deadline = .max
        let cursor = unsafe references.renderer._withUnsafeGuaranteedRef { $0.cursor }
        writer.align(cursor, to: frame)
        if frame < writer.end {
            writer.replace(from: frame, upTo: writer.end)
            // All audio is written at once, without a short first write.
            writer.beginAudio(at: frame)
        }
        writeRequested()
        // The audio's position may differ from the last one that set the clock.
        requestTiming()
        if !writer.cancelReplacing() { return }
        // There was nothing to write. Later audio follows the silence, because its position may have passed then.
        writer.resetAudio(hasPlayed: timedStart.hadPlayedBefore)
        timedStart.moveContent(to: writer.end)
        writer.align(cursor, to: writer.end)
    }

    /// Schedules ``checkLeadIn(_:)`` to write over the silence, because rewinding is not for the audio path: in this
    /// turn of the loop, or when the client has enqueued something. REAL-TIME.
    @_noLocks private func pollSoon() {
        // The client checks the flag after it has enqueued; this thread checks the feed after it has set the flag. So
        // at least one of them finds the other's change.
        isStarved.store(true, ordering: .sequentiallyConsistent)
        let hasData = unsafe references.renderer._withUnsafeGuaranteedRef { $0.hasData }
        if !hasData { return }
        deadline = 0
        unsafe references.loop._withUnsafeGuaranteedRef { $0.wakeUp(at: 0) }
    }
}
