// SPDX-License-Identifier: MIT

import Foundation

/// Audio as numbers from -1 to 1, channels interleaved.
struct Sound: Sendable {
    var channels: Int
    var sampleRate: Int
    var samples: [Double]

    var frames: Int { samples.count / channels }

    /// Simple music: chords that decay, bursts of noise and rests, different in each channel.
    ///
    /// It ends with loud audio inside a packet of every codec. The fourth of six channels is LFE, of which encoders
    /// keep only low frequencies.
    static func music(channels: Int, sampleRate: Int) -> Sound {
        let frames = sampleRate * 137 / 100 + 17
        var samples = [Double](repeating: 0, count: frames * channels)
        for channel in 0..<channels {
            var noise = UInt64(channel) &+ 0x9E37_79B9_7F4A_7C15
            let isLow = channels == 6 && channel == 3
            let pitch = isLow ? 41.0 : 131.0 * pow(1.31, Double(channel))
            for frame in 0..<frames {
                let seconds = Double(frame) / Double(sampleRate)
                let place = (seconds + 0.07 * Double(channel)).truncatingRemainder(dividingBy: 0.35)
                // A rest at each note's end, and then a higher note.
                if place > 0.3 { continue }
                let step = pow(1.122, floor((seconds + 0.07 * Double(channel)) / 0.35))
                let phase = 2 * Double.pi * pitch * (isLow ? 1 : step) * seconds
                var value = 0.4 * sin(phase) + 0.2 * sin(2 * phase)
                if !isLow { value += 0.1 * sin(3 * phase) + 0.05 * sin(5 * phase + 1) }
                value *= exp(-6 * place) * min(1, place * 200)
                noise = noise &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                if !isLow, place < 0.03 {
                    value += 0.05 * (Double(noise >> 11) / Double(1 << 53) - 0.5)
                }
                samples[frame * channels + channel] = value
            }
        }
        return Sound(channels: channels, sampleRate: sampleRate, samples: samples)
    }

    /// The audio after a conversion to a sample format.
    func kept(as kind: SampleKind) -> Sound {
        Sound(channels: channels, sampleRate: sampleRate, samples: kind.exact(samples))
    }

    /// Drops its first frames, and those after a number of frames.
    func cut(from start: Int, frames: Int) -> Sound {
        let range = max(0, min(start, self.frames))..<max(0, min(start + frames, self.frames))
        return Sound(
            channels: channels, sampleRate: sampleRate,
            samples: Array(samples[range.lowerBound * channels..<range.upperBound * channels]))
    }
}
