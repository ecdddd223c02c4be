// SPDX-License-Identifier: MIT

/// The gain of each frame: constant, then a linear ramp, then constant again.
///
/// The gain depends only on the frame's number, so that frames rendered again after a rewind get the same gain.
struct GainRamp {
    private(set) var startFrame: Int64 = 0
    private(set) var startGain: Float
    private(set) var endGain: Float
    private(set) var rampFrames: Int64 = 0

    /// A constant gain.
    init(constant value: Float = 1) {
        startGain = value
        endGain = value
    }

    /// The gain of one frame.
    @_noLocks func gain(at frame: Int64) -> Float {
        let elapsed = frame &- startFrame
        if elapsed >= rampFrames { return endGain }
        if elapsed <= 0 { return startGain }
        return startGain + (endGain - startGain) * Float(elapsed) / Float(rampFrames)
    }

    /// A gain that every kernel accepts: NaN becomes 0, and no product overflows. REAL-TIME.
    @_noLocks static func valid(_ gain: Float) -> Float {
        if gain >= 1024 { return 1024 }
        if gain <= -1024 { return -1024 }
        // NaN is not greater than any number.
        return gain > -1024 ? gain : 0
    }

    /// Starts a new ramp from the current gain at `frame`.
    @_noLocks mutating func ramp(to gain: Float, from frame: Int64, frames: Int64) {
        startGain = self.gain(at: frame)
        startFrame = frame
        endGain = gain
        rampFrames = frames
    }

    /// Starts a ramp to 1 from the given gain, not from the current one.
    @_noLocks mutating func set(from gain: Float, at frame: Int64, frames: Int64) {
        startGain = gain
        startFrame = frame
        endGain = 1
        rampFrames = frames
    }

    /// The number of frames from `frame`, at most `limit`, with the same gain; 0 inside a ramp.
    @_noLocks func constantRun(from frame: Int64, limit: Int) -> Int {
        let elapsed = frame &- startFrame
        if elapsed >= rampFrames { return limit }
        if elapsed >= 0 { return 0 }
        return Int(min(Int64(limit), 0 &- elapsed))
    }
}
