// SPDX-License-Identifier: MIT

import Synchronization

/// The type of an equalizer band, with the published values.
package enum EqualizerFilter: UInt32, Sendable, CaseIterable {
    /// A bell around the frequency.
    case parametric = 0
    /// A Butterworth filter of the second order, -3 dB at the frequency.
    case lowPass = 1
    /// A Butterworth filter of the second order, -3 dB at the frequency.
    case highPass = 2
    /// A filter of the second order whose resonance the bandwidth determines.
    case resonantLowPass = 3
    /// A filter of the second order whose resonance the bandwidth determines.
    case resonantHighPass = 4
    /// Passes the band, with gain 1 at the frequency.
    case bandPass = 5
    /// Removes the band.
    case bandStop = 6
    /// The gain applies below the frequency, where it is half of it in decibels.
    case lowShelf = 7
    /// The gain applies above the frequency, where it is half of it in decibels.
    case highShelf = 8
    /// A low shelf whose steepness the bandwidth determines.
    case resonantLowShelf = 9
    /// A high shelf whose steepness the bandwidth determines.
    case resonantHighShelf = 10
}

/// A filter of an equalizer. Any thread may change it.
package final class EqualizerBand: Sendable {
    /// The values that determine the coefficients.
    struct Settings: Equatable {
        var filterType = EqualizerFilter.parametric
        var frequency: Float = 1_000
        var bandwidth: Float = 0.5
        var gain: Float = 0
    }

    private let filterTypeValue = Atomic<UInt32>(EqualizerFilter.parametric.rawValue)
    /// The centre or the cutoff in hertz, at least 20. Frequencies above half of the rate count as slightly below it.
    package let frequency = EffectParameter(1_000, in: 20...192_000)
    /// The width in octaves, 0.05 to 5.
    package let bandwidth = EffectParameter(0.5, in: 0.05...5)
    /// The gain in decibels, -96 to 24.
    package let gain = EffectParameter(0, in: -96...24)
    /// Whether the band has no effect, as initially.
    package let bypass = EffectSwitch(isOn: true)

    init() {}

    package var filterType: EqualizerFilter {
        get { EqualizerFilter(rawValue: filterTypeValue.load(ordering: .relaxed)) ?? .parametric }
        set { filterTypeValue.store(newValue.rawValue, ordering: .relaxed) }
    }

    /// The values that are in force; nil during a bypass.
    var settings: Settings? {
        guard !bypass.isOn else { return nil }
        return Settings(
            filterType: filterType, frequency: frequency.value, bandwidth: bandwidth.value,
            gain: gain.value)
    }
}
