// SPDX-License-Identifier: MIT

import AQExpectations
import Testing

@testable import AQGraphs

@Suite("A reverb")
struct ReverbTests {
    private static let sampleRate = 16_000.0

    private func rig(preset: Int, channels: Int = 2, input: @escaping KernelRig.Input) -> KernelRig {
        let element = ReverbElement()
        element.preset = preset
        return KernelRig(
            element, sampleRate: Self.sampleRate, channels: channels, sliceFrames: 160, input: input)
    }

    @Test("decays by about 60 dB in the time of the room, then is silent")
    func decay() {
        let rig = rig(preset: 0, input: Signal.impulse)
        let output = rig.render(8_000)[0]
        let parts = stride(from: 0, to: 8_000, by: 1_600).map { Signal.power(output[$0..<$0 + 1_600]) }
        #expect(zip(parts, parts.dropFirst()).allSatisfy { $1 < $0 })
        #expect(parts[0] > 0 && parts[4] < 1e-3 * parts[0] && parts[4] > 0)
        _ = rig.render(32_000)
        #expect(!rig.hasSound)
        expectEqual(Signal.peak(rig.render(160)[0]), 0)
    }

    @Test("is as loud as noise, and stable in every room", arguments: 0..<ReverbPreset.count)
    func rooms(preset: Int) {
        let rig = rig(preset: preset, input: Signal.noise)
        _ = rig.render(16_000)
        for samples in rig.render(8_000) {
            let power = Signal.power(samples[...])
            // The noise has a power of a third.
            #expect(power > 0.02 && power < 0.7, "\(power)")
            #expect(Signal.peak(samples) < 5)
        }
    }

    @Test("gives channels reverberation that is not correlated", arguments: [2, 6])
    func correlation(channels: Int) {
        let rig = rig(preset: 3, channels: channels) { frame, _ in Signal.noise(frame, 0) }
        _ = rig.render(8_000)
        let output = rig.render(16_000)
        for channel in 1..<channels {
            let product = zip(output[0], output[channel]).reduce(0.0) { $0 + Double($1.0) * Double($1.1) }
            let power = Signal.power(output[0][...]) * Signal.power(output[channel][...])
            #expect(abs(product / 16_000) < 0.35 * power.squareRoot())
        }
    }

    @Test("mixes input and reverberation, also in mono")
    func mix() {
        let element = ReverbElement()
        element.wetDryMix.value = 0
        let dry = render(element, frames: 2_000, input: Signal.noise)[0]
        expectEqual(dry, (0..<2_000).map { Signal.noise($0, 0) })
        element.wetDryMix.value = 100
        let wet = render(element, frames: 9_600, input: Signal.impulse)[0]
        #expect(wet[0] == 0 && Signal.peak(wet) > 0 && Signal.peak(wet) < 1)
    }

    @Test("changes the room while it renders, and ignores unknown rooms")
    func change() {
        let element = ReverbElement()
        let rig = KernelRig(element, channels: 2, input: Signal.noise)
        for preset in [8, 0, 5, 12] {
            element.preset = preset
            #expect(rig.render(4_800).allSatisfy { Signal.peak($0) < 5 })
        }
        element.preset = 13
        expectEqual(element.preset, 12)
    }

    @Test("plays on after an invalid sample")
    func invalidSample() {
        let rig = rig(preset: 0) { frame, channel in frame == 10 ? .nan : Signal.noise(frame, channel) }
        _ = rig.render(1_600)
        #expect(rig.render(8_000)[0].allSatisfy { $0.isFinite })
    }
}
