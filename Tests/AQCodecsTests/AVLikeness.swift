// SPDX-License-Identifier: MIT

#if HAVE_AV_CODECS
import Glibc

/// The similarity of decoded audio to its source.
enum Likeness {
    /// The signal-to-noise ratio of `other` against `sound`, shifted by `shift` samples, in decibels.
    static func decibels(_ sound: [Double], _ other: [Double], shift: Int = 0) -> Double {
        var signal = 0.0
        var noise = 0.0
        for index in max(0, -shift)..<min(sound.count, other.count - max(0, shift)) {
            let difference = other[index + shift] - sound[index]
            signal += sound[index] * sound[index]
            noise += difference * difference
        }
        return 10 * log10(max(signal, 1e-30) / max(noise, 1e-30))
    }

    /// The shift, in frames, at which both are most similar.
    static func bestShift(
        _ sound: [Double], _ other: [Double], channels: Int, within frames: Int = 8
    ) -> Int {
        (-frames...frames).max { first, second in
            decibels(sound, other, shift: first * channels)
                < decibels(sound, other, shift: second * channels)
        } ?? 0
    }
}
#endif
