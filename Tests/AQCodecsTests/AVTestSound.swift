// SPDX-License-Identifier: MIT

#if HAVE_AV_CODECS
import CoreAudioTypes
import Glibc
import AQTestSupport

/// Audio in which all neighbouring frames, and all channels, differ.
enum TestSound {
    /// Two tones a channel and a little noise, at half of full scale.
    static func samples(frames: Int, channels: Int, sampleRate: Double) -> [Double] {
        var noise = SplitMix(7)
        var samples: [Double] = []
        samples.reserveCapacity(frames * channels)
        for frame in 0..<frames {
            for channel in 0..<channels {
                // The fourth of six channels is LFE, and AAC codes only low frequencies there.
                let low = channels >= 6 && channel == 3 ? 0.02 : 1.0
                let tone = sampleRate / 40 * (1 + 0.13 * Double(channel)) * low
                let phase = 2 * Double.pi * Double(frame) / sampleRate
                // The amplitude rises, so each period of the tones is different.
                let swell = 0.6 + 0.4 * sin(phase * sampleRate / 5000 + Double(channel))
                samples.append(
                    (0.35 * sin(phase * tone) + 0.1 * sin(phase * tone * 1.7)) * swell
                        + 0.002 * Double.random(in: -1...1, using: &noise) * low)
            }
        }
        return samples
    }

    static func floats(_ samples: [Double]) -> [UInt8] {
        samples.flatMap { unsafe withUnsafeBytes(of: Float($0)) { unsafe Array($0) } }
    }

    /// Integers of 2, 3 or 4 bytes.
    static func integers(_ samples: [Double], bits: Int) -> [UInt8] {
        let scale = Double(1 << (bits - 1))
        return samples.flatMap { sample in
            let value = Int32(min(max((sample * scale).rounded(), -scale), scale - 1)).littleEndian
            return unsafe withUnsafeBytes(of: value) { unsafe Array($0.prefix(bits / 8)) }
        }
    }

    /// The samples of an encoding as numbers from -1 to 1.
    static func doubles(_ bytes: [UInt8], _ format: AudioStreamBasicDescription) -> [Double] {
        let width = Int(format.mBitsPerChannel) / 8
        return stride(from: 0, to: bytes.count - width + 1, by: width).map { offset in
            var word: UInt32 = 0
            for index in 0..<width {
                word |= UInt32(bytes[offset + index]) << UInt32(8 * (index + 4 - width))
            }
            if format.isFloat { return Double(Float(bitPattern: word)) }
            return Double(Int32(bitPattern: word)) * 0x1p-31
        }
    }
}

extension SplitMix {
    mutating func bytes(_ count: Int) -> [UInt8] {
        (0..<count).map { _ in UInt8(truncatingIfNeeded: next()) }
    }
}
#endif
