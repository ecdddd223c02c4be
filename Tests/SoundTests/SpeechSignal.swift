// SPDX-License-Identifier: MIT

import Glibc

/// A signal with the properties of speech by which echo cancellers work: syllables of vowels and consonants, with
/// formants, a varying pitch, and pauses. The same for each seed.
enum SpeechSignal {
    private static let sampleRate: Float = 48_000
    private static let vowels: [[Float]] = [
        [700, 1200, 2600], [300, 2300, 3000], [500, 1800, 2500], [350, 800, 2300], [600, 1000, 2400],
    ]
    private static let consonant: [Float] = [3500, 5000, 6500]

    /// Makes a signal with a level of -22 dB.
    ///
    /// - Parameter pitch: The mean frequency of the voice.
    static func make(seconds: Double, pitch: Float, seed: UInt64) -> [Float] {
        var random = Generator(state: seed &* 2 &+ 1)
        let frames = Int(seconds * Double(sampleRate))
        var signal: [Float] = []
        signal.reserveCapacity(frames)
        while signal.count < frames {
            signal += syllable(pitch, &random)
            let isShort = random.next() < 0.8
            let pause = isShort ? random.between(0.02, 0.08) : random.between(0.2, 0.45)
            signal += [Float](repeating: 0, count: Int(pause * sampleRate))
        }
        signal.removeLast(signal.count - frames)
        let factor = 0.08 / level(signal[...])
        return signal.map { max(-0.9, min($0 * factor, 0.9)) }
    }

    /// The root of the mean square.
    static func level(_ samples: ArraySlice<Float>) -> Float {
        let sum = samples.reduce(into: 0.0) { $0 += Double($1) * Double($1) }
        return samples.isEmpty ? 0 : Float((sum / Double(samples.count)).squareRoot())
    }

    private static func syllable(_ pitch: Float, _ random: inout Generator) -> [Float] {
        let length = Int(random.between(0.12, 0.28) * sampleRate)
        let isNoise = random.next() < 0.25
        let formants = isNoise ? consonant : vowels[Int(random.next() * 4.99)]
        let frequency = pitch * random.between(0.8, 1.3)
        let loudness = random.between(0.5, 1)
        var phase: Float = 0
        var excitation = [Float](repeating: 0, count: length)
        for index in 0..<length {
            let noise = random.between(-1, 1)
            phase += frequency * (1 - 0.2 * Float(index) / Float(length)) / sampleRate
            if isNoise {
                excitation[index] = noise * 0.5
            } else {
                excitation[index] = noise * 0.03 + (phase >= 1 ? 8 : 0)
                if phase >= 1 { phase -= 1 }
            }
        }
        var result = [Float](repeating: 0, count: length)
        for (number, formant) in formants.enumerated() {
            let width = (90 + 60 * Float(number)) * (isNoise ? 6 : 1)
            let radius = expf(-Float.pi * width / sampleRate)
            let cosine = 2 * radius * cosf(2 * Float.pi * formant / sampleRate)
            let weight: Float = [1, 0.6, 0.35][number] * (1 - radius) * loudness
            var (last, earlier): (Float, Float) = (0, 0)
            for index in 0..<length {
                let value = excitation[index] + cosine * last - radius * radius * earlier
                (earlier, last) = (last, value)
                let edge = Float(min(index, length - index)) / (0.03 * sampleRate)
                result[index] += value * weight * min(1, edge)
            }
        }
        return result
    }

    private struct Generator {
        var state: UInt64

        /// A number from 0 to 1.
        mutating func next() -> Float {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Float(state >> 40) / Float(1 << 24)
        }

        mutating func between(_ low: Float, _ high: Float) -> Float { low + (high - low) * next() }
    }
}
