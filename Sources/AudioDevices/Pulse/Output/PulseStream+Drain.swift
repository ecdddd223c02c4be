import CRealTime
import Synchronization

/// Playing the last frames: the server is asked, then polled, with a time limit.
extension PulseStream {
    /// More than a server's rate converter holds back.
    private static let tailSeconds = 0.002

    /// Asks the server to report the end of playback, if everything is written.
    func drainServerIfWritten() {
        guard isFeeding, !renderer.hasData, stream != nil, lifecycle.askToDrain() else { return }
        pushOutTail()
        server.ask(.drain) { [self] in serverDrained() }
        // A server that hangs never answers; the written audio lasts at most this long.
        let held = Double(writer.end) - timing.playedFrames(at: loopTime, sampleRate: sampleRate)
        let seconds = min(max(held, 0) / sampleRate, 30) + 1
        setDeadline(loopTime + UInt64(seconds * 1e9))
    }

    /// Writes silence after the last frame if the server converts the rate. The converter holds back some frames until
    /// more data comes, and would play them before the next audio. Not done after a gap, where it would play them now.
    private func pushOutTail() {
        fade.endsDry = false
        guard writer.hasPlayed, grant.deviceSampleRate != sampleRate else { return }
        let read = timing.readFrames(at: loopTime, sampleRate: sampleRate, limit: writer.end)
        let isLate = Double(writer.end) - read < PulseTiming.writeSeconds * sampleRate
        fade.endsDry = time.starvedSince != 0 || isLate
        if !fade.endsDry { writeSilence(frames: Int(PulseStream.tailSeconds * sampleRate)) }
    }

    private func serverDrained() {
        guard lifecycle.serverDrained() else { return }
        // The sink may hold back what it took, so ask how much and wait that long.
        guard stream != nil else { return finishDrain() }
        server.ask(.timing) { [self] in sinkIsTimed() }
    }

    private func sinkIsTimed() {
        guard case .waitingForSink = lifecycle.drain else { return }
        let left = Double(writer.end) - timing.playedFrames(at: loopTime, sampleRate: sampleRate)
        if left <= 0 { return finishDrain() }
        setDeadline(loopTime + UInt64(min(left / sampleRate, 2) * 1e9))
    }

    /// The last frame was audible, or the time limit has passed.
    func finishDrain() {
        deadline = .max
        carryOut(lifecycle.finishDrain())
    }
}
