// SPDX-License-Identifier: MIT

/// A gain that follows a wanted one without clicks. Used by the rendering thread.
struct GainMove {
    /// The longest time in which a gain moves, in frames.
    private static let rampFrames = 512

    /// The gain of the last frame; nil before the first.
    private var value: Float?

    /// Calls `body` for each run of frames with their first gain and its step, and remembers the last gain.
    mutating func move(
        to wanted: Float, frames: Int,
        _ body: (_ start: Int, _ count: Int, _ gain: Float, _ step: Float) -> Void
    ) {
        let first = value ?? wanted
        value = wanted
        let length = first == wanted ? 0 : min(frames, Self.rampFrames)
        if length > 0 { body(0, length, first, (wanted - first) / Float(length)) }
        if length < frames { body(length, frames - length, wanted, 0) }
    }

    /// Adds the frames of a source, with the gain, to a sum.
    @unsafe mutating func add(
        _ source: UnsafePointer<Float>, to sum: UnsafeMutablePointer<Float>, frames: Int, wanted: Float
    ) {
        move(to: wanted, frames: frames) { start, count, gain, step in
            if step != 0 {
                for index in 0..<count {
                    unsafe sum[start + index] += source[start + index] * (gain + step * Float(index))
                }
            } else if gain == 1 {
                for index in start..<start + count { unsafe sum[index] += source[index] }
            } else if gain != 0 {
                for index in start..<start + count { unsafe sum[index] += source[index] * gain }
            }
        }
    }

    /// Multiplies frames by the gain.
    @unsafe mutating func scale(_ samples: UnsafeMutablePointer<Float>, frames: Int, wanted: Float) {
        move(to: wanted, frames: frames) { start, count, gain, step in
            if step != 0 {
                for index in 0..<count { unsafe samples[start + index] *= gain + step * Float(index) }
            } else if gain != 1 {
                for index in start..<start + count { unsafe samples[index] *= gain }
            }
        }
    }
}
