// SPDX-License-Identifier: MIT

import Glibc

/// A sweep of linearly rising frequency with a smooth beginning and end.
struct Chirp: Sendable, Equatable {
    /// The lowest frequency in hertz: below it, small loudspeakers play little.
    private static let lowest = 500.0
    /// The highest frequency in hertz.
    private static let highest = 8000.0

    static let seconds = 0.1

    let lowFrequency: Double
    let highFrequency: Double

    /// - Parameter sampleRate: The lower of the sample rates of output and input, which limits the frequency.
    init(forSampleRate sampleRate: Double) {
        lowFrequency = min(Self.lowest, sampleRate * 0.1)
        highFrequency = min(Self.highest, sampleRate * 0.4)
    }

    /// Returns the chirp at a sample rate, with an amplitude of 1. The imaginary part is the same a quarter of a wave
    /// later, so that a correlation with both has a smooth envelope, whatever the polarity.
    func samples(sampleRate: Double) -> ComplexSamples {
        let count = Int((Self.seconds * sampleRate).rounded(.up))
        var samples = ComplexSamples(repeating: 0, count: count)
        for index in 0..<count {
            let time = Double(index) / sampleRate
            let window = 0.5 - 0.5 * cos(2 * .pi * time / Self.seconds)
            let sweep = (highFrequency - lowFrequency) / (2 * Self.seconds) * time * time
            let phase = 2 * .pi * (lowFrequency * time + sweep)
            samples.real[index] = window * sin(phase)
            samples.imaginary[index] = window * -cos(phase)
        }
        return samples
    }
}
