// SPDX-License-Identifier: MIT

import AQExpectations
import Testing

@testable import AQGraphs

@Suite("A distortion")
struct DistortionTests {
    private func distortion(preset: Int) -> DistortionElement {
        let element = DistortionElement()
        element.preset = preset
        element.preGain.value = 0
        element.wetDryMix.value = 100
        return element
    }

    @Test("changes the input, and stays between -1 and 1", arguments: 0..<DistortionShape.count)
    func bounds(preset: Int) {
        let element = distortion(preset: preset)
        element.preGain.value = 20
        let output = render(element, frames: 9_600, channels: 2, input: Signal.sine(440))
        for samples in output {
            #expect(samples.allSatisfy { abs($0) <= 1.0001 })
            #expect(Signal.power(samples[...]) > 0.001)
            let difference = samples.enumerated().map { $0.element - Signal.sine(440)($0.offset, 0) }
            #expect(Signal.power(difference[...]) > 1e-4)
        }
    }

    @Test("limits as the curve says")
    func curves() {
        func output(_ preset: Int, of sample: Float) -> Float {
            render(distortion(preset: preset), frames: 10) { _, _ in sample }[0][0]
        }
        // Hard with drive 8, soft with drive 12, cube and square with drive 2.
        #expect(output(3, of: 0.05) == 0.4 && output(3, of: -0.5) == -1)
        #expect(output(9, of: 1) == 1 && abs(output(9, of: 0.01) - 0.12) < 0.001)
        #expect(output(10, of: -0.25) == -0.125 && output(11, of: -0.25) == -0.25)
    }

    @Test("holds samples at a lower rate, at the same frames in all channels")
    func decimation() {
        // 8000 Hz, so that six frames are equal.
        let output = render(distortion(preset: 6), frames: 600, channels: 2, input: Signal.noise)
        for samples in output {
            let changes = (1..<600).filter { samples[$0] != samples[$0 - 1] }
            #expect(changes.count > 50 && changes.allSatisfy { $0 % 6 == 0 })
        }
    }

    @Test("rounds to a number of bits")
    func bits() {
        let samples = render(distortion(preset: 0), frames: 1_000, input: Signal.sine(440))[0]
        #expect(samples.allSatisfy { ($0 * 16).rounded() == $0 * 16 })
    }

    @Test("mixes with the input")
    func mix() {
        let element = distortion(preset: 3)
        element.wetDryMix.value = 0
        let dry = render(element, frames: 1_000, input: Signal.noise)[0]
        expectEqual(dry, (0..<1_000).map { Signal.noise($0, 0) })
        element.wetDryMix.value = 50
        let half = render(element, frames: 10) { _, _ in 0.5 }[0]
        #expect(half.allSatisfy { $0 == 0.75 })
    }

    @Test("is silent when the input is, and echoes have decayed", arguments: [0, 6, 13, 16])
    func tail(preset: Int) {
        let rig = KernelRig(
            distortion(preset: preset), sampleRate: 8_000, sliceFrames: 80, input: Signal.impulse)
        _ = rig.render(80)
        #expect(rig.hasSound)
        _ = rig.render(80_000)
        #expect(!rig.hasSound)
    }
}
