/// The noise that is added when samples lose bits, so that what is rounded off does not become distortion.
///
/// The cases are the published values of `kAudioConverterPropertyDithering`.
public enum DitherKind: UInt32, Sendable, CaseIterable {
    /// None: samples are rounded to nearest.
    case none = 0
    /// White noise of triangular distribution, two steps wide (`kDitherAlgorithm_TPDF`).
    ///
    /// Makes the error independent of the sound, in mean and in power.
    case triangular = 1
    /// The same, and the error of each sample taken off later ones, so that it goes where ears hear least
    /// (`kDitherAlgorithm_NoiseShaping`).
    case noiseShaping = 2
}
