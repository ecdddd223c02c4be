// SPDX-License-Identifier: MIT

import AQExpectations
import CoreAudioTypes
import Glibc
import Testing

@testable import AQUnits

@Suite("A unit that changes the rate")
struct PulledSpeedTests {
    private func unit(_ source: FloatSource) throws -> PulledUnit {
        let unit = PulledUnit.varispeed()
        try unit.setSource(source.code, input: 0)
        try unit.initialize()
        return unit
    }

    /// The number of times that a wave crosses zero upwards.
    private func periods(_ samples: [Float]) -> Int {
        zip(samples, samples.dropFirst()).count { $0 < 0 && $1 >= 0 }
    }

    @Test(
        "fetches as many frames as the rate requires, and the pitch follows",
        arguments: [0.5, 1, 1.5, 2] as [Float])
    func rate(rate: Float) throws {
        let source = FloatSource { frame, _ in sin(Float(frame) * 2 * .pi / 100) }
        let unit = try unit(source)
        try unit.setRate(rate)
        let samples = try PulledSlices.render(unit, Array(repeating: 500, count: 40)).samples()[0]
        expectEqual(samples.count, 20_000)
        let expected = Float(20_000) * rate
        #expect(abs(Float(source.frames) - expected) < 400, "\(source.frames)")
        #expect(abs(Float(periods(samples)) - expected / 100) <= 2, "\(periods(samples))")
        // The source counts its own frames.
        var position = 0.0
        for call in source.calls {
            #expect(call.sampleTime == position && call.frames <= 512)
            position += Double(call.frames)
        }
    }

    @Test("returns the status of its source, and takes no slice in place") func failures() throws {
        let unit = PulledUnit.varispeed()
        try unit.initialize()
        try expectEqual(PulledSlices.render(unit, [64]).status, UnitError.Code.noConnection.rawValue)
        unsafe try unit.setSource(RenderCode { _, _, _, _, _ in 55 }, input: 0)
        try expectEqual(PulledSlices.render(unit, [64]).status, 55)
    }

    @Test("bounds its rate and pitch, and refuses what is no number") func bounds() throws {
        let unit = PulledUnit.varispeed()
        try unit.setRate(9)
        expectEqual(unit.rate, 2)
        try unit.setRate(-1)
        expectEqual(unit.rate, 0.5)
        try unit.setPitch(-9_000)
        expectEqual(unit.pitch, -2400)
        #expect(throws: UnitError.self) { try unit.setRate(.nan) }
        #expect(throws: UnitError.self) { try PulledUnit.converter().setRate(1) }
        #expect(throws: UnitError.self) { try PulledUnit.converter().setPitch(1) }
    }

    @Test("cannot be initialized without a stretcher for its channels") func unavailable() throws {
        let unit = PulledUnit.timePitch { _, _ in nil }
        #expect(throws: UnitError.self) { try unit.initialize() }
    }
}
