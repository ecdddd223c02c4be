// SPDX-License-Identifier: MIT

import AQGraphs
import AudioToolbox
import Synchronization

/// Changes the rate at constant pitch, and the pitch at constant rate.
///
/// The library SoundTouch does that, for up to 15 channels. Without it, the input is passed unchanged, which is reported
/// on standard error.
open class AVAudioUnitTimePitch: AVAudioUnitTimeEffect {
    private let element: SpeedElement
    private let overlapBits = Atomic<UInt32>(Float(8).bitPattern)

    /// Makes a unit with rate 1.
    public init() {
        element = EffectStretchers.timePitch()
        super.init(
            element, subtype: kAudioUnitSubType_NewTimePitch, name: EffectCatalogue.timePitchName)
    }

    /// The ratio of input to output; initially 1. Rates outside 0.25 to 4 become the nearest limit. The published range,
    /// 1/32 to 32, is larger.
    open var rate: Float {
        get { element.rate.value }
        set { element.rate.value = newValue }
    }

    /// The shift of pitch in cents, -2400 to 2400; initially 0. An octave has 1200 cents. Other values become the nearest
    /// limit.
    open var pitch: Float {
        get { element.pitch.value }
        set { element.pitch.value = newValue }
    }

    /// The overlap of the pieces of audio, 3 to 32; initially 8. Of no effect: SoundTouch chooses the overlap itself.
    open var overlap: Float {
        get { Float(bitPattern: overlapBits.load(ordering: .relaxed)) }
        set {
            guard !newValue.isNaN else { return }
            overlapBits.store(max(3, min(newValue, 32)).bitPattern, ordering: .relaxed)
        }
    }
}
