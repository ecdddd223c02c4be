// SPDX-License-Identifier: MIT

import BenchKit
import Foundation
import Testing

@Suite("Gaps in a mix of sines")
struct SineBankTests {
    private static let streams = 40
    private static let amplitude = 0.25 / Double(streams)
    private let bank = SineBank(
        streams: Array(0..<streams), amplitude: amplitude, sampleRate: 48000, firstHertz: 500, stepHertz: 40)

    /// Two seconds of all streams except `silent`. `change` returns the frame that a stream plays at a position.
    private func mix(silent: Range<Int> = 0..<0, frame change: (Int, Int) -> Int? = { $1 }) -> [Float] {
        var mix = [Double](repeating: 0, count: 96000)
        for stream in 0..<Self.streams where !silent.contains(stream) {
            let step = 2 * Double.pi * Double(500 + 40 * stream) / 48000
            for index in mix.indices {
                guard let frame = change(stream, index) else { continue }
                mix[index] += sin(Double(frame + 77 * stream) * step) * Self.amplitude
            }
        }
        return mix.map { Float($0) }
    }

    @Test("streams that play on have no gaps")
    func clean() {
        #expect(bank.departures(in: mix(), range: 0..<96000) == SineBank.Departures())
    }

    @Test("a millisecond missing from one stream of forty is seen, once")
    func hole() throws {
        let samples = mix { stream, index in stream == 7 && (30000..<30048).contains(index) ? nil : index }
        let found = try #require(bank.departures(in: samples, range: 0..<96000))
        #expect(found.spans == 1 && found.streams >= 1)
    }

    @Test(
        "a stream that goes on later than it should is seen, however short the delay",
        arguments: [4, 480, 48000])
    func shift(frames: Int) throws {
        let samples = mix { stream, index in stream == 3 && index >= 40000 ? index - frames : index }
        let found = try #require(bank.departures(in: samples, range: 0..<96000))
        // A shift by a whole second does not change the phase of a sine of whole hertz.
        #expect(found.spans == (frames == 48000 ? 0 : 1))
    }

    @Test("streams that are never mixed are not counted as gaps")
    func inaudible() throws {
        let found = try #require(bank.departures(in: mix(silent: 32..<40), range: 0..<96000))
        #expect(found == SineBank.Departures(spans: 0, streams: 0, inaudible: 8))
    }

    @Test("less than two windows tell nothing")
    func short() { #expect(bank.departures(in: mix(), range: 0..<4000) == nil) }
}
