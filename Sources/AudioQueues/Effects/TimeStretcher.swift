package import AudioCodecs

/// Changes the rate and the pitch of interleaved 32-bit floats.
///
/// The first output frame belongs to the first input frame: held frames do not delay the audio. Used by one
/// thread at a time. All memory is allocated when it is made, or with the first frames, and not for each
/// chunk.
package protocol TimeStretcher: AnyObject {
    /// The ratio of input to output frames: 0.5 to 2, initially 1.
    func setRate(_ rate: Double)
    /// -2400 to 2400, initially 0. A stretcher that cannot shift the pitch ignores it.
    func setPitch(cents: Double)
    /// Takes all of the frames.
    func put(_ frames: UnsafePointer<Float>, count: Int)
    /// Outputs and removes the frames that are ready.
    ///
    /// - Returns: The number of frames; 0 if more have to be added first.
    func take(into output: UnsafeMutablePointer<Float>, capacity: Int) -> Int
    /// Marks the end of the input: held frames become ready. Only ``restart()`` may follow, after all are
    /// taken.
    func finish()
    /// Drops all frames, as before the first; rate and pitch remain.
    func restart()
}

/// Makes a stretcher for a sample rate, a number of channels and an algorithm; nil if that is not available.
package typealias TimeStretcherMaker =
    @Sendable (_ sampleRate: Double, _ channels: Int, _ algorithm: TimePitchAlgorithm) -> (any TimeStretcher)?

/// The pitch follows the rate, so it cannot be shifted.
extension VarispeedResampler: TimeStretcher {
    package func setPitch(cents: Double) {}
}
