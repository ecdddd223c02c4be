// SPDX-License-Identifier: MIT

/// Mixes the input with reverberation.
///
/// The channels are folded to two, delayed, diffused by all-pass filters, and reverberated. Each channel of the output
/// is another sum of the lines, so that the channels are not correlated. Used by the rendering thread.
@safe final class ReverbKernel: GraphKernel, @unchecked Sendable {
    // SAFETY: one rendering thread at a time uses the memory, which deinit frees.

    /// The lengths of the all-pass filters in seconds, and their gains.
    private static let diffusion: [(seconds: Double, gain: Float)] = [
        (0.0048, 0.75), (0.0036, 0.75), (0.0127, 0.625), (0.0093, 0.625),
    ]

    private let element: ReverbElement
    private let sampleRate: Double
    private let channels: Int
    private let predelay: AllPassDelay
    private let diffusers: [AllPassDelay]
    private let tank: ReverbTank
    /// The two channels that are reverberated.
    private let folded: UnsafeMutablePointer<SIMD2<Float>>
    /// The outputs of the lines.
    private let lines: UnsafeMutablePointer<SIMD8<Float>>
    /// The signs with which each channel adds the lines: rows of a Hadamard matrix.
    private let signs: [SIMD8<Float>]
    private var presetNumber: Int
    private var wet = GainMove()
    private var dry: [GainMove]
    private var holdsAudio = false
    private var quietFrames = 0

    init(_ element: ReverbElement, _ setup: KernelSetup) {
        let rate = setup.output.sampleRate
        self.element = element
        sampleRate = rate
        channels = setup.output.channels
        predelay = AllPassDelay(capacityFrames: Int(ReverbPreset.longestPredelay * rate), gain: 0)
        diffusers = Self.diffusion.map {
            AllPassDelay(capacityFrames: Int($0.seconds * rate), gain: $0.gain)
        }
        tank = ReverbTank(sampleRate: rate)
        unsafe folded = .allocate(capacity: setup.maximumFrames)
        unsafe folded.initialize(repeating: .zero, count: setup.maximumFrames)
        unsafe lines = .allocate(capacity: setup.maximumFrames)
        unsafe lines.initialize(repeating: .zero, count: setup.maximumFrames)
        signs = (0..<channels).map { Self.signs(ofChannel: $0) }
        dry = Array(repeating: GainMove(), count: channels)
        presetNumber = element.preset
        setPreset()
    }

    deinit {
        unsafe folded.deallocate()
        unsafe lines.deallocate()
    }

    private static func signs(ofChannel channel: Int) -> SIMD8<Float> {
        var signs = SIMD8<Float>(repeating: 1)
        // Even rows first: the first row is the difference of the two channels that are reverberated.
        let row = (2 * (channel % 7) + 1) % 7 + 1
        for line in 0..<8 where (row & line).nonzeroBitCount % 2 == 1 { signs[line] = -1 }
        return signs
    }

    private func setPreset() {
        let preset = ReverbPreset.preset(presetNumber)
        predelay.setLength(Int(preset.predelay * sampleRate))
        tank.set(preset)
        reset()
    }

    func render(_ target: PlanarSamples, _ call: RenderCall) -> Bool {
        let hasInput = call.render(input: 0, target, time: call.time)
        guard !element.bypass.isOn else {
            if holdsAudio { reset() }
            return hasInput
        }
        guard hasInput || holdsAudio else { return false }
        if element.preset != presetNumber {
            presetNumber = element.preset
            setPreset()
        }
        fold(target)
        unsafe predelay.process(folded, frames: target.frames)
        for index in diffusers.indices { unsafe diffusers[index].process(folded, frames: target.frames) }
        let energy = unsafe tank.process(folded, into: lines, frames: target.frames)
        mix(target)
        finishSlice(frames: target.frames, hasInput: hasInput, energy)
        return true
    }

    /// Adds the channels with even and odd numbers. A single channel is both.
    private func fold(_ source: PlanarSamples) {
        let gain = 1 / Float(max(1, channels / 2))
        let (first, second) = unsafe (source[0], source[min(1, channels - 1)])
        for frame in 0..<source.frames {
            unsafe folded[frame] = SIMD2<Float>(first[frame], second[frame]) * gain
        }
        guard channels > 2 else { return }
        for channel in 2..<channels {
            let samples = unsafe source[channel]
            let gains = channel % 2 == 0 ? SIMD2<Float>(gain, 0) : SIMD2<Float>(0, gain)
            for frame in 0..<source.frames { unsafe folded[frame] += gains * samples[frame] }
        }
    }

    private func mix(_ target: PlanarSamples) {
        let part = element.wetDryMix.value / 100
        for channel in 0..<channels {
            unsafe dry[channel].scale(target[channel], frames: target.frames, wanted: 1 - part)
        }
        wet.move(to: part * tank.outputGain, frames: target.frames) { start, count, gain, step in
            for channel in 0..<channels {
                let (samples, row) = unsafe (target[channel], signs[channel])
                for index in 0..<count {
                    let reverberation = unsafe ReverbTank.total(lines[start + index] * row)
                    unsafe samples[start + index] += reverberation * (gain + step * Float(index))
                }
            }
        }
    }

    private func finishSlice(frames: Int, hasInput: Bool, _ energy: Float) {
        guard energy.isFinite else { return reset() }
        holdsAudio = true
        quietFrames = !hasInput && energy < EffectState.silentEnergy ? quietFrames + frames : 0
        // After this time, nothing that was stored before is left.
        var longest = predelay.capacityFrames + tank.longestFrames
        for index in diffusers.indices { longest += diffusers[index].capacityFrames }
        if quietFrames >= longest { reset() }
    }

    func reset() {
        predelay.clear()
        for index in diffusers.indices { diffusers[index].clear() }
        tank.clear()
        (holdsAudio, quietFrames) = (false, 0)
    }
}
