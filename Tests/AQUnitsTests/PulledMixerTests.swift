// SPDX-License-Identifier: MIT

import AQExpectations
import CoreAudioTypes
import Glibc
import Testing

@testable import AQUnits

@Suite("A mixer")
struct PulledMixerTests {
    private func mixer(
        _ sources: [FloatSource?], output: AudioStreamBasicDescription = IOUnit.usualFormat
    ) throws -> PulledUnit {
        let unit = PulledUnit.mixer(inputs: max(1, sources.count))
        try unit.setFormat(output, .output)
        for (index, source) in sources.enumerated() { try unit.setSource(source?.code, input: index) }
        try unit.initialize()
        return unit
    }

    private func constant(_ left: Float, _ right: Float, _ frames: Int) -> [[Float]] {
        [[Float](repeating: left, count: frames), [Float](repeating: right, count: frames)]
    }

    @Test("adds its inputs, each called with its number") func sum() throws {
        let sources = [
            FloatSource(constant: 0.25), FloatSource { _, channel in channel == 0 ? 0.5 : -0.5 }, nil,
            FloatSource { frame, _ in Float(frame) },
        ]
        let unit = try mixer(sources)
        try expectEqual(
            PulledSlices.render(unit, [2, 1]).samples(), [[0.75, 1.75, 2.75], [-0.25, 0.75, 1.75]])
        for (index, source) in sources.enumerated() where source != nil {
            expectEqual(source?.calls.map(\.bus), [index, index])
            expectEqual(source?.calls.map(\.frames), [2, 1])
        }
    }

    @Test("is silent without sources, and if all inputs are") func silence() throws {
        let unit = try mixer([nil, nil])
        let rendered = try PulledSlices.render(unit, [3])
        #expect(rendered.status == 0 && rendered.isSilent)
        expectEqual(rendered.samples(), constant(0, 0, 3))
        try unit.setSource(FloatSource(constant: 0).code, input: 1)
        #expect(try !PulledSlices.render(unit, [3]).isSilent)
    }

    @Test("converts the format and rate of each input") func formats() throws {
        let mono = AudioStreamBasicDescription.float(isInterleaved: false, channels: 1, sampleRate: 22_050)
        let unit = PulledUnit.mixer(inputs: 2)
        try unit.setFormat(mono, .input(1))
        try unit.setFormat(.signedInteger(bits: 16, channels: 2, sampleRate: 44_100), .output)
        try unit.setSource(FloatSource(constant: 0.125).code, input: 0)
        let slow = FloatSource(constant: 0.25)
        try unit.setSource(slow.code, input: 1)
        try unit.initialize()
        let samples = try PulledSlices.render(unit, Array(repeating: 512, count: 20)).samples(as: Int16.self)[
            0]
        // After the filter's first samples.
        #expect(samples[4_000...].allSatisfy { abs(Int($0) - 12_288) <= 1 })
        #expect(5_120...6_200 ~= slow.frames)
    }

    @Test("has a volume, a position and a switch for each input, and a volume and a position of the output")
    func parameters() throws {
        let sources = [FloatSource(constant: 1), FloatSource(constant: 1)]
        let unit = try mixer(sources)
        try unit.setVolume(0.5, .input(0))
        try unit.setPan(-1, .input(0))
        try unit.setPan(0.5, .input(1))
        try expectEqual(PulledSlices.render(unit, [2]).samples(), constant(1, 1, 2))
        try unit.setVolume(0.5, .output)
        try unit.setEnabled(false, .input(1))
        // The gains have moved after a slice of this length.
        _ = try PulledSlices.render(unit, [512])
        try expectEqual(PulledSlices.render(unit, [2]).samples(), constant(0.25, 0, 2))
        let calls = sources[1].calls.count
        _ = try PulledSlices.render(unit, [64])
        expectEqual(sources[1].calls.count, calls)
        try unit.setPan(1, .output)
        try unit.setEnabled(true, .input(1))
        _ = try PulledSlices.render(unit, [512])
        try expectEqual(PulledSlices.render(unit, [2]).samples(), constant(0, 0.5, 2))
        #expect(try unit.volume(.output) == 0.5 && unit.pan(.input(1)) == 0.5 && unit.isEnabled(.input(1)))
    }

