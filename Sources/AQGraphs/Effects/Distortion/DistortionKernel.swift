// SPDX-License-Identifier: MIT

/// Mixes the input with the distorted input.
///
/// Used by the rendering thread.
final class DistortionKernel: GraphKernel, @unchecked Sendable {
    // SAFETY: one rendering thread at a time uses the memory and the states of the stages.

    private let element: DistortionElement
    private let sampleRate: Double
    private let distorted: PlanarMemory
    private let carrierMemory: PlanarMemory
    private var carrier = RingCarrier()
    private var hold: SampleHold
    private let echoes: EchoLine
    private var presetNumber: Int
    private var shape: DistortionShape
    private var dry: [GainMove]
    private var wet: [GainMove]
    /// Whether a stage may hold audio.
    private var holdsAudio = false

    init(_ element: DistortionElement, _ setup: KernelSetup) {
        let channels = setup.output.channels
        self.element = element
        sampleRate = setup.output.sampleRate
        distorted = PlanarMemory(channels: channels, capacityFrames: setup.maximumFrames)
        carrierMemory = PlanarMemory(channels: 1, capacityFrames: setup.maximumFrames)
        hold = SampleHold(channels: channels)
        let delay = Int((DistortionShape.longestEcho * setup.output.sampleRate).rounded(.up))
        echoes = EchoLine(channels: channels, maximumDelay: max(1, delay))
        presetNumber = element.preset
        shape = DistortionShape.preset(presetNumber)
        dry = Array(repeating: GainMove(), count: channels)
        wet = Array(repeating: GainMove(), count: channels)
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
            shape = DistortionShape.preset(presetNumber)
            reset()
        }
        let samples = distorted.prefix(target.frames)
        samples.copy(target)
        distort(samples)
        let part = element.wetDryMix.value / 100
        for channel in 0..<target.channels {
            unsafe dry[channel].scale(target[channel], frames: target.frames, wanted: 1 - part)
            unsafe wet[channel].add(
                samples[channel], to: target[channel], frames: target.frames, wanted: part)
        }
        holdsAudio = hasInput || !isQuiet
        if !holdsAudio { reset() }
        return true
    }

    private func distort(_ samples: PlanarSamples) {
        if shape.ringFrequency > 0 { multiply(samples) }
        if shape.heldRate > 0 { hold.process(samples, step: min(1, shape.heldRate / sampleRate)) }
        let gain = EffectState.factor(decibels: element.preGain.value) * shape.drive
        for channel in 0..<samples.channels {
            let memory = unsafe samples[channel]
            unsafe shape.limit(memory, frames: samples.frames, gain: gain)
            if shape.bits > 0 { unsafe shape.round(memory, frames: samples.frames) }
        }
        if shape.echoTime > 0 { echoes.process(samples, echoSettings) }
    }

    private func multiply(_ samples: PlanarSamples) {
        let factors = unsafe carrierMemory.prefix(samples.frames)[0]
        unsafe carrier.write(
            factors, frames: samples.frames, frequency: shape.ringFrequency, sampleRate: sampleRate)
        for channel in 0..<samples.channels {
            let memory = unsafe samples[channel]
            for frame in 0..<samples.frames { unsafe memory[frame] *= factors[frame] }
        }
    }

    /// Half of the output are echoes, whose sum never exceeds 1.
    private var echoSettings: EchoLine.Settings {
        EchoLine.Settings(
            delayFrames: Int(shape.echoTime * sampleRate), feedback: shape.echoFeedback, smoothing: 1,
            dry: 0.5, wet: 0.5 * (1 - shape.echoFeedback))
    }

    /// Whether all stages hold silence.
    private var isQuiet: Bool {
        (shape.heldRate == 0 || hold.isQuiet) && (shape.echoTime == 0 || echoes.isQuiet)
    }

    func reset() {
        carrier.reset()
        hold.reset()
        echoes.clear()
        holdsAudio = false
    }
}
