// SPDX-License-Identifier: MIT

import CAQResampler

/// The quality of resampling. A higher quality keeps more of the band, aliases less, and takes more time.
///
/// The band that passes is relative to half of the lower rate. What is above that half is removed. Delays are those of
/// ``RatePhase/linear``.
///
/// The value of each case is a published constant, `kAudioConverterQuality_Min` to `…Max`.
public enum RateQuality: UInt32, Sendable, CaseIterable, Comparable {
    /// Half of the band passes; noise and aliases are 95 dB below the signal. The delay is 16 frames of the lower rate.
    case minimum = 0
    /// 75 % of the band pass; 100 dB. The delay is 32 frames of the lower rate.
    case low = 0x20
    /// 86 % of the band pass; 108 dB. The delay is 56 frames of the lower rate.
    case medium = 0x40
    /// 91 % of the band pass; 126 dB, below the noise of 16-bit samples, and of most 24-bit samples. The delay is 96 frames of
    /// the lower rate.
    case high = 0x60
    /// 92 % of the band pass; 140 dB, the precision of 32-bit floats. The delay is 128 frames of the lower rate.
    case maximum = 0x7F

    /// Makes the highest case that is at most a number from 0 to 127, as in
    /// `kAudioConverterSampleRateConverterQuality`.
    public init(atMost value: UInt32) {
        self = Self.allCases.last { $0.rawValue <= value } ?? .minimum
    }

    func filter(isMinimumPhase: Bool) -> aq_resampler_filter {
        let (passBand, attenuation) =
            switch self {
            case .minimum: (0.5, 96.0)
            case .low: (0.75, 102)
            case .medium: (0.86, 108)
            case .high: (0.913, 126)
            case .maximum: (0.92, 150)
            }
        return aq_resampler_filter(
            pass_band: passBand, attenuation: attenuation, is_minimum_phase: isMinimumPhase)
    }

    public static func < (one: RateQuality, other: RateQuality) -> Bool { one.rawValue < other.rawValue }
}
