import CRealTime
import Synchronization

/// Starting so that the first frame is heard at a host time (``TimedStart``).
extension PulseStream {
    /// How often the server is asked for its place meanwhile, which drifts against the host's clock.
    private static let lookNanoseconds: UInt64 = 250_000_000
    /// How long after the time a first answer is waited for: the server's buffer is full of silence, and where in it
    /// audio would still be heard is not known. A sink that sleeps gives none.
    private static let patienceNanoseconds: UInt64 = 500_000_000
    private static let retryNanoseconds: UInt64 = 10_000_000

    /// Whether the sink has nothing yet of what is to be heard at a start's time, so that it can be taken back unheard.
    var isBeforeStart: Bool {
        if timedStart.isWaiting { return true }
        guard timedStart.isPlaced else { return false }
        return timing.rewritableFrame(at: loopTime, sampleRate: sampleRate, limit: writer.end)
            <= timedStart.contentFrame
    }

    /// About when a frame that is written now is heard, at the earliest.
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

    /// Has silence written from now on, and the client's audio when its place is known.
    func beginLeadIn() {
        timedStart.beginWaiting(hadPlayedBefore: writer.hasPlayed)
        isFeeding = false
        time.limitFrame = Double(renderer.cursor)
        publishTime()
        setDeadline(min(timedStart.hostTime, loopTime + PulseStream.lookNanoseconds))
    }

    /// What is due while a start's time is waited for.
    func checkLeadIn(_ now: UInt64) {
        if timedStart.frame == .max {
            guard now < timedStart.hostTime + PulseStream.patienceNanoseconds else {
                // What was told of the silence is no place in the audio.
                standStill(at: Double(renderer.cursor))
                return beginContent(at: writer.end)
            }
            requestTiming()
            let retry = now + PulseStream.retryNanoseconds
            return setDeadline(now < timedStart.hostTime ? nextLook(now) : retry)
        }
        if now < timedStart.hostTime {
            // What is to be written over the silence has to be there; else the client's next call leads here.
            if timedStart.frame < writer.end, renderer.hasData {
                return beginContent(at: max(timedStart.frame, firstRewritableFrame()))
            }
            requestTiming()
            return setDeadline(nextLook(now))
        }
        // The server did not ask for what was to be written, or nothing was there.
        beginContent(at: firstRewritableFrame())
    }

    private func nextLook(_ now: UInt64) -> UInt64 {
        min(timedStart.hostTime, now + PulseStream.lookNanoseconds)
    }

    /// Takes back a start whose time has not come: corks the stream, and goes back to the first frame.
    func takeStartBack() {
        rewindToStart()
        timedStart.end()
        deadline = .max
        settle()
        time.isRunning = false
        standStill(at: Double(renderer.cursor))
        returnReserve()
    }

    /// Goes back to the first frame of what was written for a start's time.
    func rewindToStart() {
        guard timedStart.isPlaced else { return }
        renderer.rewind(to: timedStart.contentFrame + writer.offset)
        // Nothing of it was heard: it needs no fade-in.
        writer.resetAudio(hasPlayed: timedStart.hadPlayedBefore)
    }

    /// Replaces what was written for a start's time by silence, and waits on.
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
        setDeadline(nextLook(loopTime))
        lookSoon()
    }

    // MARK: The audio path

    /// Finds the frame that is heard at the start's time, by all that is known. REAL-TIME.
    @_noLocks func placeStart() {
        timedStart.place(at: aq_round_wide(clockFit.frame(at: timedStart.hostTime)))
        let cursor = unsafe references.renderer._withUnsafeGuaranteedRef { $0.cursor }
        writer.align(cursor, to: timedStart.frame)
        if timedStart.frame < writer.end { lookSoon() }
    }

    /// Writes the silence that the server asks for, and the audio behind it once its place is in reach. REAL-TIME.
    @_noLocks func feedLeadIn() {
        guard timedStart.isWaiting, let stream else { return }
        let asked = stream.writableBytes / bytesPerFrame
        let silence = timedStart.frame &- writer.end
        if silence < 0 { return lookSoon() }
        if silence > Int64(asked) { return writeSilence(frames: asked) }
        writeSilence(frames: Int(silence))
        // Else there was no memory for it: the server asks again.
        if writer.end == timedStart.frame { beginContent(at: timedStart.frame) }
    }

    /// Begins the audio at a device frame: behind all that is written, or over the last of it. REAL-TIME.
    @_noLocks private func beginContent(at frame: Int64) {
        timedStart.beginContent(at: frame)
        isFeeding = true
        deadline = .max
        let cursor = unsafe references.renderer._withUnsafeGuaranteedRef { $0.cursor }
        writer.align(cursor, to: frame)
        if frame < writer.end {
            writer.replace(from: frame, upTo: writer.end)
            // All of it at once, and not a short piece first.
            writer.beginAudio(at: frame)
        }
        writeWhatIsAsked()
        // The audio's place may be another than the one that the clock was set by last.
        requestTiming()
        if !writer.cancelReplacing() { return }
        // There was nothing to write. What comes later is heard behind the silence, since its place may be past then.
        writer.resetAudio(hasPlayed: timedStart.hadPlayedBefore)
        timedStart.moveContent(to: writer.end)
        writer.align(cursor, to: writer.end)
    }

    /// Has ``checkLeadIn(_:)`` write over the silence, since going back is not for the audio path: with this turn of
    /// the loop, or when the client has enqueued something. REAL-TIME.
    @_noLocks private func lookSoon() {
        // The client looks at the flag after enqueueing, this thread at the feed after raising it: one of the two sees
        // the other.
        isStarved.store(true, ordering: .sequentiallyConsistent)
        let hasData = unsafe references.renderer._withUnsafeGuaranteedRef { $0.hasData }
        if !hasData { return }
        deadline = 0
        unsafe references.loop._withUnsafeGuaranteedRef { $0.wakeUp(at: 0) }
    }
}
