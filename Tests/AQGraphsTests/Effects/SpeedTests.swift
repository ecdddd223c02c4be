// SPDX-License-Identifier: MIT

import AQCodecs
import AQExpectations
import Synchronization
import Testing

@testable import AQGraphs

@Suite("A change of the rate")
struct SpeedTests {
    private func varispeed(rate: Float = 1) -> SpeedElement {
        let element = SpeedElement(rates: 0.5...2) { _, channels in VarispeedResampler(channels: channels) }
        element.rate.value = rate
        return element
    }

    @Test(
        "fetches as many frames as the rate requires, and the pitch follows",
        arguments: [0.5, 1, 1.5, 2] as [Float])
    func rate(rate: Float) {
        let rig = KernelRig(varispeed(rate: rate), channels: 2, input: Signal.sine(480))
        let output = rig.render(24_000)
        let expected = 24_000 * rate
        #expect(abs(Float(rig.fetchedFrames) - expected) < 1_000, "\(rig.fetchedFrames)")
        for samples in output {
            expectEqual(samples.count, 24_000)
            let periods = Signal.periods(samples)
            #expect(abs(Float(periods) - expected / 100) <= 2, "\(periods)")
            let amplitude = Signal.amplitude(of: 480 * Double(rate), in: samples.suffix(12_000))
            #expect(abs(amplitude - 1) < 0.02, "\(amplitude)")
        }
    }

    @Test("follows changes of the rate while it renders, within the limits")
    func change() {
        let element = varispeed()
        let rig = KernelRig(element, input: Signal.sine(480))
        _ = rig.render(4_800)
        element.rate.value = 10
        expectEqual(element.rate.value, 2)
        element.rate.value = .nan
        expectEqual(element.rate.value, 2)
        let before = rig.fetchedFrames
        _ = rig.render(4_800)
        #expect(abs(rig.fetchedFrames - before - 9_600) < 600)
    }

    @Test("passes the input unchanged during a bypass, and without a stretcher")
    func bypass() {
        let element = varispeed(rate: 2)
        element.bypass.isOn = true
        let unchanged = (0..<2_000).map { Signal.noise($0, 0) }
        expectEqual(render(element, frames: 2_000, input: Signal.noise)[0], unchanged)
        let missing = SpeedElement(rates: 0.5...2) { _, _ in nil }
        missing.rate.value = 2
        expectEqual(render(missing, frames: 2_000, input: Signal.noise)[0], unchanged)
    }

    @Test("renders its input while that is silent, and plays what follows")
    func silence() {
        let rig = KernelRig(varispeed(rate: 1.5)) { frame, _ in
            frame < 150_000 ? 0 : Signal.sine(480)(frame, 0)
        }
        expectEqual(Signal.peak(rig.render(96_000)[0]), 0)
        #expect(!rig.hasSound)
        #expect(abs(rig.fetchedFrames - 144_000) < 50)
        let samples = rig.render(24_000)[0]
        #expect(rig.hasSound)
        #expect(abs(Signal.amplitude(of: 720, in: samples.suffix(12_000)) - 1) < 0.02)
    }

    @Test("interleaves the channels for the stretcher, and sets rate and pitch")
    func stretcher() {
        let stub = StubStretcher()
        let element = SpeedElement(rates: 0.5...2) { _, _ in stub }
        (element.rate.value, element.pitch.value) = (0.5, -3_000)
        let rig = KernelRig(element, channels: 3) { frame, channel in Float(frame + 1) * Float(channel + 1) }
        let output = rig.render(960)
        for channel in 0..<3 {
            expectEqual(output[channel], (0..<960).map { Float($0 + 1) * Float(channel + 1) })
        }
        #expect(stub.settings.withLock { $0 == [0.5, -2_400] })
    }

    @Test("is silent instead of rendering its input without end if the stretcher outputs nothing")
    func deafStretcher() {
        let element = SpeedElement(rates: 0.5...2) { _, _ in StubStretcher(isDeaf: true) }
        let rig = KernelRig(element, input: Signal.noise)
        expectEqual(Signal.peak(rig.render(480)[0]), 0)
        #expect(rig.fetchedFrames < 200_000)
    }
}

/// A stretcher that outputs its input.
private final class StubStretcher: SliceStretcher, Sendable {
    let settings = Mutex<[Double]>([1, 0])
    private let held = Mutex<[Float]>([])
    private let isDeaf: Bool

    init(isDeaf: Bool = false) { self.isDeaf = isDeaf }

    func setRate(_ rate: Double) { settings.withLock { $0[0] = rate } }
    func setPitch(cents: Double) { settings.withLock { $0[1] = cents } }

    func put(_ frames: UnsafePointer<Float>, count: Int) {
        guard !isDeaf else { return }
        let samples = (0..<count * 3).map { unsafe frames[$0] }
        held.withLock { $0 += samples }
    }

    func take(into output: UnsafeMutablePointer<Float>, capacity: Int) -> Int {
        let samples = held.withLock { held in
            let count = min(held.count, capacity * 3)
            defer { held.removeFirst(count) }
            return Array(held.prefix(count))
        }
        for (index, sample) in samples.enumerated() { unsafe output[index] = sample }
        return samples.count / 3
    }

    func restart() { held.withLock { $0 = [] } }
}
