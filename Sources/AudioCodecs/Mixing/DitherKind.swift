/// The noise that is added when samples lose bits, so that rounding does not cause distortion.
///
/// The cases are the published values of `kAudioConverterPropertyDithering`.
public enum DitherKind: UInt32, Sendable, CaseIterable {
    /// None: samples are rounded to nearest.
    case none = 0
    /// White noise of triangular distribution, two steps wide (`kDitherAlgorithm_TPDF`).
    ///
    /// It makes the error independent of the audio, in mean and in power.
    case triangular = 1
    /// The same noise, with the error of each sample subtracted from later ones, which moves it to
    /// frequencies where hearing is least sensitive (`kDitherAlgorithm_NoiseShaping`).
    case noiseShaping = 2
}
