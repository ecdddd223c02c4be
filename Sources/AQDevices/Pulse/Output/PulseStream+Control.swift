// SPDX-License-Identifier: MIT

import CAQRealTime
import Synchronization

/// The client's calls on the loop's thread.
extension PulseStream {
    /// Makes the server's stream, corked, so that a start only needs to uncork it.
    ///
    /// If the server cannot be reached or refuses the stream, no failure is reported: the next start tries again, and
    /// reports it.
    func preparePlaying() {
        guard case .idle = lifecycle.phase, stream == nil else { return }
        connection.add(self)
        connection.whenConnected { [self] error in
            guard error == nil, case .idle = lifecycle.phase, stream == nil else { return }
            connectStream()
        }
    }

    /// - Parameter hostTime: The time at which the next frame should be audible; 0 for as soon as possible.
    func startPlaying(at hostTime: UInt64 = 0) {
        guard let actions = lifecycle.start() else { return }
        // Limited, so that sums of times cannot overflow.
        timedStart.hostTime = min(hostTime, .max / 2)
        carryOut(actions)
    }

    func pausePlaying(_ ticket: UInt64) {
        carryOut(lifecycle.pause(ticket: ticket, isBeforeStart: isBeforeStart))
    }

    func stopPlaying(_ ticket: UInt64) {
        carryOut(lifecycle.stop(ticket: ticket, isBeforeStart: isBeforeStart))
    }

    func drainPlaying(_ ticket: UInt64) { carryOut(lifecycle.drain(ticket: ticket)) }

    func closePlaying(_ ticket: UInt64) {
        carryOut(lifecycle.close(ticket: ticket, isBeforeStart: isBeforeStart))
    }

    func flushPlaying(_ ticket: UInt64) {
        let now = loopTime
        let before = time.frame(at: now)
        if lifecycle.isRunning, !isBeforeStart {
            flushRunning(before: before, at: now)
        } else {
            if lifecycle.isRunning { waitForStartAgain() }
            carryOut(lifecycle.discard())
            time.timelineZero += time.anchorFrame - before
            publishTime()
        }
        feed.post(.flushed, token: ticket)
    }

    /// Fades out the current audio; the next audio follows directly after the fade-out.
    private func flushRunning(before: Double, at now: UInt64) {
        let isSilent = time.starvedSince != 0
        fadeOut(isPadded: false)
        carryOut(lifecycle.discard())
        if fade.endsInUnderrun, timing.playedFrames(at: now, sampleRate: sampleRate) >= Double(writer.end) {
            time.timelineZero += time.anchorFrame - before
            return renewStream()
        }
        isFeeding = true
        deadline = .max
        renderer.fade.set(from: 1, at: renderer.cursor, frames: 0)
        writer.align(renderer.cursor, to: writer.end)
        let playedFrame = timing.playedFrames(at: now, sampleRate: sampleRate) + Double(writer.offset)
        time.jump(to: min(playedFrame, time.limitFrame), at: now)
        time.timelineZero += time.anchorFrame - before
        if isSilent { beginSilence() } else { publishTime() }
        isStarved.store(true, ordering: .sequentiallyConsistent)
        dataAvailable()
    }

    /// Continues on another stream, with silence in between. Otherwise the frames that the server holds back in this
    /// stream would play before the next audio.
    private func renewStream() {
        dropStream()
        deadline = .max
        lifecycle.beganAnew()
        beginSilence()
        connectStream()
    }
}
