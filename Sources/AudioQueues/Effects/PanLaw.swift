// SPDX-License-Identifier: MIT

import Glibc

/// The gains of left and right for a pan position.
enum PanLaw {
    /// The gains for mono on two channels, with equal power: in the middle, both are reduced by 3 dB.
    static func spread(_ pan: Float) -> (left: Float, right: Float) {
        let angle = (Double(pan) + 1) * (.pi / 4)
        // The cosine of a right angle is not exactly 0.
        return (pan >= 1 ? 0 : Float(cos(angle)), pan <= -1 ? 0 : Float(sin(angle)))
    }

    /// The gains for stereo: one side is unchanged, the other is reduced in proportion.
    static func balance(_ pan: Float) -> (left: Float, right: Float) {
        (min(1, 1 - pan), min(1, 1 + pan))
    }
}

/// The gains of two channels, which move from one pan position to another without a click.
struct PanStage {
    private var left: LinearRamp
    private var right: LinearRamp
    private let isSpread: Bool
    private(set) var pan: Float = 0

    /// - Parameter isSpread: Whether mono becomes stereo; otherwise stereo is balanced.
    init(isSpread: Bool) {
        self.isSpread = isSpread
        let gains = isSpread ? PanLaw.spread(0) : PanLaw.balance(0)
        left = LinearRamp(gains.left)
        right = LinearRamp(gains.right)
    }

    /// Moves to another position within `frames` frames; at once if that is 0.
    mutating func go(to pan: Float, frames: Int) {
        self.pan = pan
        let gains = isSpread ? PanLaw.spread(pan) : PanLaw.balance(pan)
        left.go(to: gains.left, frames: frames)
        right.go(to: gains.right, frames: frames)
    }

    mutating func balance(_ samples: UnsafeMutablePointer<Float>, frames: Int) {
        defer { advance(frames) }
        guard !left.isUnity || !right.isUnity else { return }
        for index in 0..<frames {
            unsafe samples[2 * index] *= left.value(after: index)
            unsafe samples[2 * index + 1] *= right.value(after: index)
        }
    }

    /// Converts mono frames to stereo in place. The memory must have room for the stereo frames.
    mutating func spread(_ samples: UnsafeMutablePointer<Float>, frames: Int) {
        // Starts with the last frame, so that frames are read before they are overwritten.
        for index in (0..<frames).reversed() {
            let sample = unsafe samples[index]
            unsafe samples[2 * index] = sample * left.value(after: index)
            unsafe samples[2 * index + 1] = sample * right.value(after: index)
        }
        advance(frames)
    }

    private mutating func advance(_ frames: Int) {
        left.advance(frames)
        right.advance(frames)
    }
}

/// A value that moves linearly to a target.
struct LinearRamp {
    private var start: Float
    private var target: Float
    private var framesLeft = 0
    private var step: Float = 0

    init(_ value: Float) {
        start = value
        target = value
    }

    var isUnity: Bool { framesLeft == 0 && target == 1 }

    func value(after frames: Int) -> Float {
        frames < framesLeft ? start + step * Float(frames) : target
    }

    /// Moves from the present value to another within `frames` frames.
    mutating func go(to value: Float, frames: Int) {
        start = self.value(after: 0)
        target = value
        framesLeft = max(frames, 0)
        step = framesLeft == 0 ? 0 : (target - start) / Float(framesLeft)
    }

    mutating func advance(_ frames: Int) {
        start = value(after: frames)
        framesLeft = max(0, framesLeft - frames)
    }
}
