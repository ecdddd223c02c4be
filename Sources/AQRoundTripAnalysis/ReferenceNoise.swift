// SPDX-License-Identifier: MIT

/// The sequence that programs under test play, and its search in a recording.
///
/// The signs of 64 consecutive samples are a word. Two words are compared by the number of bits that differ. This
/// comparison is fast enough for every position, and does not depend on gain and rounding.
public struct ReferenceNoise: Sendable {
    public static let wordFrames = 64

    public let samples: [Float]
    /// Bit `i` of word `n` is set if sample `n + i` is not negative.
    private let words: [UInt64]

    /// - Parameter samples: At least ``wordFrames`` samples.
    public init(samples: [Float]) {
        precondition(samples.count >= Self.wordFrames, "a reference shorter than a word cannot be found")
        self.samples = samples
        words = Self.words(of: samples)
    }

    /// Returns the positions whose words differ from `word` in at most `distance` bits, the best first.
    public func places(of word: UInt64, in range: Range<Int>, distance: Int = 6) -> [Int] {
        var found: [(place: Int, distance: Int)] = []
        for place in range.clamped(to: 0..<words.count) {
            let differing = (words[place] ^ word).nonzeroBitCount
            if differing <= distance { found.append((place, differing)) }
        }
        return found.sorted { $0.distance < $1.distance }.map(\.place)
    }

    /// Returns the word of the 64 samples from `start` on; nil if there are fewer.
    public static func word(of samples: [Float], at start: Int) -> UInt64? {
        guard start >= 0, start + wordFrames <= samples.count else { return nil }
        var word: UInt64 = 0
        for index in 0..<wordFrames where samples[start + index] >= 0 { word |= 1 << UInt64(index) }
        return word
    }

    /// Returns the normalised correlation of `frames` samples from two positions on, from -1 to 1.
    public func likeness(of capture: [Float], at start: Int, to place: Int, frames: Int) -> Double {
        let first = max(0, -start, -place)
        let end = min(frames, capture.count - start, samples.count - place)
        guard first < end else { return 0 }
        var product = 0.0
        var captureEnergy = 0.0
        var energy = 0.0
        for index in first..<end {
            let audible = Double(capture[start + index])
            let known = Double(samples[place + index])
            product += audible * known
            captureEnergy += audible * audible
            energy += known * known
        }
        return product / max((captureEnergy * energy).squareRoot(), 1e-12)
    }

    /// Returns the factor by which the recording from `start` on is louder than the reference from `place` on.
    public func gain(of capture: [Float], at start: Int, to place: Int, frames: Int) -> Double {
        let end = min(frames, capture.count - start, samples.count - place)
        guard end > 0 else { return 0 }
        var product = 0.0
        var energy = 0.0
        for index in 0..<end {
            product += Double(capture[start + index]) * Double(samples[place + index])
            energy += Double(samples[place + index]) * Double(samples[place + index])
        }
        return product / max(energy, 1e-12)
    }

    /// Returns the delay of the recording after the reference as a fraction of a frame, approximately from -1/2 to 1/2.
    ///
    /// White noise that is delayed by `d` of a frame has the correlation sinc(d) at its position and sinc(1 - d) at the
    /// next. The second value divided by the sum of both is exactly `d`. A parabola through these values would only
    /// approximate it.
    public func fraction(of capture: [Float], at start: Int, to place: Int, frames: Int) -> Double {
        let here = likeness(of: capture, at: start, to: place, frames: frames)
        let behind = likeness(of: capture, at: start + 1, to: place, frames: frames)
        let before = likeness(of: capture, at: start - 1, to: place, frames: frames)
        if behind >= before { return behind > 0 ? behind / (here + behind) : 0 }
        return before > 0 ? -before / (here + before) : 0
    }

    private static func words(of samples: [Float]) -> [UInt64] {
        guard var word = word(of: samples, at: 0) else { return [] }
        var words: [UInt64] = []
        words.reserveCapacity(samples.count - wordFrames + 1)
        words.append(word)
        for next in samples[wordFrames...] {
            word >>= 1
            if next >= 0 { word |= 1 << 63 }
            words.append(word)
        }
        return words
    }
}
