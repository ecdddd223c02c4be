// SPDX-License-Identifier: MIT

import CAQRealTime
import Synchronization

/// The fades around a pause and a stop, written over audio that the server has not played.
extension PulseStream {
    var fadeFrames: Int64 { Int64(PulseStream.fadeSeconds * sampleRate) }

    /// The longest unreported period of a server that a fade-out waits for.
    private static let longestPeriodSeconds = 0.05

    /// The first device frame that the server has certainly not passed to its sink when a write arrives.
    ///
    /// Never before the client's audio: the silence before it is not replaced.
    ///
    /// - Parameter writeSeconds: The time that the write may take.
    func firstRewritableFrame(writeSeconds: Double = PulseTiming.writeSeconds) -> Int64 {
        let frame = timing.rewritableFrame(
            at: loopTime, writeSeconds: writeSeconds, sampleRate: sampleRate, limit: writer.end)
        return max(frame, min(timedStart.contentFrame, writer.end))
    }

    /// The first device frame that a fade-out can replace. If too few frames would be left for a fade, a faster write
    /// is assumed.
    private func firstFadingFrame() -> Int64 {
        let frame = firstRewritableFrame()
        guard writer.end - frame < fadeFrames else { return frame }
        return firstRewritableFrame(writeSeconds: PulseTiming.quickWriteSeconds)
    }

    /// Replaces the written audio that has not played by a fade-out, and sets the deadline at its end.
    ///
    /// If the client's audio ends before a fade of full length would, the fade ends with it. The renderer's cursor is
    /// moved to the frame where the fade began: playback resumes there.
    ///
    /// If there is nothing to fade, nothing is written, not even silence: a server that converts the rate, or plays
    /// whole periods, holds back the last frames it got, and would play them before the silence.
    ///
    /// - Parameter isPadded: Whether silence follows the fade-out, at least to the end of the written audio.
    func fadeOut(isPadded: Bool = true) {
        isFeeding = false
        let written = writer.end
        let isUnderrun = time.starvedSince != 0 && written == stall.underrunFrame
        renderer.rewind(to: (isUnderrun ? firstUnreadFrame : firstFadingFrame()) + writer.offset)
        let resumeFrame = renderer.cursor
        let left = isUnderrun ? 0 : renderer.framesToPlay(usedUpTo: resumeFrame).frames
        let frames = min(Int(fadeFrames), left)
        let revocable = timing.revocableFrames(sampleRate: sampleRate)
        fade.endsInUnderrun = frames == 0 && writer.hasPlayed
        if frames > 0 {
            renderer.fade.ramp(to: 0, from: resumeFrame, frames: Int64(frames))
            writer.seek(to: resumeFrame - writer.offset)
            write(frames: frames)
            // Silence until the stream is corked, also for servers that hold back less than a period.
            if isPadded {
                let period = max(timing.sinkBlockFrames, Int(PulseStream.longestPeriodSeconds * sampleRate))
                writeSilence(frames: period + revocable)
            }
            renderer.rewind(to: resumeFrame)
        }
        let end = resumeFrame - writer.offset + Int64(frames)
        // Corking takes back frames that the sink has taken and not played, so the fade must play first.
        let now = loopTime
        let read = timing.readFrames(at: now, sampleRate: sampleRate, limit: written)
        let seconds = max(0, Double(end) - read + Double(revocable)) / sampleRate + 0.002
        fade.written(
            to: end, playedAt: now + UInt64(min(seconds, 2) * 1e9), replacingAudioTo: isPadded ? written : 0)
        setDeadline(fade.hostTime)
    }

    /// The first device frame that a server with nothing to play has not taken. The server may hold back some frames.
    private var firstUnreadFrame: Int64 {
        guard timing.isValid, !timing.isMoving else { return writer.end }
        return min(writer.end, Int64(timing.readFrames.rounded(.up)))
    }

    /// Asks whether the fade-out has played, because its estimated end has passed. On a server with long periods, the
    /// end is later.
    func checkFade(_ now: UInt64) {
        let longest = UInt64(2 * PulseStream.longestPeriodSeconds * 1e9)
        guard now < fade.hostTime + longest, server.isReady else { return finishFade() }
        // Not before: seconds of silence take milliseconds to write, in which the sink takes what the fade replaces.
        writeSilence(frames: Int(max(0, fade.replacedEndFrame - writer.end)))
        // In case the server does not answer.
        setDeadline(fade.hostTime + longest)
        server.ask(.timing) { [self] in fadeIsTimed() }
    }

    /// Ends the fade-out, or asks again soon if the server has not reached its end.
    private func fadeIsTimed() {
        guard lifecycle.isFading else { return }
        let now = loopTime
        // Otherwise the question was about an earlier fade-out.
        guard now >= fade.hostTime else { return }
        if let info = stream?.timing, info.isPlaying, info.isReadOffsetKnown,
            info.readOffset / Int64(bytesPerFrame) < fade.endFrame
        {
            return setDeadline(now + 2_000_000)
        }
        deadline = .max
        finishFade()
    }

    /// Corks the stream after the fade-out has played, and answers the call.
    private func finishFade() { carryOut(lifecycle.fadeIsOver()) }

    /// Prepares the stream for the next start, or drops it if the server holds back its last frames, which would play
    /// before the next audio.
    func leaveStream() {
        if fade.endsInUnderrun { dropStream() } else { settle() }
    }
}
