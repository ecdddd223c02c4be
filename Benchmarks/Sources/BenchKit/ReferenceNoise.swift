/// The sequence that programs under test play, made to be found again in what was heard.
///
/// The sign of 64 samples in a row is a word; words are compared by how many bits differ, which is fast
/// enough to try every place, and survives any gain and any rounding.
public struct ReferenceNoise: Sendable {
    public static let wordFrames = 64

    public let samples: [Float]
    /// Bit `i` of word `n` is set where sample `n + i` is not negative.
    private let words: [UInt64]

    /// - Parameter samples: At least ``wordFrames`` of them.
    public init(samples: [Float]) {
        precondition(samples.count >= Self.wordFrames, "a reference shorter than a word cannot be found")
        self.samples = samples
        words = Self.words(of: samples)
    }

    /// Places whose signs differ from those of `word` in at most `distance` bits, the best first.
    public func places(of word: UInt64, in range: Range<Int>, distance: Int = 6) -> [Int] {
        var found: [(place: Int, distance: Int)] = []
        for place in range.clamped(to: 0..<words.count) {
            let differing = (words[place] ^ word).nonzeroBitCount
            if differing <= distance { found.append((place, differing)) }
        }
        return found.sorted { $0.distance < $1.distance }.map(\.place)
    }

    /// The word of the 64 samples from `start` on; nil where there are fewer.
    public static func word(of samples: [Float], at start: Int) -> UInt64? {
        guard start >= 0, start + wordFrames <= samples.count else { return nil }
        var word: UInt64 = 0
        for index in 0..<wordFrames where samples[start + index] >= 0 { word |= 1 << UInt64(index) }
        return word
    }

    /// How alike the `frames` samples from two places on are, from -1 to 1, whatever their gain.
    public func likeness(of capture: [Float], at start: Int, to place: Int, frames: Int) -> Double {
        let first = max(0, -start, -place)
        let end = min(frames, capture.count - start, samples.count - place)
        guard first < end else { return 0 }
        var product = 0.0
        var captureEnergy = 0.0
        var energy = 0.0
        for index in first..<end {
            let heard = Double(capture[start + index])
            let known = Double(samples[place + index])
            product += heard * known
            captureEnergy += heard * heard
            energy += known * known
        }
        return product / max((captureEnergy * energy).squareRoot(), 1e-12)
    }

    /// By which factor what is heard from `start` on is louder than the reference from `place` on.
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

    /// By what part of a frame, from -1/2 to 1/2 or a little more, capture is behind the reference.
    ///
    /// White noise delayed by `d` of a frame is alike by sinc(d) at its place and by sinc(1 - d) at the next,
    /// so that the second over the sum of both is `d`, exactly; a parabola through them would not give it.
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
