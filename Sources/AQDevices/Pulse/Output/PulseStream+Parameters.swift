// SPDX-License-Identifier: MIT

import CAQRealTime
import Synchronization

/// Volume and pan, which also change audio that the server already has.
extension PulseStream {
    // MARK: From any thread

    func levels() -> [ChannelLevel] {
        let state = clock.snapshot()
        // If the clock is stopped, or counts the silence of an underrun, nothing is audible.
        guard state.isRunning, state.frameRate > 0, state.starvedSince == 0 else {
            return renderer.meter.silence()
        }
        let frame = state.frame(at: aq_host_time())
        let parameters = renderer.published.snapshot()
        return renderer.meter.levels(at: frame)
            .scaled(
                gain: parameters.volume.ramp.gain(at: Int64(frame)),
                position: parameters.pan.ramp.gain(at: Int64(frame)))
    }

    var segmentGain: Float? {
        // A pending call counts at once, even before the loop's thread carries it out.
        guard parameterCalls.load(ordering: .acquiring) == 0 else { return nil }
        return renderer.published.snapshot().volume.segmentValue
    }

    var segmentPan: Float? {
        guard parameterCalls.load(ordering: .acquiring) == 0 else { return nil }
        return renderer.published.snapshot().pan.segmentValue
    }

    // MARK: Loop thread

    func changeGain(_ gain: Float, rampSeconds: Double) {
        defer { parameterCalls.subtract(1, ordering: .releasing) }
        let gain = GainRamp.valid(gain)
        let frames = Int64(max(0, min(rampSeconds, 3600)) * sampleRate)
        let written = goBack()
        let isAudible = written != nil
        let rampFrames = isAudible ? max(frames, fadeFrames) : writer.hasPlayed ? frames : 0
        renderer.volume.ramp(to: gain, from: renderer.cursor, frames: rampFrames)
        publishParameters()
        if let written { replace(upTo: written) }
    }

    func changePan(_ pan: Float) {
        defer { parameterCalls.subtract(1, ordering: .releasing) }
        // Pan has no effect unless the stream is stereo.
        let written = renderer.layout.channels == 2 ? goBack() : nil
        renderer.movePan(to: pan, frames: written == nil ? 0 : fadeFrames)
        publishParameters()
        if let written { replace(upTo: written) }
    }

    /// Rewinds to the first frame that can be rewritten, so that a change is audible soon, not a buffer later.
    ///
    /// - Returns: The end of the written audio, for ``replace(upTo:)``; nil if nothing is playing.
    private func goBack() -> Int64? {
        guard lifecycle.isRunning, isFeeding, stream != nil else { return nil }
        let written = writer.end
        renderer.rewind(to: firstRewritableFrame() + writer.offset)
        return written
    }

    /// Rewrites the audio between the renderer's cursor and `written`.
    private func replace(upTo written: Int64) {
        writer.replace(from: renderer.cursor - writer.offset, upTo: written)
        writeRequested()
    }

    /// Publishes the audible volume and pan to other threads. REAL-TIME.
    @_noLocks func publishParameters() {
        let frame = Int64(time.frame(at: loopTime))
        unsafe references.renderer._withUnsafeGuaranteedRef { $0.publishParameters(at: frame) }
    }
}
