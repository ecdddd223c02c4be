// SPDX-License-Identifier: MIT

/// The quality of resampling. A higher quality keeps more of the band, aliases less, and takes more time.
///
/// The value of each case is a published constant, `kAudioConverterQuality_Min` to `…Max`.
public enum RateQuality: UInt32, Sendable, CaseIterable, Comparable {
    /// Cubic interpolation without a filter against aliases, for previews.
    case minimum = 0
    /// 16 bits of precision, with a wide roll-off.
    case low = 0x20
    /// 16 bits of precision, with a medium roll-off.
    case medium = 0x40
    /// 20 bits of precision: aliases and noise are below those of 16-bit samples, and of most 24-bit samples.
    case high = 0x60
    /// 28 bits of precision.
    case maximum = 0x7F

    /// Makes the highest case that is at most a number from 0 to 127, as in
    /// `kAudioConverterSampleRateConverterQuality`.
    public init(atMost value: UInt32) {
        self = Self.allCases.last { $0.rawValue <= value } ?? .minimum
    }

    public static func < (one: RateQuality, other: RateQuality) -> Bool { one.rawValue < other.rawValue }
}
