import CRealTime
import Synchronization

/// The fades around a pause and a stop, written over what the server has not yet played.
extension PulseStream {
    var fadeFrames: Int64 { Int64(PulseStream.fadeSeconds * sampleRate) }

    /// The first device frame that the server has surely not handed to its sink when a write arrives.
    ///
    /// None before the client's audio: what is there is silence, and stays.
    func firstRewritableFrame() -> Int64 {
        let frame = timing.rewritableFrame(at: aq_host_time(), sampleRate: sampleRate, limit: deviceFrames)
        return max(frame, min(contentFrame, deviceFrames))
    }

    /// Replaces what is written and not yet played by a fade-out, and sets the deadline at its end.
    ///
    /// The renderer's cursor is left at the frame where the fade began: playback resumes there.
    ///
    /// - Parameter isPadded: Whether silence follows, over all that was written.
    func fadeOut(isPadded: Bool = true) {
        isFeeding = false
        let written = deviceFrames
        renderer.rewind(to: firstRewritableFrame() + sourceOffset)
        let resumeFrame = renderer.cursor
        renderer.fade.ramp(to: 0, from: resumeFrame, frames: fadeFrames)
        seekFrames = resumeFrame - sourceOffset
        _ = write(frames: Int(fadeFrames))
        // The silence lasts until the stream is corked, and for servers that hold back less than a period.
        let revocable = timing.revocableFrames(sampleRate: sampleRate)
        if isPadded {
            writeSilence(frames: max(Int(written - deviceFrames), timing.sinkBlockFrames + revocable))
        }
        let fadeEnd = Double(resumeFrame - sourceOffset + fadeFrames)
        renderer.rewind(to: resumeFrame)
        // Corking takes back what the sink has taken and not yet played: the fade must have been heard.
        let now = aq_host_time()
        let read = timing.readFrames(at: now, sampleRate: sampleRate, limit: written)
        let seconds = max(0, fadeEnd - read + Double(revocable)) / sampleRate + 0.002
        setDeadline(now + UInt64(min(seconds, 2) * 1e9))
    }

    /// The fade-out was heard: corks the stream, and answers the call that asked for it.
    func finishFade() {
        let isStop = if case .fadingToStop = phase { true } else { false }
        settle()
        time.isRunning = false
        time.endSilence(at: aq_host_time(), nominalRate: clock.nominalRate)
        standStill(at: Double(renderer.cursor))
        returnReserve()
        answerPause()
        phase = isStop ? .idle : .paused
        goOnAfterFade()
    }

    /// Carries out what was called while a fade-out was under way, when it is over.
    func goOnAfterFade() {
        let next = afterFade
        afterFade = .nothing
        switch next {
        case .nothing: break
        case .start: startPlaying(at: startHostTime)
        case .close: end(in: .closed)
        }
    }

    /// Posts the notice of the pause that waits for its fade-out, if one does.
    func answerPause() {
        if case .fadingToPause(let ticket) = phase { feed.post(.paused, token: ticket) }
    }
}
