// SPDX-License-Identifier: MIT

/// The stages of a distortion. Each stage leaves silence silent, and samples between -1 and 1.
struct DistortionShape {
    /// The curve that limits samples.
    enum Curve {
        /// A smooth limit.
        case soft
        /// A limit with corners.
        case hard
        /// The square with the sign of the sample, limited.
        case square
        /// The cube, limited.
        case cube
    }

    var curve = Curve.soft
    /// The gain before the curve.
    var drive: Float = 1
    /// The frequency that samples are multiplied with in hertz; 0 for none.
    var ringFrequency: Double = 0
    /// The rate in hertz at which samples change; 0 for the rate of the format.
    var heldRate: Double = 0
    /// The number of bits of a sample; 0 for all.
    var bits = 0
    /// The time between echoes in seconds, up to ``longestEcho``; 0 for none.
    var echoTime: Double = 0
    /// The part of an echo that is repeated.
    var echoFeedback: Float = 0

    static let longestEcho = 0.5
    /// The number of presets.
    static let count = 22

    /// Returns the stages of a preset with a published number.
    static func preset(_ number: Int) -> DistortionShape {
        switch number {
        // Drums.
        case 0: DistortionShape(curve: .hard, drive: 2, bits: 5)
        case 1: DistortionShape(drive: 2, heldRate: 9_000, echoTime: 0.09, echoFeedback: 0.4)
        case 2: DistortionShape(drive: 2, heldRate: 11_025, bits: 8)
        // All kinds of audio.
        case 3: DistortionShape(curve: .hard, drive: 8)
        case 4: DistortionShape(curve: .hard, drive: 5, heldRate: 8_000, bits: 8)
        case 5: DistortionShape(heldRate: 16_000, bits: 12)
        case 6: DistortionShape(heldRate: 8_000, bits: 10)
        case 7: DistortionShape(drive: 1.5, heldRate: 5_000, bits: 8)
        case 8: DistortionShape(drive: 2, heldRate: 2_500, bits: 6)
        case 9: DistortionShape(drive: 12)
        case 10: DistortionShape(curve: .cube, drive: 2)
        case 11: DistortionShape(curve: .square, drive: 2)
        case 12: DistortionShape(drive: 1.5, echoTime: 0.25, echoFeedback: 0.4)
        case 13: DistortionShape(drive: 1.5, echoTime: 0.4, echoFeedback: 0.5)
        case 14: DistortionShape(drive: 1.5, echoTime: 0.06, echoFeedback: 0.3)
        case 15: DistortionShape(drive: 2, echoTime: 0.1, echoFeedback: 0.5)
        case 16:
            DistortionShape(
                curve: .hard, drive: 10, ringFrequency: 70, heldRate: 4_000, bits: 4, echoTime: 0.05,
                echoFeedback: 0.5)
        // Speech.
        case 17: DistortionShape(drive: 2, ringFrequency: 350, echoTime: 0.03, echoFeedback: 0.5)
        case 18: DistortionShape(curve: .hard, drive: 4, ringFrequency: 900, heldRate: 6_000)
        case 19: DistortionShape(drive: 2, ringFrequency: 161.8)
        case 20: DistortionShape(curve: .hard, drive: 6, heldRate: 6_000, bits: 6)
        default: DistortionShape(drive: 2, ringFrequency: 30, echoTime: 0.15, echoFeedback: 0.4)
        }
    }
}
