import CRealTime
import Synchronization

/// Volume and pan, which change what the server has already got.
extension PulseStream {
    // MARK: From any thread

    func levels() -> [ChannelLevel] {
        let state = clock.snapshot()
        // Where the clock stands, or counts the silence of an underrun, nothing is heard.
        guard state.isRunning, state.frameRate > 0, state.starvedSince == 0 else {
            return renderer.meter.silence()
        }
        let frame = state.frame(at: aq_host_time())
        let heard = renderer.heard.snapshot()
        return renderer.meter.levels(at: frame)
            .heard(
                gain: heard.volume.ramp.gain(at: Int64(frame)),
                position: heard.pan.ramp.gain(at: Int64(frame)))
    }

    var segmentGain: Float? {
        // What a call has set holds at once for who asks, though the loop's thread is still to carry it out.
        guard parameterCalls.load(ordering: .acquiring) == 0 else { return nil }
        let volume = renderer.heard.snapshot().volume
        return volume.isOfSegment ? volume.ramp.endGain : nil
    }

    var segmentPan: Float? {
        guard parameterCalls.load(ordering: .acquiring) == 0 else { return nil }
        let pan = renderer.heard.snapshot().pan
        return pan.isOfSegment ? pan.ramp.endGain : nil
    }

    // MARK: The loop's thread

    func changeGain(_ gain: Float, rampSeconds: Double) {
        defer { parameterCalls.subtract(1, ordering: .releasing) }
        let gain = GainRamp.valid(gain)
        let frames = Int64(max(0, min(rampSeconds, 3600)) * sampleRate)
        let written = goBack()
        let isHeard = written != nil
        let rampFrames = isHeard ? max(frames, fadeFrames) : writer.hasPlayed ? frames : 0
        renderer.volume.ramp(to: gain, from: renderer.cursor, frames: rampFrames)
        noteHeardParameters()
        if let written { replace(upTo: written) }
    }

    func changePan(_ pan: Float) {
        defer { parameterCalls.subtract(1, ordering: .releasing) }
        // Others than stereo sound as before.
        let written = renderer.channels == 2 ? goBack() : nil
        renderer.movePan(to: pan, frames: written == nil ? 0 : fadeFrames)
        noteHeardParameters()
        if let written { replace(upTo: written) }
    }

    /// Rewinds to what can still be rewritten, so that a change is heard soon and not a buffer later.
    ///
    /// - Returns: The end of what is written, for ``replace(upTo:)``; nil when nothing is to be heard as it is now.
    private func goBack() -> Int64? {
        guard lifecycle.isRunning, isFeeding, stream != nil else { return nil }
        let written = writer.end
        renderer.rewind(to: firstRewritableFrame() + writer.offset)
        return written
    }

    /// Writes anew what lies between the renderer's cursor and `written`.
    private func replace(upTo written: Int64) {
        writer.replace(from: renderer.cursor - writer.offset, upTo: written)
        writeWhatIsAsked()
    }

    /// Tells other threads of the volume and the pan where the stream is heard. REAL-TIME.
    @_noLocks func noteHeardParameters() {
        let frame = Int64(time.frame(at: loopTime))
        unsafe references.renderer._withUnsafeGuaranteedRef { $0.publishParameters(at: frame) }
    }
}
