// SPDX-License-Identifier: MIT

import Synchronization

/// A node whose output is the sum of its inputs.
package final class MixerElement: GraphElement {
    private let volumeBits = Atomic<UInt32>(Float(1).bitPattern)

    package init() {}

    /// The factor of the sum.
    package var volume: Float {
        get { Float(bitPattern: volumeBits.load(ordering: .relaxed)) }
        set { volumeBits.store((newValue.isFinite ? newValue : 0).bitPattern, ordering: .relaxed) }
    }

    package func makeKernel(_ setup: KernelSetup) -> (any GraphKernel)? { MixerKernel(self, setup) }
}

/// Adds the inputs, each with the gains of its source.
///
/// Used by the rendering thread.
private final class MixerKernel: GraphKernel, @unchecked Sendable {
    // SAFETY: one rendering thread at a time uses the gains and the memory.
    private let element: MixerElement
    private let input: PlanarMemory
    /// The gains of each input's channels, by input and channel.
    private var inputGains: [GainMove]
    private var outputGains: [GainMove]

    init(_ element: MixerElement, _ setup: KernelSetup) {
        self.element = element
        input = PlanarMemory(channels: setup.output.channels, capacityFrames: setup.maximumFrames)
        inputGains = Array(repeating: GainMove(), count: setup.inputs.count * setup.output.channels)
        outputGains = Array(repeating: GainMove(), count: setup.output.channels)
    }

    func render(_ target: PlanarSamples, _ call: RenderCall) -> Bool {
        target.silence()
        var hasSound = false
        let source = input.prefix(target.frames)
        for bus in 0..<call.inputCount {
            guard let mix = call.mix(ofInput: bus), call.render(input: bus, source, time: call.time)
            else { continue }
            hasSound = true
            for channel in 0..<target.channels {
                let gain = mix.gain(ofChannel: channel, of: target.channels)
                unsafe inputGains[bus * target.channels + channel].add(
                    source[channel], to: target[channel], frames: target.frames, wanted: gain)
            }
        }
        let volume = element.volume
        for channel in 0..<target.channels {
            unsafe outputGains[channel].scale(target[channel], frames: target.frames, wanted: volume)
        }
        return hasSound
    }

    func reset() {}
}
