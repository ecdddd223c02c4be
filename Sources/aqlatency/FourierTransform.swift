// SPDX-License-Identifier: MIT

import Glibc

/// Complex numbers as two arrays of equal length.
struct ComplexSamples: Sendable {
    var real: [Double]
    var imaginary: [Double]

    var count: Int { real.count }

    init(repeating value: Double, count: Int) {
        real = [Double](repeating: value, count: count)
        imaginary = real
    }
}

/// The discrete Fourier transform of a power of two of samples.
struct FourierTransform: Sendable {
    let count: Int
    private let cosines: [Double]
    private let sines: [Double]

    /// - Parameter count: The smallest number of samples, which is rounded up to a power of two.
    init(atLeast count: Int) {
        var size = 2
        while size < count { size *= 2 }
        self.count = size
        let angles = (0..<size / 2).map { 2 * Double.pi * Double($0) / Double(size) }
        cosines = angles.map { cos($0) }
        sines = angles.map { sin($0) }
    }

    /// Transforms `count` samples in place; the inverse is not divided by the count.
    func transform(_ samples: inout ComplexSamples, isInverse: Bool = false) {
        precondition(samples.count == count, "the transform is for \(count) samples")
        permute(&samples)
        let sign = isInverse ? 1.0 : -1.0
        var half = 1
        while half < count {
            let step = count / (2 * half)
            for start in stride(from: 0, to: count, by: 2 * half) {
                for index in 0..<half {
                    let (cosine, sine) = (cosines[index * step], sign * sines[index * step])
                    let (low, high) = (start + index, start + index + half)
                    let real = samples.real[high] * cosine - samples.imaginary[high] * sine
                    let imaginary = samples.real[high] * sine + samples.imaginary[high] * cosine
                    samples.real[high] = samples.real[low] - real
                    samples.imaginary[high] = samples.imaginary[low] - imaginary
                    samples.real[low] += real
                    samples.imaginary[low] += imaginary
                }
            }
            half *= 2
        }
    }

    /// Sorts the samples by their reversed indices.
    private func permute(_ samples: inout ComplexSamples) {
        var reversed = 0
        for index in 1..<count {
            var bit = count / 2
            while reversed & bit != 0 {
                reversed ^= bit
                bit /= 2
            }
            reversed |= bit
            if index < reversed {
                samples.real.swapAt(index, reversed)
                samples.imaginary.swapAt(index, reversed)
            }
        }
    }
}
