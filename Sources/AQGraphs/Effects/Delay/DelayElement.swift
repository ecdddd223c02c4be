// SPDX-License-Identifier: MIT

/// A node that mixes its input with echoes.
package final class DelayElement: EffectElement {
    static let longestDelay: Float = 2

    /// The time from the input to the first echo, and between echoes, in seconds: 0 to 2, at least one frame.
    package let delayTime = EffectParameter(1, in: 0...DelayElement.longestDelay)
    /// The part of an echo that is repeated, in percent: -100 to 100.
    package let feedback = EffectParameter(50, in: -100...100)
    /// The frequency in hertz, at least 10, above which each repetition is weaker. From half of the rate on, echoes are
    /// not filtered.
    package let lowPassCutoff = EffectParameter(15_000, in: 10...192_000)
    /// The part of the echoes in the output, in percent.
    package let wetDryMix = EffectParameter(100, in: 0...100)
    package let bypass = EffectSwitch()

    package init() {}

    package func makeKernel(_ setup: KernelSetup) -> (any GraphKernel)? {
        setup.keepsFormat ? DelayKernel(self, setup) : nil
    }
}

/// Mixes the input with echoes.
///
/// Used by the rendering thread.
private final class DelayKernel: GraphKernel, @unchecked Sendable {
    // SAFETY: one rendering thread at a time uses the line.
    private let element: DelayElement
    private let sampleRate: Double
    private let line: EchoLine
    /// Whether the line may hold audio.
    private var holdsAudio = false

    init(_ element: DelayElement, _ setup: KernelSetup) {
        self.element = element
        sampleRate = setup.output.sampleRate
        let frames = (Double(DelayElement.longestDelay) * sampleRate).rounded(.up)
        line = EchoLine(channels: setup.output.channels, maximumDelay: max(1, Int(frames)))
    }

    func render(_ target: PlanarSamples, _ call: RenderCall) -> Bool {
        let hasInput = call.render(input: 0, target, time: call.time)
        guard !element.bypass.isOn else {
            if holdsAudio { reset() }
            return hasInput
        }
        guard hasInput || holdsAudio else { return false }
        line.process(target, settings)
        holdsAudio = hasInput || !line.isQuiet
        if !holdsAudio { reset() }
        return true
    }

    private var settings: EchoLine.Settings {
        let wet = element.wetDryMix.value / 100
        return EchoLine.Settings(
            delayFrames: Int((Double(element.delayTime.value) * sampleRate).rounded()),
            feedback: element.feedback.value / 100,
            smoothing: EffectState.smoothing(
                cutoff: Double(element.lowPassCutoff.value), sampleRate: sampleRate),
            dry: 1 - wet, wet: wet)
    }

    func reset() {
        line.clear()
        holdsAudio = false
    }
}
