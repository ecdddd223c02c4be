// SPDX-License-Identifier: MIT

package import AudioCodecs

/// An algorithm that changes the rate and the pitch of interleaved 32-bit floats.
///
/// The first output frame belongs to the first input frame. Used by one thread at a time.
package protocol GraphStretcher: AnyObject {
    /// Sets the ratio of input to output frames.
    func setRate(_ rate: Double)
    /// Sets the shift of pitch. Ignored if it cannot be shifted.
    func setPitch(cents: Double)
    /// Adds `count` frames. Accepts all of them.
    func put(_ frames: UnsafePointer<Float>, count: Int)
    /// Outputs frames that are ready, and returns their number; 0 if more input is required.
    func take(into output: UnsafeMutablePointer<Float>, capacity: Int) -> Int
    /// Drops all frames. Rate and pitch remain.
    func restart()
}

/// A function that makes a stretcher; returns nil if it is not available for a number of channels.
package typealias GraphStretcherMaker =
    @Sendable (_ sampleRate: Double, _ channels: Int) -> (any GraphStretcher)?

/// A stretcher whose pitch follows the rate.
extension VarispeedResampler: GraphStretcher {
    package func setPitch(cents: Double) {}
}
