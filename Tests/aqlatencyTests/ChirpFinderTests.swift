// SPDX-License-Identifier: MIT

import AQExpectations
import Foundation
import AQTestSupport
import Testing

@testable import aqlatency

@Suite("Finding a chirp in a recording")
struct ChirpFinderTests {
    /// A recording of a chirp that begins at `delay` frames, with a fraction, at a sample rate.
    private func recording(
        delay: Double, sampleRate: Double = 48_000, amplitude: Double = 0.1, frames: Int = 24_000
    ) -> [Float] {
        // The formula of the chirp, at times between samples too.
        let chirp = Chirp(forSampleRate: sampleRate)
        return (0..<frames).map { index in
            let time = (Double(index) - delay) / sampleRate
            guard time > 0, time < Chirp.seconds else { return 0 }
            let window = 0.5 - 0.5 * cos(2 * .pi * time / Chirp.seconds)
            let sweep = (chirp.highFrequency - chirp.lowFrequency) / (2 * Chirp.seconds) * time * time
            return Float(amplitude * window * sin(2 * .pi * (chirp.lowFrequency * time + sweep)))
        }
    }

    private func noise(_ rms: Double, frames: Int, seed: UInt64 = 7) -> [Float] {
        var generator = SplitMix(seed)
        // Uniform noise has a root mean square of its half width divided by the square root of 3.
        return (0..<frames).map { _ in Float(generator.noise() * rms * 1.732) }
    }

    private func find(_ samples: [Float], sampleRate: Double = 48_000) -> ChirpFinder.Arrival? {
        ChirpFinder(Chirp(forSampleRate: sampleRate), sampleRate: sampleRate, frames: samples.count)
            .first(in: samples[...])
    }

    @Test(
        "whole and fractional delays are found within a hundredth of a frame",
        arguments: [0, 1, 777, 777.25, 5_000.5, 12_345.9])
    func delays(delay: Double) throws {
        let arrival = try #require(find(recording(delay: delay)))
        #expect(abs(arrival.frame - delay) < 0.01)
        #expect(abs(arrival.amplitude - 0.1) < 0.001)
        #expect(!arrival.isInverted && arrival.signalToNoise > 60)
    }

    @Test("the delay is exact at the rates of other sources", arguments: [8_000.0, 16_000, 44_100, 96_000])
    func rates(sampleRate: Double) throws {
        let delay = 0.02 * sampleRate + 0.4
        let samples = recording(delay: delay, sampleRate: sampleRate, frames: Int(0.4 * sampleRate))
        let arrival = try #require(find(samples, sampleRate: sampleRate))
        #expect(abs(arrival.frame - delay) < 0.01)
    }

    @Test(
        "noise 20 dB below the chirp, and as loud as it, moves the result by less than 0.02 ms",
        arguments: [-20.0, 0])
    func noisy(decibels: Double) throws {
        let chirpPower = 0.1 * 0.1 * 3 / 16
        let rms = (chirpPower * pow(10, decibels / 10)).squareRoot()
        let samples = zip(recording(delay: 6_000.3), noise(rms, frames: 24_000)).map { $0 + $1 }
        let arrival = try #require(find(samples))
        #expect(abs(arrival.frame - 6_000.3) < 1)
        #expect(abs(arrival.signalToNoise + decibels) < 1)
    }

    @Test("an inverted chirp is found at the same place, and called inverted")
    func inverted() throws {
        let arrival = try #require(find(recording(delay: 3_000.7).map { -$0 }))
        #expect(abs(arrival.frame - 3_000.7) < 0.01 && arrival.isInverted)
    }

    @Test("silence, noise and a tone have no chirp")
    func none() {
        expectEqual(find([Float](repeating: 0, count: 24_000)), nil)
        for seed in someCases(4, of: 0..<20 as Range<UInt64>) {
            expectEqual(find(noise(0.1, frames: 24_000, seed: seed)), nil)
        }
        let tone = (0..<24_000).map { Float(0.1 * sin(2 * .pi * 1_000 * Double($0) / 48_000)) }
        expectEqual(find(tone), nil)
        expectEqual(find([]), nil)
    }

    @Test("a chirp that is cut off at the end is not found")
    func incomplete() { expectEqual(find(recording(delay: 21_000)), nil) }

    @Test("a clipped chirp is found")
    func clipped() throws {
        let samples = recording(delay: 4_000.5, amplitude: 4).map { min(max($0, -1), 1) }
        #expect(abs(try #require(find(samples)).frame - 4_000.5) < 0.1)
    }

    @Test(
        "of several echoes the first is reported, even if a later one is twice as loud",
        arguments: [(0.5, 1.0), (1, 0.7)])
    func echoes(first: Double, second: Double) throws {
        let samples = zip(
            recording(delay: 2_000.5, amplitude: 0.1 * first),
            recording(delay: 2_480.2, amplitude: 0.1 * second)
        ).map { $0 + $1 }
        #expect(abs(try #require(find(samples)).frame - 2_000.5) < 0.05)
    }
}
