// SPDX-License-Identifier: MIT

/// Changes of gain, volume and pan that take effect at a segment's first frame.
///
/// NaN counts as 0; values out of range are clamped.
package struct SegmentChange: Sendable, Equatable {
    /// The gain at the first frame; nil keeps the current gain.
    package var startGain: Float?
    /// The gain reached ``rampSeconds`` after that frame; nil if there is no ramp.
    package var gain: Float?
    package var rampSeconds: Float
    /// The pan from the segment's first frame on, -1 (left) to 1 (right); nil keeps the current pan. For stereo streams
    /// only.
    package var pan: Float?
    /// The gain of the audio itself, by which the volume is multiplied, from the segment's first frame on; nil keeps the
    /// current one.
    package var sourceGain: Float?

    package init(
        startGain: Float? = nil, gain: Float? = nil, rampSeconds: Float = 0, pan: Float? = nil,
        sourceGain: Float? = nil
    ) {
        self.startGain = startGain
        self.gain = gain
        self.rampSeconds = rampSeconds
        self.pan = pan
        self.sourceGain = sourceGain
    }

    /// Adds a volume change after the existing ones. For example, a volume of 0 at once and then a ramp to 1 make a
    /// fade-in.
    package mutating func setVolume(_ gain: Float, rampSeconds: Float) {
        if rampSeconds > 0 {
            self.gain = gain
            self.rampSeconds = rampSeconds
        } else {
            startGain = gain
            self.gain = nil
            self.rampSeconds = 0
        }
    }

    /// Adds a change of pan, which replaces a previous change of pan.
    package mutating func setPan(_ pan: Float) { self.pan = pan }

    /// Whether nothing changes.
    package var isEmpty: Bool { startGain == nil && gain == nil && pan == nil && sourceGain == nil }
}
