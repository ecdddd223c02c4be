// SPDX-License-Identifier: MIT

/// A filter of the second order for two channels, with its state: the transposed direct form II.
///
/// Double precision keeps low frequencies exact at high rates.
struct BiquadSection {
    private var b0 = SIMD2<Double>(1, 1)
    private var b1 = SIMD2<Double>()
    private var b2 = SIMD2<Double>()
    private var a1 = SIMD2<Double>()
    private var a2 = SIMD2<Double>()
    private var state1 = SIMD2<Double>()
    private var state2 = SIMD2<Double>()

    /// Makes a filter that passes its input unchanged.
    init() {}

    /// Sets the coefficients, and keeps the state.
    mutating func set(_ coefficients: BiquadCoefficients) {
        b0 = SIMD2(repeating: coefficients.b0)
        b1 = SIMD2(repeating: coefficients.b1)
        b2 = SIMD2(repeating: coefficients.b2)
        a1 = SIMD2(repeating: coefficients.a1)
        a2 = SIMD2(repeating: coefficients.a2)
    }

    /// Filters a sample of each channel.
    @inline(__always)
    mutating func filter(_ input: SIMD2<Double>) -> SIMD2<Double> {
        let output = b0 * input + state1
        state1 = (b1 * input + state2) - a1 * output
        state2 = b2 * input - a2 * output
        return output
    }

    /// Replaces states that are too small, or no valid numbers, by 0.
    mutating func settle() {
        state1 = SIMD2(state1.x.settled, state1.y.settled)
        state2 = SIMD2(state2.x.settled, state2.y.settled)
    }

    mutating func clear() {
        state1 = SIMD2()
        state2 = SIMD2()
    }

    /// The largest state.
    var magnitude: Double {
        let first = max(state1.x.magnitude, state1.y.magnitude)
        return max(first, max(state2.x.magnitude, state2.y.magnitude))
    }
}
