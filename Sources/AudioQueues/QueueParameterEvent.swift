// SPDX-License-Identifier: MIT

/// A change of a parameter at a buffer's first frame.
package enum QueueParameterEvent: Sendable, Equatable {
    case volume(Float, rampSeconds: Float)
    case playRate(Float)
    case pitch(cents: Float)
    case pan(Float)
    /// The gain of the audio itself, by which the volume is multiplied.
    case sourceGain(Float)
}
