// SPDX-License-Identifier: MIT

import Glibc

/// The frequency that a slice is multiplied with.
struct RingCarrier {
    private var phase = 0.0

    /// Writes the carrier of the next frames, computed by turning a vector.
    @unsafe mutating func write(
        _ carrier: UnsafeMutablePointer<Float>, frames: Int, frequency: Double, sampleRate: Double
    ) {
        let angle = 2 * Double.pi * frequency / sampleRate
        let (turnSine, turnCosine) = (sin(angle), cos(angle))
        var (sine, cosine) = (sin(phase), cos(phase))
        for frame in 0..<frames {
            unsafe carrier[frame] = Float(cosine)
            let next = cosine * turnCosine - sine * turnSine
            sine = sine * turnCosine + cosine * turnSine
            cosine = next
        }
        phase = (phase + angle * Double(frames)).truncatingRemainder(dividingBy: 2 * Double.pi)
    }

    mutating func reset() { phase = 0 }
}

/// A reduction of the rate: samples are held.
struct SampleHold {
    /// The part of a held sample that has passed.
    private var phase = 1.0
    private var held: [Float]

    init(channels: Int) { held = Array(repeating: 0, count: channels) }

    /// Replaces samples.
    ///
    /// - Parameter step: The part of a held sample that a frame is, at most 1.
    mutating func process(_ samples: PlanarSamples, step: Double) {
        var next = phase
        for channel in 0..<samples.channels {
            let memory = unsafe samples[channel]
            var value = held[channel]
            // All channels change at the same frames.
            next = phase
            for frame in 0..<samples.frames {
                // The tolerance keeps whole periods whole, which the sum of steps may miss by rounding.
                if next > 1 - 1e-9 {
                    next -= 1
                    value = unsafe memory[frame]
                }
                next += step
                unsafe memory[frame] = value
            }
            held[channel] = value.settled
        }
        phase = next
    }

    /// Whether silence is held.
    var isQuiet: Bool { held.allSatisfy { $0 == 0 } }

    mutating func reset() {
        phase = 1
        for channel in held.indices { held[channel] = 0 }
    }
}

extension DistortionShape {
    /// Multiplies samples by the gain, and limits them.
    @unsafe func limit(_ samples: UnsafeMutablePointer<Float>, frames: Int, gain: Float) {
        switch curve {
        case .soft:
            for frame in 0..<frames {
                // An approximation of the hyperbolic tangent, which is 1 at 3.
                let value = unsafe max(-3, min(samples[frame] * gain, 3))
                let square = value * value
                unsafe samples[frame] = value * (27 + square) / (27 + 9 * square)
            }
        case .hard:
            for frame in 0..<frames { unsafe samples[frame] = max(-1, min(samples[frame] * gain, 1)) }
        case .square:
            for frame in 0..<frames {
                let value = unsafe max(-1, min(samples[frame] * gain, 1))
                unsafe samples[frame] = value * abs(value)
            }
        case .cube:
            for frame in 0..<frames {
                let value = unsafe max(-1, min(samples[frame] * gain, 1))
                unsafe samples[frame] = value * value * value
            }
        }
    }

    /// Rounds samples between -1 and 1 to the number of bits.
    @unsafe func round(_ samples: UnsafeMutablePointer<Float>, frames: Int) {
        let levels = Float(1 << (bits - 1))
        // At this size, the unit in the last place of a float is 1. The addition rounds, without calling a function.
        let rounding: Float = 12_582_912
        for frame in 0..<frames {
            let rounded = unsafe samples[frame] * levels + rounding - rounding
            unsafe samples[frame] = rounded / levels
        }
    }
}
