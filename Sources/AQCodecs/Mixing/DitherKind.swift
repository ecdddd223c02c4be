// SPDX-License-Identifier: MIT

/// The noise that is added to samples that lose bits, so that rounding does not cause distortion.
///
/// The cases are the published values of `kAudioConverterPropertyDithering`.
public enum DitherKind: UInt32, Sendable, CaseIterable {
    /// No noise: samples are rounded to nearest.
    case none = 0
    /// White noise of triangular distribution, two steps wide (`kDitherAlgorithm_TPDF`).
    ///
    /// This noise makes the error independent of the audio, in mean and in power.
    case triangular = 1
    /// Triangular noise with the error of each sample subtracted from later ones, which moves the error to
    /// frequencies where hearing is least sensitive (`kDitherAlgorithm_NoiseShaping`).
    case noiseShaping = 2
}
