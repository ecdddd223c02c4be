/// Changes the rate and the pitch of interleaved 32-bit floats.
///
/// The first frame that comes out belongs to the first that went in: what is held is not a delay of the sound. Used by
/// one thread at a time. All memory is had when it is made, or with the first frames, and not for each chunk.
package protocol TimeStretcher: AnyObject {
    /// Frames that are to go in for each that comes out: 0.5 to 2, 1 at first.
    func setRate(_ rate: Double)
    /// -2400 to 2400, 0 at first. One that cannot shift the pitch ignores it.
    func setPitch(cents: Double)
    /// Takes all of the frames.
    func put(_ frames: UnsafePointer<Float>, count: Int)
    /// Gives what is ready, and takes it out.
    ///
    /// - Returns: Frames; 0 when more has to be put first.
    func take(into output: UnsafeMutablePointer<Float>, capacity: Int) -> Int
    /// No frame follows: what is held becomes ready. Only ``restart()`` may follow, when all is taken.
    func finish()
    /// Forgets all frames, as before the first; rate and pitch stay.
    func restart()
    /// About how many frames have to be put before the first comes out.
    var latencyFrames: Int { get }
}

/// Makes a stretcher for a sample rate, a number of channels and an algorithm; nil when that is not to be had.
package typealias TimeStretcherMaker =
    @Sendable (_ sampleRate: Double, _ channels: Int, _ algorithm: TimePitchAlgorithm) -> (any TimeStretcher)?
