// SPDX-License-Identifier: MIT

import Synchronization

/// A node that mixes its input with echoes.
package final class DelayElement: EffectElement {
    static let longestDelay: Float = 2

    private let delayTimeParameter = EffectParameter(1, in: 0...DelayElement.longestDelay)
    private let feedbackParameter = EffectParameter(50, in: -100...100)
    private let lowPassCutoffParameter = EffectParameter(15_000, in: 10...192_000)
    private let wetDryMixParameter = EffectParameter(100, in: 0...100)
    private let isBypassed = Atomic<Bool>(false)

    package init() {}

    /// The time from the input to the first echo, and between echoes, in seconds: 0 to 2, at least one frame.
    package var delayTime: Float {
        get { delayTimeParameter.value }
        set { delayTimeParameter.value = newValue }
    }

    /// The part of an echo that is repeated, in percent: -100 to 100.
    package var feedback: Float {
        get { feedbackParameter.value }
        set { feedbackParameter.value = newValue }
    }

    /// The frequency in hertz, at least 10, above which each repetition is weaker. From half of the rate on, echoes are
    /// not filtered.
    package var lowPassCutoff: Float {
        get { lowPassCutoffParameter.value }
        set { lowPassCutoffParameter.value = newValue }
    }

    /// The part of the echoes in the output, in percent.
    package var wetDryMix: Float {
        get { wetDryMixParameter.value }
        set { wetDryMixParameter.value = newValue }
    }

    package var bypass: Bool {
        get { isBypassed.load(ordering: .relaxed) }
        set { isBypassed.store(newValue, ordering: .relaxed) }
    }

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
        guard !element.bypass else {
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
        let wet = element.wetDryMix / 100
        return EchoLine.Settings(
            delayFrames: Int((Double(element.delayTime) * sampleRate).rounded()),
            feedback: element.feedback / 100,
            smoothing: EffectState.smoothing(
                cutoff: Double(element.lowPassCutoff), sampleRate: sampleRate),
            dry: 1 - wet, wet: wet)
    }

    func reset() {
        line.clear()
        holdsAudio = false
    }
}
