import CRealTime
import Synchronization

/// Volume and pan, which change what the server has already got.
extension PulseStream {
    func changeGain(_ gain: Float, rampSeconds: Double) {
        let gain = GainRamp.valid(gain)
        heardGain.store(gain.bitPattern, ordering: .relaxed)
        let frames = Int64(max(0, min(rampSeconds, 3600)) * sampleRate)
        let written = goBack()
        let isHeard = written != nil
        let rampFrames = isHeard ? max(frames, fadeFrames) : hasPlayed ? frames : 0
        renderer.volume.ramp(to: gain, from: renderer.cursor, frames: rampFrames)
        if let written { replace(upTo: written) }
    }

    func changePan(_ pan: Float) {
        guard renderer.channels == 2 else { return }
        heardPan.store(StereoBalance.valid(pan).bitPattern, ordering: .relaxed)
        let written = goBack()
        renderer.movePan(to: pan, frames: written == nil ? 0 : fadeFrames)
        if let written { replace(upTo: written) }
    }

    /// Rewinds to what can still be rewritten, so that a change is heard soon and not a buffer later.
    ///
    /// - Returns: The end of what is written, for ``replace(upTo:)``; nil when nothing is to be heard as it is now.
    private func goBack() -> Int64? {
        guard case .running = phase, isFeeding, unsafe stream != nil else { return nil }
        let written = deviceFrames
        renderer.rewind(to: firstRewritableFrame() + sourceOffset)
        return written
    }

    /// Writes anew what lies between the renderer's cursor and `written`.
    private func replace(upTo written: Int64) {
        seekFrames = renderer.cursor - sourceOffset
        replacedFrames = Int(written - seekFrames)
        if replacedFrames == 0 { seekFrames = -1 }
        writeWhatIsAsked()
    }

    /// Notes what is heard where segments have a say in it, for ``levels()``. REAL-TIME.
    @_noLocks func noteHeardParameters() {
        let frame = Int64(time.frame(at: aq_host_time()))
        let gain = unsafe rendererReference._withUnsafeGuaranteedRef { $0.gain(at: frame) }
        let position = unsafe rendererReference._withUnsafeGuaranteedRef { $0.position(at: frame) }
        heardGain.store(gain.bitPattern, ordering: .relaxed)
        heardPan.store(position.bitPattern, ordering: .relaxed)
    }
}
