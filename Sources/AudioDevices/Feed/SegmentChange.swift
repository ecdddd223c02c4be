/// What changes with a segment's first frame, at whatever time that is heard.
///
/// Numbers that are none count as 0, and those out of range as the nearer bound.
package struct SegmentChange: Sendable, Equatable {
    /// The gain that the first frame has, if it is not the one in force.
    package var startGain: Float?
    /// The gain that is reached ``rampSeconds`` after that frame, if there is to be another.
    package var gain: Float?
    package var rampSeconds: Float
    /// The place between left and right, -1 to 1, from that frame on. Stereo alone has one on this side of a device.
    package var pan: Float?

    package init(
        startGain: Float? = nil, gain: Float? = nil, rampSeconds: Float = 0, pan: Float? = nil
    ) {
        self.startGain = startGain
        self.gain = gain
        self.rampSeconds = rampSeconds
        self.pan = pan
    }

    /// Adds a change of volume behind those that are here already: a volume of 0 at once and then a ramp to 1 are a
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

    /// Adds a change of pan: the last one holds.
    package mutating func setPan(_ pan: Float) { self.pan = pan }

    /// Whether nothing changes.
    package var isEmpty: Bool { startGain == nil && gain == nil && pan == nil }
}
