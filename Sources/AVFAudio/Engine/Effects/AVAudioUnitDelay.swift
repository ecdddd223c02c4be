// SPDX-License-Identifier: MIT

import AQGraphs
import AudioToolbox

/// Echoes.
///
/// Numbers outside the range of a parameter become the nearest limit. NaN is ignored.
open class AVAudioUnitDelay: AVAudioUnitEffect {
    private let element = DelayElement()

    /// Makes a delay of a second.
    public init() {
        super.init(element, subtype: kAudioUnitSubType_Delay, name: EffectCatalogue.delayName)
    }

    /// The time to the first echo and between echoes in seconds, 0 to 2; initially 1. The shortest one is a frame.
    open var delayTime: Double {
        get { Double(element.delayTime.value) }
        set { element.delayTime.value = Float(newValue) }
    }

    /// The part of an echo that is repeated in percent, -100 to 100; initially 50. A negative one inverts every other
    /// echo.
    open var feedback: Float {
        get { element.feedback.value }
        set { element.feedback.value = newValue }
    }

    /// The frequency in hertz above which each echo is weaker than the one before, from 10 to half of the sample rate;
    /// initially 15,000.
    open var lowPassCutoff: Float {
        get { element.lowPassCutoff.value }
        set { element.lowPassCutoff.value = newValue }
    }

    /// The part of the echoes in the output in percent, 0 to 100; initially 100.
    open var wetDryMix: Float {
        get { element.wetDryMix.value }
        set { element.wetDryMix.value = newValue }
    }
}
