// SPDX-License-Identifier: MIT

import Glibc

/// Finds a chirp in recorded samples by correlation.
struct ChirpFinder: Sendable {
    /// A chirp in a recording.
    struct Arrival: Sendable, Equatable {
        /// The frame at which the chirp begins, with a fraction.
        var frame: Double
        /// The amplitude of the chirp.
        var amplitude: Double
        /// Whether the polarity is that of the chirp times -1.
        var isInverted: Bool
        /// The level of the chirp above the rest of the samples, in decibels; infinite if the rest is silent.
        var signalToNoise: Double
    }

    /// The height of the first arrival relative to the highest one. An echo may be louder than the direct sound.
    private static let firstShare = 0.3
    /// The height of an arrival above the median of the correlation, which noise does not reach.
    private static let mostNoise = 8.0
    /// The lowest amplitude that counts: -110 dB.
    private static let leastAmplitude = 3e-6
    /// The distance in seconds within which only the highest value is an arrival.
    private static let lobeSeconds = 0.000_2
    /// The time before an arrival that is not counted as noise.
    private static let guardSeconds = 0.005

    private let sampleRate: Double
    private let chirpFrames: Int
    private let transform: FourierTransform
    /// The conjugate transform of the chirp.
    private let spectrum: ComplexSamples
    /// The energy of the chirp with an amplitude of 1.
    private let energy: Double

    /// - Parameter frames: The largest number of samples to search.
    init(_ chirp: Chirp, sampleRate: Double, frames: Int) {
        let samples = chirp.samples(sampleRate: sampleRate)
        self.sampleRate = sampleRate
        chirpFrames = samples.count
        energy = samples.real.reduce(0) { $0 + $1 * $1 }
        transform = FourierTransform(atLeast: frames + samples.count)
        var padded = ComplexSamples(repeating: 0, count: transform.count)
        padded.real.replaceSubrange(0..<samples.count, with: samples.real)
        padded.imaginary.replaceSubrange(0..<samples.count, with: samples.imaginary)
        transform.transform(&padded)
        for index in padded.imaginary.indices { padded.imaginary[index] *= -1 }
        spectrum = padded
    }

    /// Returns the first arrival of the chirp; nil if there is none, or it is not complete.
    func first(in samples: ArraySlice<Float>) -> Arrival? {
        guard samples.count > chirpFrames, samples.count + chirpFrames <= transform.count else { return nil }
        let correlation = correlation(of: samples)
        let places = 0..<samples.count - chirpFrames
        let heights = places.map { index in
            let (real, imaginary) = (correlation.real[index], correlation.imaginary[index])
            return (real * real + imaginary * imaginary).squareRoot() / energy
        }
        guard let highest = heights.max() else { return nil }
        let noise = heights.sorted()[heights.count / 2]
        let least = max(highest * Self.firstShare, noise * Self.mostNoise, Self.leastAmplitude)
        guard highest >= least else { return nil }
        let lobe = max(1, Int(Self.lobeSeconds * sampleRate))
        guard
            let place = places.first(where: { index in
                heights[index] >= least
                    && heights[index]
                        >= heights[max(0, index - lobe)..<min(heights.count, index + lobe + 1)].max() ?? 0
            })
        else { return nil }
        let frame = Double(place) + Self.fraction(at: place, of: heights)
        return Arrival(
            frame: frame, amplitude: heights[place], isInverted: correlation.real[place] < 0,
            signalToNoise: signalToNoise(heights[place], at: place, in: samples))
    }

    private func correlation(of samples: ArraySlice<Float>) -> ComplexSamples {
        var product = ComplexSamples(repeating: 0, count: transform.count)
        for (index, sample) in samples.enumerated() { product.real[index] = Double(sample) }
        transform.transform(&product)
        for index in 0..<transform.count {
            let (real, imaginary) = (product.real[index], product.imaginary[index])
            product.real[index] = real * spectrum.real[index] - imaginary * spectrum.imaginary[index]
            product.imaginary[index] = real * spectrum.imaginary[index] + imaginary * spectrum.real[index]
        }
        transform.transform(&product, isInverse: true)
        let scale = 1 / Double(transform.count)
        for index in 0..<transform.count {
            product.real[index] *= scale
            product.imaginary[index] *= scale
        }
        return product
    }

    /// Returns the position of the maximum between frames: that of a parabola through the logarithms, which is exact
    /// for a Gaussian envelope.
    private static func fraction(at place: Int, of heights: [Double]) -> Double {
        guard place > 0, place + 1 < heights.count, heights[place - 1] > 0, heights[place + 1] > 0 else {
            return 0
        }
        let (before, here, after) = (log(heights[place - 1]), log(heights[place]), log(heights[place + 1]))
        let curvature = before - 2 * here + after
        guard curvature < 0 else { return 0 }
        return min(max((before - after) / (2 * curvature), -1), 1)
    }

    /// Returns the level of a chirp above the samples before it, or after it if there are few before.
    private func signalToNoise(_ amplitude: Double, at place: Int, in samples: ArraySlice<Float>) -> Double {
        let margin = Int(Self.guardSeconds * sampleRate)
        let before = samples.prefix(max(0, place - margin))
        let after = samples.dropFirst(place + chirpFrames + margin)
        let rest = before.count >= margin * 2 ? before : after
        guard !rest.isEmpty else { return .infinity }
        let power = rest.reduce(0.0) { $0 + Double($1) * Double($1) } / Double(rest.count)
        let chirpPower = amplitude * amplitude * energy / Double(chirpFrames)
        return power > 0 ? 10 * log10(chirpPower / power) : .infinity
    }
}
