// SPDX-License-Identifier: MIT

/// An algorithm that changes the rate and the pitch of interleaved 32-bit floats without an end.
///
/// The first output frame belongs to the first input frame: frames that the stretcher holds do not delay the audio.
/// Used by one thread at a time. Allocates memory when it is made or receives the first frames, not for each chunk.
package protocol SliceStretcher: AnyObject {
    /// Sets the ratio of input to output frames, initially 1; ratios that the stretcher does not support become the nearest
    /// that it does.
    func setRate(_ rate: Double)
    /// Sets the shift of pitch: -2400 to 2400 cents, initially 0. Ignored if the stretcher cannot shift the pitch.
    func setPitch(cents: Double)
    /// Adds `count` frames. Accepts all of them.
    func put(_ frames: UnsafePointer<Float>, count: Int)
    /// Outputs and removes the frames that are ready.
    ///
    /// - Returns: The number of frames; 0 if more input is required.
    func take(into output: UnsafeMutablePointer<Float>, capacity: Int) -> Int
    /// Drops all frames. Rate and pitch remain.
    func restart()
}

/// A function that makes a stretcher; returns nil if it is not available for a number of channels.
package typealias SliceStretcherMaker =
    @Sendable (_ sampleRate: Double, _ channels: Int) -> (any SliceStretcher)?

/// A stretcher whose pitch follows the rate, and cannot be shifted separately.
extension VarispeedResampler: SliceStretcher {
    package func setPitch(cents: Double) {}
}
