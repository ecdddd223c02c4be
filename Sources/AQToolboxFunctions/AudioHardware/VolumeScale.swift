// SPDX-License-Identifier: MIT

import Glibc

/// The scale of volumes: PulseAudio's volume control from 0 to 1, whose cube is the gain.
enum VolumeScale {
    /// The level of silence, which has no logarithm. PulseAudio uses the same number.
    static let silence = -200.0

    /// The level of a volume; 0 dB for full volume.
    static func decibels(of volume: Double) -> Double {
        volume > 0 ? max(silence, 60 * log10(volume)) : silence
    }

    /// The volume of a level.
    static func volume(ofDecibels decibels: Double) -> Double {
        decibels > silence ? pow(10, decibels / 60) : 0
    }
}
