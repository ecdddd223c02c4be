// SPDX-License-Identifier: MIT

import AQExpectations
import Glibc
import Testing

@testable import AQGraphs

@Suite("An equalizer")
struct EqualizerTests {
    private func equalizer(
        _ filterType: EqualizerFilter, frequency: Float = 1_000, bandwidth: Float = 1, gain: Float = 0
    ) -> EqualizerElement {
        let element = EqualizerElement(bandCount: 1)
        let band = element.bands[0]
        band.filterType = filterType
        band.frequency.value = frequency
        band.bandwidth.value = bandwidth
        band.gain.value = gain
        band.bypass.isOn = false
        return element
    }

    /// The gain of a frequency in decibels, when the filter has settled.
    private func gain(_ element: EqualizerElement, at frequency: Double) -> Double {
        let samples = render(element, frames: 9_600, input: Signal.sine(frequency))[0]
        return 20 * log10(max(1e-9, Signal.amplitude(of: frequency, in: samples.suffix(4_800))))
    }

    private func expect(
        _ element: EqualizerElement, _ expected: [Double: Double], tolerance: Double = 0.1,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        for (frequency, decibels) in expected {
            let measured = gain(element, at: frequency)
            #expect(
                abs(measured - decibels) < tolerance, "\(measured) dB at \(frequency) Hz",
                sourceLocation: sourceLocation)
        }
    }

    @Test("does not change the input while all bands are bypassed")
    func bypassedBands() {
        let element = EqualizerElement(bandCount: 10)
        for band in element.bands {
            #expect(band.bypass.isOn)
            band.gain.value = 12
        }
        let output = render(element, frames: 1_000, channels: 2, input: Signal.noise)
        for channel in 0..<2 { expectEqual(output[channel], (0..<1_000).map { Signal.noise($0, channel) }) }
    }

    @Test("passes with -3 dB at the cutoff, and with 12 dB less for each octave beyond")
    func passFilters() {
        expect(equalizer(.lowPass), [100: 0, 1_000: -3.01])
        expect(equalizer(.lowPass), [2_000: -12.4, 4_000: -24.5], tolerance: 0.6)
        expect(equalizer(.highPass), [10_000: 0, 1_000: -3.01])
        expect(equalizer(.highPass), [500: -12.4, 250: -24.2], tolerance: 0.6)
    }

    @Test("has the resonance of the bandwidth at the cutoff")
    func resonance() {
        // The quality of half an octave is 2.87.
        for filterType in [EqualizerFilter.resonantLowPass, .resonantHighPass] {
            expect(equalizer(filterType, bandwidth: 0.5), [1_000: 9.16])
        }
        expect(equalizer(.resonantLowPass, bandwidth: 0.5), [50: 0])
        expect(equalizer(.resonantHighPass, bandwidth: 0.5), [20_000: 0], tolerance: 0.3)
    }

    @Test("passes or removes a band whose ends have -3 dB")
    func bands() {
        let (lower, upper) = (1_000 / 2.0.squareRoot(), 1_000 * 2.0.squareRoot())
        // Measured over whole periods.
        let (low, high) = ((lower / 10).rounded() * 10, (upper / 10).rounded() * 10)
        expect(equalizer(.bandPass), [1_000: 0, low: -3.01, high: -3.01], tolerance: 0.15)
        expect(equalizer(.bandStop), [low: -3.01, high: -3.01, 50: 0, 10_000: 0], tolerance: 0.15)
        #expect(gain(equalizer(.bandStop), at: 1_000) < -60)
        #expect(gain(equalizer(.bandPass), at: 100) < -15)
    }

    @Test(
        "has the gain at the centre, and half of it at the ends of the bandwidth",
        arguments: [12, -12] as [Float])
    func parametric(decibels: Float) {
        let element = equalizer(.parametric, gain: decibels)
        let expected = Double(decibels)
        expect(element, [1_000: expected, 50: 0])
        expect(element, [710: expected / 2, 1_410: expected / 2, 15_000: 0], tolerance: 0.2)
    }

    @Test("has the gain on one side of a shelf, and half of it at the frequency")
    func shelves() {
        for filterType in [EqualizerFilter.lowShelf, .resonantLowShelf] {
            expect(equalizer(filterType, gain: 6), [20: 6, 1_000: 3, 15_000: 0], tolerance: 0.15)
        }
        for filterType in [EqualizerFilter.highShelf, .resonantHighShelf] {
            expect(equalizer(filterType, gain: -6), [20: 0, 1_000: -3, 20_000: -6], tolerance: 0.15)
        }
    }

    @Test("applies all bands, in groups of any size", arguments: [3, 4, 5, 10])
    func manyBands(count: Int) {
        let element = EqualizerElement(bandCount: count)
        for band in element.bands {
            (band.gain.value, band.bypass.isOn) = (2, false)
        }
        expect(element, [1_000: 2 * Double(count)])
        element.globalGain.value = -3
        expect(element, [1_000: 2 * Double(count) - 3])
        element.bands[1].bypass.isOn = true
        expect(element, [1_000: 2 * Double(count) - 5])
        element.bypass.isOn = true
        expect(element, [1_000: 0])
    }

    @Test("filters each of three channels alone")
    func channels() {
        let output = render(equalizer(.lowPass), frames: 9_600, channels: 3) { frame, channel in
            Signal.sine(channel == 1 ? 10_000 : 100, amplitude: channel == 2 ? 0.5 : 1)(frame, 0)
        }
        let amplitudes = [100.0, 10_000, 100].enumerated().map {
            Signal.amplitude(of: $0.element, in: output[$0.offset].suffix(4_800))
        }
        #expect(abs(amplitudes[0] - 1) < 0.01 && amplitudes[1] < 0.01 && abs(amplitudes[2] - 0.5) < 0.01)
    }

    @Test("is silent when the tail has decayed, and after an invalid sample plays on")
    func tail() {
        let rig = KernelRig(equalizer(.resonantLowPass)) { frame, _ in
            switch frame {
            case 0: 1
            case 20_000: .nan
            case 30_000...: Signal.sine(100)(frame, 0)
            default: 0
            }
        }
        _ = rig.render(480)
        #expect(rig.hasSound)
        expectEqual(Signal.peak(Array(rig.render(9_600)[0].suffix(480))), 0)
        #expect(!rig.hasSound)
        _ = rig.render(24_000)
        let samples = rig.render(4_800)[0]
        #expect(abs(Signal.amplitude(of: 100, in: samples[...]) - 1) < 0.05)
    }

    @Test("keeps values in their ranges, and ignores NaN")
    func ranges() {
        let band = EqualizerElement(bandCount: 1).bands[0]
        band.frequency.value = 1
        band.bandwidth.value = .infinity
        band.gain.value = -200
        band.gain.value = .nan
        #expect(band.frequency.value == 20 && band.bandwidth.value == 5 && band.gain.value == -96)
    }

    @Test("is stable at the limits of all parameters", arguments: EqualizerFilter.allCases)
    func limits(filterType: EqualizerFilter) {
        for frequency in [20, 192_000] as [Float] {
            for bandwidth in [0.05, 5] as [Float] {
                let element = equalizer(
                    filterType, frequency: frequency, bandwidth: bandwidth, gain: 24)
                let output = render(element, frames: 4_800, sampleRate: 96_000, input: Signal.noise)[0]
                #expect(output.allSatisfy { abs($0) < 100 })
            }
        }
    }
}
