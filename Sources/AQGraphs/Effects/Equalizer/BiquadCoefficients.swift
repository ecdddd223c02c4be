// SPDX-License-Identifier: MIT

import Glibc

/// The coefficients of a filter of the second order, divided by the first of the denominator.
///
/// The formulas are those of Robert Bristow-Johnson's "Audio EQ Cookbook".
struct BiquadCoefficients: Equatable {
    var b0 = 1.0
    var b1 = 0.0
    var b2 = 0.0
    var a1 = 0.0
    var a2 = 0.0

    /// Makes a filter that passes its input unchanged.
    init() {}

    init(_ settings: EqualizerBand.Settings, sampleRate: Double) {
        let frequency = min(Double(settings.frequency), 0.49 * sampleRate)
        let angle = 2 * Double.pi * frequency / sampleRate
        let (sine, cosine) = (sin(angle), cos(angle))
        // The widths of a band of octaves, of a Butterworth filter, and of a resonance.
        let halfBand = Double(settings.bandwidth) / 2
        let (ratio, rootRatio) = (exp2(2 * halfBand), exp2(halfBand))
        let band = sine * sinh(log(rootRatio) * angle / sine)
        let butterworth = sine * 0.5.squareRoot()
        let resonance = sine * (ratio - 1) / (2 * rootRatio)
        let amplitude = pow(10, Double(settings.gain) / 40)
        switch settings.filterType {
        case .parametric: setPeak(cosine, band, amplitude)
        case .lowPass: setLowPass(cosine, butterworth)
        case .highPass: setHighPass(cosine, butterworth)
        case .resonantLowPass: setLowPass(cosine, resonance)
        case .resonantHighPass: setHighPass(cosine, resonance)
        case .bandPass: set([band, 0, -band], [1 + band, -2 * cosine, 1 - band])
        case .bandStop: set([1, -2 * cosine, 1], [1 + band, -2 * cosine, 1 - band])
        case .lowShelf: setShelf(cosine, butterworth, amplitude, isHigh: false)
        case .highShelf: setShelf(cosine, butterworth, amplitude, isHigh: true)
        case .resonantLowShelf: setShelf(cosine, resonance, amplitude, isHigh: false)
        case .resonantHighShelf: setShelf(cosine, resonance, amplitude, isHigh: true)
        }
    }

    private mutating func set(_ numerator: SIMD3<Double>, _ denominator: SIMD3<Double>) {
        b0 = numerator.x / denominator.x
        b1 = numerator.y / denominator.x
        b2 = numerator.z / denominator.x
        a1 = denominator.y / denominator.x
        a2 = denominator.z / denominator.x
    }

    private mutating func setLowPass(_ cosine: Double, _ width: Double) {
        let gain = 1 - cosine
        set([gain / 2, gain, gain / 2], [1 + width, -2 * cosine, 1 - width])
    }

    private mutating func setHighPass(_ cosine: Double, _ width: Double) {
        let gain = 1 + cosine
        set([gain / 2, -gain, gain / 2], [1 + width, -2 * cosine, 1 - width])
    }

    private mutating func setPeak(_ cosine: Double, _ width: Double, _ amplitude: Double) {
        let (raised, lowered) = (width * amplitude, width / amplitude)
        set([1 + raised, -2 * cosine, 1 - raised], [1 + lowered, -2 * cosine, 1 - lowered])
    }

    private mutating func setShelf(
        _ cosine: Double, _ width: Double, _ amplitude: Double, isHigh: Bool
    ) {
        // A high shelf is a low one with the frequency axis reversed.
        let direction: Double = isHigh ? -1 : 1
        let turned = direction * cosine
        let (sum, difference) = (amplitude + 1, amplitude - 1)
        let slope = 2 * amplitude.squareRoot() * width
        let (near, far) = (sum - difference * turned, sum + difference * turned)
        let nearMiddle = 2 * direction * (difference - sum * turned)
        let farMiddle = -2 * direction * (difference + sum * turned)
        set(
            [amplitude * (near + slope), amplitude * nearMiddle, amplitude * (near - slope)],
            [far + slope, farMiddle, far - slope])
    }
}
