// SPDX-License-Identifier: MIT

import AQExpectations
import Testing

@testable import AQGraphs

@Suite("A delay")
struct DelayTests {
    /// A delay of 10 ms whose echoes are not filtered.
    private func delay(feedback: Float = 50, wetDryMix: Float = 100) -> DelayElement {
        let element = DelayElement()
        element.delayTime.value = 0.01
        element.feedback.value = feedback
        element.wetDryMix.value = wetDryMix
        element.lowPassCutoff.value = 24_000
        return element
    }

    @Test(
        "repeats the input at multiples of the delay, each time with the feedback",
        arguments: [50, -50, 0] as [Float])
    func echoes(feedback: Float) {
        let output = render(delay(feedback: feedback), frames: 2_000, channels: 2, input: Signal.impulse)
        for samples in output {
            var (expected, echo) = ([Float](repeating: 0, count: 2_000), Float(1))
            for position in stride(from: 480, to: 2_000, by: 480) {
                expected[position] = echo
                echo *= feedback / 100
            }
            expectEqual(samples, expected)
        }
    }

    @Test("mixes input and echoes in proportion")
    func mix() {
        let output = render(delay(wetDryMix: 25), frames: 1_000, input: Signal.impulse)[0]
        #expect(output[0] == 0.75 && output[480] == 0.25 && output[960] == 0.125)
        let dry = render(delay(wetDryMix: 0), frames: 1_000, input: Signal.noise)[0]
        expectEqual(dry, (0..<1_000).map { Signal.noise($0, 0) })
    }

    @Test("delays by up to two seconds, and at least by a frame")
    func limits() {
        let element = delay(feedback: 0)
        element.delayTime.value = 5
        expectEqual(element.delayTime.value, 2)
        let long = render(element, frames: 20_000, sampleRate: 8_000, input: Signal.impulse)[0]
        expectEqual(long.firstIndex { $0 != 0 }, 16_000)
        element.delayTime.value = -1
        let short = render(element, frames: 100, input: Signal.impulse)[0]
        expectEqual(short.firstIndex { $0 != 0 }, 1)
    }

    @Test("weakens high frequencies of echoes")
    func lowPass() {
        let element = delay(feedback: 0)
        element.lowPassCutoff.value = 500
        let low = render(element, frames: 9_600, input: Signal.sine(100))[0]
        let high = render(element, frames: 9_600, input: Signal.sine(5_000))[0]
        #expect(Signal.amplitude(of: 100, in: low.suffix(4_800)) > 0.95)
        #expect(Signal.amplitude(of: 5_000, in: high.suffix(4_800)) < 0.15)
    }

    @Test("is silent when the echoes have decayed, and during a bypass passes the input")
    func tail() {
        let element = delay()
        let rig = KernelRig(element, sampleRate: 8_000, sliceFrames: 80, input: Signal.impulse)
        _ = rig.render(800)
        #expect(rig.hasSound)
        _ = rig.render(24_000)
        #expect(!rig.hasSound)
        element.bypass.isOn = true
        let output = render(element, frames: 1_000, input: Signal.impulse)[0]
        #expect(output[0] == 1 && output.dropFirst().allSatisfy { $0 == 0 })
    }
}
