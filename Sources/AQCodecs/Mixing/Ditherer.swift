// SPDX-License-Identifier: MIT

/// A step that rounds 64-bit floats to integers of few bits, with noise.
///
/// The same seed gives the same noise, however the samples are divided into calls.
final class Ditherer {
    let bits: Int
    private let channels: Int
    private let isShaping: Bool
    private let seed: UInt64
    private var state: UInt64
    /// The last three errors of each channel, in steps, the latest first.
    private var errors: [SIMD4<Double>]

    /// The weights of the last three errors in the feedback: F-weighted, after Wannamaker (1992), for 44.1
    /// kHz.
    private static let weights = SIMD4(1.623, -0.982, 0.109, 0)

    /// - Parameters:
    ///   - bits: The remaining bit depth, 1 to 31.
    ///   - kind: A kind other than ``DitherKind/none``.
    init(bits: Int, channels: Int, kind: DitherKind, seed: UInt64) {
        self.bits = bits
        self.channels = channels
        isShaping = kind == .noiseShaping
        self.seed = seed
        state = seed
        errors = Array(repeating: .zero, count: channels)
    }

    func reset() {
        state = seed
        for channel in errors.indices { errors[channel] = .zero }
    }

    /// Writes `frames` frames as 32-bit integers whose high `bits` bits are used.
    ///
    /// SAFETY: the caller has checked that both memories hold the frames, and are aligned for their samples.
    @unsafe
    func dither(frames: Int, from: UnsafePointer<Double>, to: UnsafeMutablePointer<Int32>) {
        let scale = Double(UInt64(1) << UInt64(bits - 1))
        let shift = UInt32(32 - bits)
        var state = state
        @inline(__always)
        func store(_ wanted: Double, _ index: Int) -> Double {
            let noise = Self.noise(&state)
            let low = max(wanted + noise, -scale)
            // The last mantissa bit of the sum is worth 1, so the sum is rounded, and its low bits are the integer.
            let sum = min(low, scale - 1) + 0x1.8p52
            let word = UInt32(truncatingIfNeeded: sum.bitPattern) &<< shift
            unsafe to[index] = Int32(bitPattern: word)
            return sum - 0x1.8p52
        }
        if isShaping {
            unsafe errors.withUnsafeMutableBufferPointer { errors in
                for frame in 0..<frames {
                    for channel in 0..<channels {
                        let index = frame &* channels &+ channel
                        let sample = unsafe from[index]
                        let past = unsafe errors[channel]
                        let wanted = (sample == sample ? sample * scale : 0) - (past * Self.weights).sum()
                        let error = store(wanted, index) - wanted
                        // The errors of clipped samples would oscillate instead of decaying.
                        let bounded = min(max(error, -2), 2)
                        unsafe errors[channel] = SIMD4(bounded, past.x, past.y, 0)
                    }
                }
            }
        } else {
            for index in 0..<frames &* channels {
                let sample = unsafe from[index]
                _ = store(sample == sample ? sample * scale : 0, index)
            }
        }
        self.state = state
    }

    /// Returns the difference of two uniform distributions one step wide, from a counter and a mixing function
    /// (SplitMix64).
    @inline(__always)
    private static func noise(_ state: inout UInt64) -> Double {
        state &+= 0x9E37_79B9_7F4A_7C15
        var word = state
        word = (word ^ (word &>> 30)) &* 0xBF58_476D_1CE4_E5B9
        word = (word ^ (word &>> 27)) &* 0x94D0_49BB_1331_11EB
        word ^= word &>> 31
        let one = Double(UInt32(truncatingIfNeeded: word))
        let other = Double(UInt32(truncatingIfNeeded: word &>> 32))
        return (one - other) * 0x1p-32
    }
}
