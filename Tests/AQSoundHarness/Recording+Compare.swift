// SPDX-License-Identifier: MIT

import Glibc

extension Recording {
    /// The difference between a recording and its reference, once aligned.
    public struct Comparison: Sendable, Equatable {
        /// The recording's frame at which the reference begins.
        public var offsetFrames: Int
        /// Frames in both.
        public var comparedFrames: Int
        /// The reference's first frame with a difference above the tolerance.
        public var firstDifferenceFrame: Int?
        /// The largest difference of two samples.
        public var maximumDifference: Float

        /// Whether the whole reference is recorded, without a difference above the tolerance.
        public func isExact(referenceFrames: Int) -> Bool {
            firstDifferenceFrame == nil && comparedFrames == referenceFrames
        }
    }

    /// Finds the reference in the recording and compares all of it.
    ///
    /// - Parameters:
    ///   - tolerance: The largest difference of two samples that counts as none; 0 compares bit-exactly.
    ///   - keyFrames: How much of the reference's begin must be there for it to be found.
    /// - Returns: nil when the reference's begin is nowhere in the recording.
    public func compare(to reference: Recording, tolerance: Float = 0, keyFrames: Int = 256) -> Comparison? {
        let key = Recording(
            sampleRate: reference.sampleRate, channels: reference.channels,
            samples: Array(reference.samples.prefix(keyFrames * reference.channels)))
        guard channels == reference.channels, let offset = position(of: key, tolerance: tolerance) else {
            return nil
        }
        let compared = min(reference.frames, frames - offset)
        var result = Comparison(
            offsetFrames: offset, comparedFrames: compared, firstDifferenceFrame: nil, maximumDifference: 0)
        for index in 0..<(compared * channels) {
            let difference = abs(samples[offset * channels + index] - reference.samples[index])
            guard difference > 0 || difference.isNaN else { continue }
            if !(difference <= result.maximumDifference) { result.maximumDifference = difference }
            if !(difference <= tolerance), result.firstDifferenceFrame == nil {
                result.firstDifferenceFrame = index / channels
            }
        }
        return result
    }

    /// The first frame at which `block` is found in this recording, each sample within the tolerance.
    public func position(of block: Recording, tolerance: Float = 0, from startFrame: Int = 0) -> Int? {
        guard channels == block.channels, block.frames > 0, block.frames <= frames - startFrame else {
            return nil
        }
        return unsafe samples.withUnsafeBufferPointer { samples in
            unsafe block.samples.withUnsafeBufferPointer { block in
                for frame in startFrame...(frames - block.count / channels) {
                    let base = frame * channels
                    var index = 0
                    while unsafe index < block.count && abs(samples[base + index] - block[index]) <= tolerance
                    {
                        index += 1
                    }
                    if index == block.count { return frame }
                }
                return nil
            }
        }
    }

    /// The position of a block by its waveform alone, at any gain: the best normalised cross-correlation of the
    /// channels' sums over `range`, with its value (1 is the same waveform).
    public func correlatedPosition(
        of block: Recording, in range: Range<Int>? = nil
    ) -> (frame: Int, correlation: Float)? {
        let last = frames - block.frames
        guard block.frames > 0, last >= 0 else { return nil }
        let starts = (range ?? 0..<(last + 1)).clamped(to: 0..<(last + 1))
        let whole = sums()
        let part = block.sums()
        let partEnergy = part.reduce(0) { $0 + $1 * $1 }
        var best: (frame: Int, correlation: Float)?
        unsafe whole.withUnsafeBufferPointer { whole in
            unsafe part.withUnsafeBufferPointer { part in
                for frame in starts {
                    var product: Float = 0
                    var energy: Float = 0
                    for index in 0..<part.count {
                        let sample = unsafe whole[frame + index]
                        unsafe product += sample * part[index]
                        energy += sample * sample
                    }
                    guard energy > 0, partEnergy > 0 else { continue }
                    let correlation = product / (energy * partEnergy).squareRoot()
                    if correlation > best?.correlation ?? -2 { best = (frame, correlation) }
                }
            }
        }
        return best
    }

    private func sums() -> [Float] {
        (0..<frames).map { frame in
            samples[(frame * channels)..<((frame + 1) * channels)].reduce(0, +)
        }
    }
}
