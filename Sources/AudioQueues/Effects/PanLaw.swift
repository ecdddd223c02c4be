import Glibc

/// The gains of left and right for a position between them.
enum PanLaw {
    /// For mono on two channels: of equal power, so that the middle is 3 dB down on both.
    static func spread(_ pan: Float) -> (left: Float, right: Float) {
        let angle = (Double(pan) + 1) * (.pi / 4)
        // The cosine of a right angle is not exactly 0.
        return (pan >= 1 ? 0 : Float(cos(angle)), pan <= -1 ? 0 : Float(sin(angle)))
    }

    /// For stereo: one side is unchanged, the other is reduced in proportion.
    static func balance(_ pan: Float) -> (left: Float, right: Float) {
        (min(1, 1 - pan), min(1, 1 + pan))
    }
}

/// The gains of two channels, which move from one position to another without a click.
struct PanStage {
    private var left: LinearRamp
    private var right: LinearRamp
    private let isSpread: Bool
    private(set) var pan: Float = 0

    /// - Parameter isSpread: Whether mono becomes stereo; else stereo is balanced.
    init(isSpread: Bool) {
        self.isSpread = isSpread
        let gains = isSpread ? PanLaw.spread(0) : PanLaw.balance(0)
        left = LinearRamp(gains.left)
        right = LinearRamp(gains.right)
    }

    /// Moves to another position within `frames`; 0 is at once.
    mutating func go(to pan: Float, frames: Int) {
        self.pan = pan
        let gains = isSpread ? PanLaw.spread(pan) : PanLaw.balance(pan)
        left.go(to: gains.left, frames: frames)
        right.go(to: gains.right, frames: frames)
    }

    /// Balances stereo frames.
    mutating func balance(_ samples: UnsafeMutablePointer<Float>, frames: Int) {
        defer { advance(frames) }
        guard !left.isUnity || !right.isUnity else { return }
        for index in 0..<frames {
            unsafe samples[2 * index] *= left.value(after: index)
            unsafe samples[2 * index + 1] *= right.value(after: index)
        }
    }

    /// Makes stereo of mono frames in place; the memory has room for it.
    mutating func spread(_ samples: UnsafeMutablePointer<Float>, frames: Int) {
        // From the last frame on, so that frames are read before they are overwritten.
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

/// A value that moves to another linearly.
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

    /// The value of the frame after `frames` others.
    func value(after frames: Int) -> Float {
        frames < framesLeft ? start + step * Float(frames) : target
    }

    /// Moves to another value from the present one.
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
