// SPDX-License-Identifier: MIT

import Glibc

/// Limits for the state of effects, and conversions of their parameters.
enum EffectState {
    /// The amplitude below which a tail has decayed.
    static let silence: Float = 1e-6
    /// The sum of squares below which no sample of a slice reaches ``silence``.
    static let silentEnergy: Float = 1e-12

    /// The factor of a gain in decibels.
    static func factor(decibels: Float) -> Float { Float(pow(10, Double(decibels) / 20)) }

    /// The coefficient of a low-pass filter of the first order, which adds this part of the difference to its state.
    ///
    /// - Returns: 1 if the cutoff frequency is not below half of the rate: the input is passed unchanged.
    static func smoothing(cutoff: Double, sampleRate: Double) -> Float {
        guard cutoff < sampleRate / 2 else { return 1 }
        return Float(1 - exp(-2 * Double.pi * cutoff / sampleRate))
    }
}

extension BinaryFloatingPoint {
    /// The value of a filter's state for the next slice: 0 instead of numbers that would soon be subnormal, which are
    /// slow, and instead of those that an invalid input has caused.
    var settled: Self {
        let size = magnitude
        return size > 1e-15 && size < 1e15 ? self : 0
    }
}
