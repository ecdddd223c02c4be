// SPDX-License-Identifier: MIT

/// The properties of a room.
struct ReverbPreset: Equatable {
    /// The factor of the delays, up to ``largestSize``.
    var size: Double
    /// The time until the reverberation has fallen by 60 dB, in seconds.
    var decay: Double
    /// The frequency in hertz above which reverberation decays faster.
    var damping: Double
    /// The time before the first reflection in seconds, up to ``longestPredelay``.
    var predelay: Double

    static let largestSize = 2.0
    static let longestPredelay = 0.06

    /// The number of presets.
    static let count = 13

    private init(_ size: Double, decay: Double, damping: Double, predelay: Double) {
        self.size = size
        self.decay = decay
        self.damping = damping
        self.predelay = predelay
    }

    /// Returns the preset with a published number. Other numbers are those of medium halls.
    static func preset(_ number: Int) -> ReverbPreset {
        switch number {
        case 0: ReverbPreset(0.35, decay: 0.5, damping: 7_000, predelay: 0.002)  // small room
        case 1: ReverbPreset(0.5, decay: 0.8, damping: 6_500, predelay: 0.004)  // medium room
        case 2: ReverbPreset(0.7, decay: 1.1, damping: 6_000, predelay: 0.008)  // large room
        case 4: ReverbPreset(1.4, decay: 2.8, damping: 5_000, predelay: 0.03)  // large hall
        case 5: ReverbPreset(0.6, decay: 1.6, damping: 12_000, predelay: 0.001)  // plate
        case 6: ReverbPreset(0.6, decay: 1.2, damping: 8_000, predelay: 0.006)  // medium chamber
        case 7: ReverbPreset(0.85, decay: 1.7, damping: 7_500, predelay: 0.012)  // large chamber
        case 8: ReverbPreset(2, decay: 5, damping: 4_000, predelay: 0.05)  // cathedral
        case 9: ReverbPreset(0.75, decay: 1.3, damping: 9_000, predelay: 0.01)  // large room 2
        case 10: ReverbPreset(0.95, decay: 1.7, damping: 8_000, predelay: 0.015)  // medium hall 2
        case 11: ReverbPreset(1.1, decay: 2.1, damping: 4_500, predelay: 0.025)  // medium hall 3
        case 12: ReverbPreset(1.6, decay: 3.3, damping: 7_000, predelay: 0.035)  // large hall 2
        default: ReverbPreset(1, decay: 1.9, damping: 5_500, predelay: 0.02)  // medium hall
        }
    }
}
