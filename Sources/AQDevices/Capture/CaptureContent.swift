// SPDX-License-Identifier: MIT

import Glibc

/// The audio that a ``VirtualSource`` captures.
///
/// ``write(_:fromFrame:sampleRate:channels:)`` is called on the threads of the source's streams, never with a lock
/// held. Each stream starts at frame 0 after a stop and continues frame by frame. The method may read files. If it is
/// slow, frames are captured late, but none is lost.
public protocol CaptureContent: Sendable {
    /// Writes interleaved samples, starting with frame `fromFrame`.
    ///
    /// - Parameters:
    ///   - samples: Room for whole frames of signed 32-bit samples. Encodings of fewer bits use the upper bits; float
    ///     gets the sample divided by 2^31, rounded.
    ///   - fromFrame: The number of the first frame, counted from the stream's start.
    ///   - sampleRate: The stream's rate, in hertz.
    ///   - channels: The stream's number of channels.
    /// - Returns: The number of frames written. The rest is silent; content that has ended returns 0.
    func write(
        _ samples: UnsafeMutableBufferPointer<Int32>, fromFrame: Int64, sampleRate: Double, channels: Int
    ) -> Int
}

/// Content that is silent.
public struct SilentContent: CaptureContent {
    public init() {}

    public func write(
        _ samples: UnsafeMutableBufferPointer<Int32>, fromFrame: Int64, sampleRate: Double, channels: Int
    ) -> Int { 0 }
}

/// A sine tone, the same in all channels.
public struct ToneContent: CaptureContent {
    public let frequency: Double
    public let amplitude: Double

    /// - Parameters:
    ///   - frequency: In hertz. A value that is not finite becomes 0.
    ///   - amplitude: Clamped to 0 to 1.
    public init(frequency: Double = 440, amplitude: Double = 0.5) {
        self.frequency = frequency.isFinite ? frequency : 0
        self.amplitude = amplitude.isNaN ? 0 : max(0, min(amplitude, 1))
    }

    public func write(
        _ samples: UnsafeMutableBufferPointer<Int32>, fromFrame: Int64, sampleRate: Double, channels: Int
    ) -> Int {
        let frames = samples.count / max(1, channels)
        // Computed for each frame, so that rounding errors do not add up.
        let cyclesPerFrame = fmod(frequency / sampleRate, 1)
        for frame in 0..<frames {
            let cycles = fmod(Double(fromFrame &+ Int64(frame)) * cyclesPerFrame, 1)
            let value = Int32(sin(cycles * 2 * .pi) * amplitude * 2_147_483_647)
            for channel in 0..<channels { unsafe samples[frame * channels + channel] = value }
        }
        return frames
    }
}

/// Samples that encode their own position, so that lost, repeated or swapped frames can be detected.
///
/// Each sample is a number from -32760 to 32760, with the same value in every encoding of 16 bits or more: the upper 16
/// bits of an integer, and n / 32768 in float.
public struct SequenceContent: CaptureContent {
    /// The sequence repeats after this many frames. The number is prime, so that a loss of whole fragments can always
    /// be detected.
    public static let periodFrames: Int64 = 65_521
    /// The offset of each channel from the channel before it, in frames.
    private static let channelStep: Int64 = 257

    public init() {}

    /// The 16-bit sample of one channel in one frame:
    /// (`frame` + 257 × `channel`) mod 65521, less 32760.
    public static func sample(frame: Int64, channel: Int) -> Int16 {
        let sum = frame % periodFrames + Int64(channel) % periodFrames * channelStep
        // Euclidean, so that negative frames have valid samples too.
        let phase = (sum % periodFrames + periodFrames) % periodFrames
        return Int16(phase - 32_760)
    }

    public func write(
        _ samples: UnsafeMutableBufferPointer<Int32>, fromFrame: Int64, sampleRate: Double, channels: Int
    ) -> Int {
        let frames = samples.count / max(1, channels)
        for channel in 0..<channels {
            var value = Int32(SequenceContent.sample(frame: fromFrame, channel: channel))
            for frame in 0..<frames {
                unsafe samples[frame * channels + channel] = value << 16
                value = value == 32_760 ? -32_760 : value + 1
            }
        }
        return frames
    }
}
