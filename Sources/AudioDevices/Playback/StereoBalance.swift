/// How loud the two sides of stereo are, as the sound is moved between them: one side always stays as it is.
enum StereoBalance {
    /// A place that counts: what is no number is the middle. REAL-TIME.
    @_noLocks static func valid(_ position: Float) -> Float {
        if position >= 1 { return 1 }
        if position <= -1 { return -1 }
        return position > -1 ? position : 0
    }

    /// The gain of the left side, for a place from -1, the left, to 1. REAL-TIME.
    @_noLocks static func left(_ position: Float) -> Float { position > 0 ? 1 - position : 1 }

    /// The gain of the right side. REAL-TIME.
    @_noLocks static func right(_ position: Float) -> Float { position < 0 ? 1 + position : 1 }
}

extension [ChannelLevel] {
    /// What is heard of levels that were measured before volume and pan.
    func heard(gain: Float, position: Float) -> [ChannelLevel] {
        let sides = [StereoBalance.left(position), StereoBalance.right(position)]
        return indices.map { channel in
            let heardGain = count == sides.count ? gain * sides[channel] : gain
            return ChannelLevel(rms: self[channel].rms * heardGain, peak: self[channel].peak * heardGain)
        }
    }
}
