import CRealTime
import Synchronization

/// The playing out of the last frames: the server is asked, then checked, with a limit to the waiting.
extension PulseStream {
    /// More than a server's converter of rates holds back.
    private static let tailSeconds = 0.002

    /// Once all is written: has the server say when it is played.
    func drainServerIfWritten() {
        guard isFeeding, !renderer.hasData, stream != nil, lifecycle.askToDrain() else { return }
        pushOutTail()
        server.ask(.drain) { [self] in serverDrained() }
        // A server that hangs never answers: what is written takes this long at most.
        let held = Double(writer.end) - timing.heardFrames(at: loopTime, sampleRate: sampleRate)
        let seconds = min(max(held, 0) / sampleRate, 30) + 1
        setDeadline(loopTime + UInt64(seconds * 1e9))
    }

    /// Writes silence behind the last frame where the server converts the rate: it holds back some frames until more come,
    /// and what follows the drain would begin with them. Not behind a gap, after which they would be heard now.
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
        // The sink may hold back what it took: ask how much, and let that pass.
        guard stream != nil else { return finishDrain() }
        server.ask(.timing) { [self] in sinkIsTimed() }
    }

    private func sinkIsTimed() {
        guard case .waitingForSink = lifecycle.drain else { return }
        let left = Double(writer.end) - timing.heardFrames(at: loopTime, sampleRate: sampleRate)
        if left <= 0 { return finishDrain() }
        setDeadline(loopTime + UInt64(min(left / sampleRate, 2) * 1e9))
    }

    /// The last frame was heard, or the time limit has passed.
    func finishDrain() {
        deadline = .max
        carryOut(lifecycle.finishDrain())
    }
}
