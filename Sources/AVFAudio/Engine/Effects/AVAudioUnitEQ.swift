// SPDX-License-Identifier: MIT

import AQGraphs
import AudioToolbox

/// An equalizer: filters, one after the other, and a gain.
///
/// A new equalizer changes nothing, because its bands are bypassed.
open class AVAudioUnitEQ: AVAudioUnitEffect {
    /// The filters, in the order in which they are applied.
    public let bands: [AVAudioUnitEQFilterParameters]
    private let element: EqualizerElement

    /// Makes an equalizer.
    ///
    /// - Parameter numberOfBands: The number of filters, 0 or more.
    public init(numberOfBands: Int) {
        element = EqualizerElement(bandCount: numberOfBands)
        bands = element.bands.map { AVAudioUnitEQFilterParameters($0) }
        super.init(element, subtype: kAudioUnitSubType_NBandEQ, name: EffectCatalogue.equalizerName)
    }

    /// Makes an equalizer with one filter.
    public convenience init() { self.init(numberOfBands: 1) }

    /// The gain of the output in decibels, -96 to 24; initially 0. Other values become the nearest limit.
    open var globalGain: Float {
        get { element.globalGain.value }
        set { element.globalGain.value = newValue }
    }
}
