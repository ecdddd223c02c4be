// SPDX-License-Identifier: MIT

import AQGraphs
import AudioToolbox

/// Changes the rate and the pitch together, like a tape.
open class AVAudioUnitVarispeed: AVAudioUnitTimeEffect {
    private let element: SpeedElement

    /// Makes a unit with rate 1.
    public init() {
        element = EffectStretchers.varispeed()
        super.init(element, subtype: kAudioUnitSubType_Varispeed, name: EffectCatalogue.varispeedName)
    }

    /// The ratio of input to output; initially 1. At 2, the pitch is an octave higher. Rates outside 0.5 to 2 become the
    /// nearest limit. The published range, 0.25 to 4, is larger.
    open var rate: Float {
        get { element.rate.value }
        set { element.rate.value = newValue }
    }
}
