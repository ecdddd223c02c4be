// SPDX-License-Identifier: MIT

/// The gains of the two stereo sides for a pan value. One side is always unchanged.
enum StereoBalance {
    /// A valid pan value; NaN becomes the middle. REAL-TIME.
    @_noLocks static func valid(_ position: Float) -> Float {
        if position >= 1 { return 1 }
        if position <= -1 { return -1 }
        return position > -1 ? position : 0
    }

    /// The gain of the left side for a pan from -1 (left) to 1 (right). REAL-TIME.
    @_noLocks static func left(_ position: Float) -> Float { position > 0 ? 1 - position : 1 }

    /// The gain of the right side. REAL-TIME.
    @_noLocks static func right(_ position: Float) -> Float { position < 0 ? 1 + position : 1 }
}

extension [ChannelLevel] {
    /// The audible levels, from levels measured before volume and pan.
    func scaled(gain: Float, position: Float) -> [ChannelLevel] {
        let sides = [StereoBalance.left(position), StereoBalance.right(position)]
        return indices.map { channel in
            let channelGain = count == sides.count ? gain * sides[channel] : gain
            return ChannelLevel(rms: self[channel].rms * channelGain, peak: self[channel].peak * channelGain)
        }
    }
}
