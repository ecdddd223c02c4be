// SPDX-License-Identifier: MIT

import CAQRealTime
import Synchronization

/// The end of playback: the server is asked to play the last frames, and then for the sink's latency, with a time
/// limit.
extension PulseStream {
    /// The duration of silence that is longer than the frames held back by a server's rate converter.
    private static let tailSeconds = 0.002
    /// The longest audio that a drain waits for.
    private static let longestDrainSeconds = 30.0

    /// Asks the server to report the end of playback, if everything is written.
    func drainServerIfWritten() {
        guard isFeeding, !renderer.hasData, stream != nil, lifecycle.askToDrain() else { return }
        pushOutTail()
        server.ask(.drain) { [self] in serverDrained() }
        limitDrain()
    }

    /// Resumes a drain after the server has held the stream.
    func resumeDrain() {
        guard lifecycle.drain.ticket != nil, !lifecycle.drain.isWaitingForFeed else { return }
        setDeadline(loopTime + UInt64((Self.longestDrainSeconds + 1) * 1e9))
        server.ask(.timing) { [self] in
            if case .waitingForServer = lifecycle.drain { limitDrain() }
            sinkIsTimed()
        }
    }

    /// Limits the wait for the server to the duration of the written audio, because a server that hangs never answers. The
    /// wait continues while the server holds the stream.
    private func limitDrain() {
        let held = Double(writer.end) - timing.playedFrames(at: loopTime, sampleRate: sampleRate)
        let seconds = min(max(held, 0) / sampleRate, Self.longestDrainSeconds) + 1
        setDeadline(loopTime + UInt64(seconds * 1e9))
    }

    /// Writes silence after the last frame if the server converts the rate. The converter holds back some frames until
    /// more data arrives, and would play them before the next audio. After a gap nothing is written, because the
    /// silence would play the held frames now.
    private func pushOutTail() {
        fade.endsInUnderrun = false
        guard writer.hasPlayed, grant.deviceSampleRate != sampleRate else { return }
        let read = timing.readFrames(at: loopTime, sampleRate: sampleRate, limit: writer.end)
        let isLate = Double(writer.end) - read < PulseTiming.writeSeconds * sampleRate
        fade.endsInUnderrun = time.starvedSince != 0 || isLate
        if !fade.endsInUnderrun { writeSilence(frames: Int(PulseStream.tailSeconds * sampleRate)) }
    }

    private func serverDrained() {
        guard lifecycle.serverDrained() else { return }
        // The sink may still hold frames, so the server is asked for their duration.
        guard stream != nil else { return finishDrain() }
        server.ask(.timing) { [self] in sinkIsTimed() }
    }

    private func sinkIsTimed() {
        guard case .waitingForSink = lifecycle.drain else { return }
        let left = Double(writer.end) - timing.playedFrames(at: loopTime, sampleRate: sampleRate)
        if left <= 0 { return finishDrain() }
        setDeadline(loopTime + UInt64(min(left / sampleRate, 2) * 1e9))
    }

    /// Ends the drain, because the last frame was audible or the time limit has passed.
    func finishDrain() {
        deadline = .max
        carryOut(lifecycle.finishDrain())
    }
}
