// SPDX-License-Identifier: MIT

import Glibc

extension Sound {
    /// Whether every sample of both is the same number.
    func isSame(as other: Sound) -> Bool {
        guard samples.count == other.samples.count else { return false }
        return unsafe samples.withUnsafeBytes { mine in
            unsafe other.samples.withUnsafeBytes { theirs in
                guard let left = mine.baseAddress, let right = theirs.baseAddress else { return true }
                return unsafe memcmp(left, right, mine.count) == 0
            }
        }
    }

    /// The largest difference of a sample, over the frames that both have.
    func largestDifference(from other: Sound) -> Double {
        zip(samples, other.samples).reduce(0) { max($0, abs($1.0 - $1.1)) }
    }

    /// The difference from `source` relative to it, in decibels, over the frames that both have.
    ///
    /// - Parameter lag: The frame of this audio that matches the source's first.
    func signalToNoise(against source: Sound, lag: Int = 0) -> Double {
        var (signal, noise) = (0.0, 0.0)
        let first = max(0, -lag) * channels
        let end = min(source.samples.count, samples.count - lag * channels)
        var index = first
        while index < end {
            let (expected, got) = (source.samples[index], samples[index + lag * channels])
            signal += expected * expected
            noise += (got - expected) * (got - expected)
            index += 1
        }
        return noise == 0 ? .infinity : 10 * log10(signal / noise)
    }

    /// The lag, among those up to `limit` in both directions, with the highest correlation to `source`.
    func lag(behind source: Sound, limit: Int) -> Int {
        // Enough frames for a unique position in the audio.
        let window = min(4096, source.frames / 2)
        let start = source.frames / 4
        var best = (lag: 0, sum: -Double.infinity)
        for lag in -limit...limit {
            let begin = start + lag
            guard begin >= 0, begin + window <= frames else { continue }
            var sum = 0.0
            var offset = 0
            while offset < window {
                sum += samples[(begin + offset) * channels] * source.samples[(start + offset) * channels]
                offset += 1
            }
            if sum > best.sum { best = (lag, sum) }
        }
        return best.lag
    }

    /// For each channel, the most similar channel of `source`.
    func likenesses(to source: Sound) -> [Int] {
        let frames = min(self.frames, source.frames)
        return (0..<channels).map { channel in
            var best = (channel: -1, likeness: 0.0)
            for candidate in 0..<source.channels {
                var (product, mine, theirs) = (0.0, 0.0, 0.0)
                // Every fifth frame is sufficient.
                var frame = 0
                while frame < frames {
                    let left = samples[frame * channels + channel]
                    let right = source.samples[frame * source.channels + candidate]
                    product += left * right
                    mine += left * left
                    theirs += right * right
                    frame += 5
                }
                let likeness = product / max((mine * theirs).squareRoot(), 1e-12)
                if likeness > best.likeness { best = (candidate, likeness) }
            }
            return best.likeness > 0.5 ? best.channel : -1
        }
    }
}
