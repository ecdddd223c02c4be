// SPDX-License-Identifier: MIT

import AQGraphs
public import AudioToolbox

/// An effect whose output has the format and the length of its input.
open class AVAudioUnitEffect: AVAudioUnit {
    /// Makes the effect with a description.
    ///
    /// The equalizer ('nbeq'), reverb ('rvb2'), delay ('dely') and distortion ('dist') exist. Others pass their input
    /// unchanged, which is reported on standard error.
    public init(audioComponentDescription: AudioComponentDescription) {
        let (effect, name) = EffectCatalogue.effect(for: audioComponentDescription)
        super.init(effect, audioComponentDescription, name: name)
    }

    init(_ effect: any EffectElement, subtype: UInt32, name: String) {
        super.init(
            effect, AudioComponentDescription(effect: kAudioUnitType_Effect, subtype: subtype), name: name)
    }

    /// Whether the input is passed unchanged; initially false.
    open var bypass: Bool {
        get { effect.bypass.isOn }
        set { effect.bypass.isOn = newValue }
    }
}
