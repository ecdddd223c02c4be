import CRealTime
import Synchronization

/// Starting so that the first frame is heard at a host time.
///
/// Only a stream that runs tells when its frames are heard. So the server is fed with silence at once, which is not on
/// the timeline, and when its place is known, the client's audio is written to the frame that is heard at that time:
/// behind the silence, or over it.
extension PulseStream {
    /// How often the server is asked for its place meanwhile, which drifts against the host's clock.
    private static let lookNanoseconds: UInt64 = 250_000_000
    /// How long after the time a first answer is waited for: the server's buffer is full of silence, and where in it
    /// audio would still be heard is not known. A sink that sleeps gives none.
    private static let patienceNanoseconds: UInt64 = 500_000_000
    private static let retryNanoseconds: UInt64 = 10_000_000

    /// Whether silence is written until a start's time. REAL-TIME.
    var isLeadingIn: Bool {
        @_noLocks get {
            switch leadIn {
            case .waiting: true
            case .none, .placed: false
            }
        }
    }

    /// Whether the sink has nothing yet of what is to be heard at a start's time, so that it can be taken back unheard.
    var isBeforeStart: Bool {
        switch leadIn {
        case .none: false
        case .waiting: true
        case .placed:
            timing.rewritableFrame(at: loopTime, sampleRate: sampleRate, limit: deviceFrames)
                <= contentFrame
        }
    }

    /// About when a frame that is written now is heard, at the earliest.
    func nearestStart(toHostTime hostTime: UInt64) -> UInt64 {
        let now = aq_host_time()
        let state = clock.snapshot()
        var seconds = grant.longestSeconds
        if state.isRunning, state.frameRate > 0 {
            seconds = (state.limitFrame - state.frame(at: now)) / (state.frameRate * 1e9)
        } else if seconds == 0 {
            seconds = Double(PulseStream.leastTargetFrames(configuration)) / sampleRate
        }
        return max(hostTime, now + UInt64(max(0, min(seconds, 60)) * 1e9))
    }

    // MARK: The loop's thread

    /// Has silence written from now on, and the client's audio when its place is known.
    func beginLeadIn() {
        leadIn = .waiting
        isFeeding = false
        startFrame = .max
        hadPlayedBefore = hasPlayed
        time.limitFrame = Double(renderer.cursor)
        publishTime()
        setDeadline(min(startHostTime, loopTime + PulseStream.lookNanoseconds))
    }

    /// What is due while a start's time is waited for.
    func checkLeadIn(_ now: UInt64) {
        if startFrame == .max {
            guard now < startHostTime + PulseStream.patienceNanoseconds else {
                // What was told of the silence is no place in the audio.
                standStill(at: Double(renderer.cursor))
                return beginContent(at: deviceFrames)
            }
            requestTiming()
            let retry = now + PulseStream.retryNanoseconds
            return setDeadline(now < startHostTime ? nextLook(now) : retry)
        }
        if now < startHostTime {
            // What is to be written over the silence has to be there; else the client's next call leads here.
            if startFrame < deviceFrames, renderer.hasData {
                return beginContent(at: max(startFrame, firstRewritableFrame()))
            }
            requestTiming()
            return setDeadline(nextLook(now))
        }
        // The server did not ask for what was to be written, or nothing was there.
        beginContent(at: firstRewritableFrame())
    }

    private func nextLook(_ now: UInt64) -> UInt64 { min(startHostTime, now + PulseStream.lookNanoseconds) }

    /// Takes back a start whose time has not come: corks the stream, and goes back to the first frame.
    func takeStartBack() {
        rewindToStart()
        leadIn = .none
        deadline = .max
        settle()
        time.isRunning = false
        standStill(at: Double(renderer.cursor))
        returnReserve()
    }

    /// Goes back to the first frame of what was written for a start's time.
    func rewindToStart() {
        switch leadIn {
        case .none, .waiting: break
        case .placed:
            renderer.rewind(to: contentFrame + sourceOffset)
            // Nothing of it was heard: it needs no fade-in.
            hasPlayed = hadPlayedBefore
        }
    }

    /// Replaces what was written for a start's time by silence, and waits on.
    func waitForStartAgain() {
        guard case .placed = leadIn else { return }
        let written = deviceFrames
        rewindToStart()
        isFeeding = false
        time.limitFrame = Double(renderer.cursor)
        publishTime()
        if written > contentFrame {
            seekFrames = contentFrame
            writeSilence(frames: Int(written - contentFrame))
        }
        leadIn = .waiting
        setDeadline(nextLook(loopTime))
        lookSoon()
    }

    // MARK: The audio path

    /// Finds the frame that is heard at the start's time, by all that is known. REAL-TIME.
    @_noLocks func placeStart() {
        let frame = aq_round_wide(clockFit.frame(at: startHostTime))
        // A time that has passed is one of an earlier frame, which is not before the audio's first.
        startFrame = Int64(max(Double(contentFrame), min(frame, 1e15)))
        let cursor = unsafe rendererReference._withUnsafeGuaranteedRef { $0.cursor }
        sourceOffset = cursor &- startFrame
        if startFrame < deviceFrames { lookSoon() }
    }

    /// Writes the silence that the server asks for, and the audio behind it once its place is in reach. REAL-TIME.
    @_noLocks func feedLeadIn() {
        guard isLeadingIn, let stream else { return }
        let asked = stream.writableBytes / bytesPerFrame
        let silence = startFrame &- deviceFrames
        if silence < 0 { return lookSoon() }
        if silence > Int64(asked) { return writeSilence(frames: asked) }
        writeSilence(frames: Int(silence))
        // Else there was no memory for it: the server asks again.
        if deviceFrames == startFrame { beginContent(at: startFrame) }
    }

    /// Begins the audio at a device frame: behind all that is written, or over the last of it. REAL-TIME.
    @_noLocks private func beginContent(at frame: Int64) {
        leadIn = .placed
        isFeeding = true
        deadline = .max
        let cursor = unsafe rendererReference._withUnsafeGuaranteedRef { $0.cursor }
        contentFrame = frame
        sourceOffset = cursor &- frame
        if frame < deviceFrames {
            seekFrames = frame
            replacedFrames = Int(deviceFrames &- frame)
            // All of it at once, and not a short piece first.
            hasPlayed = true
            firstFrame = frame
        }
        writeWhatIsAsked()
        // The audio's place may be another than the one that the clock was set by last.
        requestTiming()
        if seekFrames < 0 { return }
        // There was nothing to write. What comes later is heard behind the silence, since its place may be past then.
        seekFrames = -1
        hasPlayed = hadPlayedBefore
        contentFrame = deviceFrames
        sourceOffset = cursor &- deviceFrames
    }

    /// Has ``checkLeadIn(_:)`` write over the silence, since going back is not for the audio path: with this turn of
    /// the loop, or when the client has enqueued something. REAL-TIME.
    @_noLocks private func lookSoon() {
        // The client looks at the flag after enqueueing, this thread at the feed after raising it: one of the two sees
        // the other.
        isStarved.store(true, ordering: .sequentiallyConsistent)
        let hasData = unsafe rendererReference._withUnsafeGuaranteedRef { $0.hasData }
        if !hasData { return }
        deadline = 0
        unsafe loopReference._withUnsafeGuaranteedRef { $0.wakeUp(at: 0) }
    }
}
