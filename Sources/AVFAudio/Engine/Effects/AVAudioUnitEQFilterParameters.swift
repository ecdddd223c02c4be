// SPDX-License-Identifier: MIT

import AQGraphs
public import Foundation

/// The type of a filter of an equalizer.
public enum AVAudioUnitEQFilterType: Int, Sendable {
    /// A bell around the frequency, with a gain and a bandwidth.
    case parametric = 0
    /// Passes frequencies below the cutoff, where the gain is -3 dB. A Butterworth filter of the second order.
    case lowPass = 1
    /// Passes frequencies above the cutoff, where the gain is -3 dB. A Butterworth filter of the second order.
    case highPass = 2
    /// A low-pass filter with a resonance at the cutoff, which is stronger for a small bandwidth.
    case resonantLowPass = 3
    /// A high-pass filter with a resonance at the cutoff, which is stronger for a small bandwidth.
    case resonantHighPass = 4
    /// Passes the frequencies of the bandwidth around the frequency.
    case bandPass = 5
    /// Removes the frequencies of the bandwidth around the frequency.
    case bandStop = 6
    /// Applies the gain to frequencies below the frequency.
    case lowShelf = 7
    /// Applies the gain to frequencies above the frequency.
    case highShelf = 8
    /// A low shelf with a resonance, which is stronger for a small bandwidth.
    case resonantLowShelf = 9
    /// A high shelf with a resonance, which is stronger for a small bandwidth.
    case resonantHighShelf = 10
}

/// A filter of an ``AVAudioUnitEQ``.
///
/// Numbers outside the range of a parameter become the nearest limit. NaN is ignored.
open class AVAudioUnitEQFilterParameters: NSObject {
    private let band: EqualizerBand

    init(_ band: EqualizerBand) {
        self.band = band
        super.init()
    }

    /// The type; initially ``AVAudioUnitEQFilterType/parametric``.
    open var filterType: AVAudioUnitEQFilterType {
        get { AVAudioUnitEQFilterType(rawValue: Int(band.filterType.rawValue)) ?? .parametric }
        set { band.filterType = EqualizerFilter(rawValue: UInt32(newValue.rawValue)) ?? .parametric }
    }

    /// The centre or the cutoff in hertz, from 20 to half of the sample rate; initially 1000.
    open var frequency: Float {
        get { band.frequency.value }
        set { band.frequency.value = newValue }
    }

    /// The width in octaves, 0.05 to 5; initially 0.5. Of no effect for low-pass and high-pass filters and shelves that
    /// are not resonant.
    open var bandwidth: Float {
        get { band.bandwidth.value }
        set { band.bandwidth.value = newValue }
    }

    /// The gain in decibels, -96 to 24; initially 0. Only parametric filters and shelves have a gain.
    open var gain: Float {
        get { band.gain.value }
        set { band.gain.value = newValue }
    }

    /// Whether the filter has no effect; initially true.
    open var bypass: Bool {
        get { band.bypass.isOn }
        set { band.bypass.isOn = newValue }
    }
}
