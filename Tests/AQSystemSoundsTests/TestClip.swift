// SPDX-License-Identifier: MIT

import CoreAudioTypes
import AQSystemSounds
import AQTestSupport

/// Clips of 16-bit samples at 48 kHz, one channel.
enum TestClip {
    static let format = AudioStreamBasicDescription.signedInteger(bits: 16, channels: 1, sampleRate: 48_000)

    /// A clip of these samples.
    static func clip(_ samples: [Int16]) -> SoundClip { SoundClip(format: format, bytes: bytes(of: samples)) }

    /// The samples that count up from `first`, without 0.
    static func counting(from first: Int, frames: Int) -> [Int16] {
        (first..<(first + frames)).map { Int16($0 % 30_000 + 1) }
    }

    static func bytes(of samples: [Int16]) -> [UInt8] { samples.flatMap { little($0) } }

    static func samples(of bytes: [UInt8]) -> [Int16] {
        stride(from: 0, to: bytes.count - 1, by: 2).map { index in
            Int16(truncatingIfNeeded: Int(bytes[index]) | Int(bytes[index + 1]) << 8)
        }
    }
}