    @Test("moves to another volume without a click, also back from silence") func ramps() throws {
        let unit = try mixer([FloatSource(constant: 1)])
        _ = try PulledSlices.render(unit, [64])
        var samples: [Float] = []
        for (volume, isOn) in [(0, true), (1, true), (1, false), (2, true)] as [(Float, Bool)] {
            try unit.setVolume(volume, .input(0))
            try unit.setEnabled(isOn, .input(0))
            samples += try PulledSlices.render(unit, [512]).samples()[0]
        }
        let steps = zip(samples, samples.dropFirst()).map { abs($1 - $0) }
        #expect(steps.allSatisfy { $0 < 0.005 }, "\(steps.max() ?? 0)")
        #expect(samples.min() == 0 && samples[511] < 0.01)
        try expectEqual(PulledSlices.render(unit, [1]).samples()[0], [2])
    }

    @Test("replaces an input that fails with silence, and reports its status") func failingInput() throws {
        let unit = try mixer([FloatSource(constant: 0.5), nil])
        unsafe try unit.setSource(RenderCode { _, _, _, _, _ in 77 }, input: 1)
        let rendered = try PulledSlices.render(unit, [2])
        expectEqual(rendered.status, 0)
        expectEqual(rendered.samples(), constant(0.5, 0.5, 2))
        expectEqual(unit.takeLastRenderError(), 77)
    }

    @Test("measures levels on request") func levels() throws {
        let unit = try mixer([
            FloatSource { frame, channel in channel == 1 ? 0 : frame % 2 == 0 ? 0.5 : -0.5 }
        ])
        func level(
            _ bus: PulledUnit.Bus, _ channel: Int = 0, isPeak: Bool = false, afterGain: Bool = false
        )
            throws -> Float
        { try unit.level(bus, channel: channel, isPeak: isPeak, afterGain: afterGain) }
        _ = try PulledSlices.render(unit, [512])
        try expectEqual(level(.input(0)), -120)
        try unit.setVolume(0.5, .input(0))
        _ = try PulledSlices.render(unit, [512])
        try unit.setMetering(true, .input(0))
        try unit.setMetering(true, .output)
        _ = try PulledSlices.render(unit, [512, 512])
        #expect(abs(try level(.input(0)) + 6.02) < 0.01)
        #expect(abs(try level(.input(0), isPeak: true) + 6.02) < 0.01)
        #expect(abs(try level(.input(0), afterGain: true) + 12.04) < 0.01)
        #expect(abs(try level(.output, isPeak: true) + 12.04) < 0.01)
        try expectEqual(level(.input(0), 1), -120)
        #expect(throws: UnitError.self) { try level(.input(0), 32) }
        // The peak falls by 20 dB in a second, the power at once.
        try unit.setSource(FloatSource(constant: 0).code, input: 0)
        _ = try PulledSlices.render(unit, Array(repeating: 490, count: 90))
        try expectEqual(level(.input(0)), -120)
        #expect(abs(try level(.input(0), isPeak: true) + 26.02) < 0.1)
        try unit.setMetering(false, .input(0))
        try expectEqual(level(.input(0), isPeak: true), -120)
    }

    @Test("has as many inputs as are set, also while it is initialized") func inputCount() throws {
        let unit = try mixer([FloatSource(constant: 0.5)])
        try unit.setInputCount(3)
        try unit.setSource(FloatSource(constant: 0.25).code, input: 2)
        try expectEqual(PulledSlices.render(unit, [1]).samples(), [[0.75], [0.75]])
        try unit.setInputCount(2)
        try expectEqual(PulledSlices.render(unit, [1]).samples(), [[0.5], [0.5]])
        for count in [0, -1, 1025, Int(UInt32.max)] {
            #expect(throws: UnitError.self) { try unit.setInputCount(count) }
        }
        expectEqual(unit.inputCount, 2)
    }

    @Test("refuses parameters that are no numbers, and bounds others") func bounds() throws {
        let unit = try mixer([nil])
        for value in [Float.nan, .infinity, -.infinity] {
            #expect(throws: UnitError.self) { try unit.setVolume(value, .input(0)) }
            #expect(throws: UnitError.self) { try unit.setPan(value, .output) }
        }
        try unit.setVolume(-3, .input(0))
        try unit.setPan(9, .input(0))
        #expect(try unit.volume(.input(0)) == 0 && unit.pan(.input(0)) == 1)
        #expect(throws: UnitError.self) { try unit.setVolume(1, .input(1)) }
    }
}
