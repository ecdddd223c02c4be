// SPDX-License-Identifier: MIT

import AQGraphs
public import AudioToolbox

/// An effect that changes the rate or the pitch of its input. Its output may be longer or shorter than the input.
open class AVAudioUnitTimeEffect: AVAudioUnit {
    /// Makes the effect with a description.
    ///
    /// Time pitch ('nutp') and varispeed ('vari') exist. Others pass their input unchanged, which is reported on standard
    /// error.
    public init(audioComponentDescription: AudioComponentDescription) {
        let (effect, name) = EffectCatalogue.timeEffect(for: audioComponentDescription)
        super.init(effect, audioComponentDescription, name: name)
    }

    init(_ effect: any EffectElement, subtype: UInt32, name: String) {
        super.init(
            effect, AudioComponentDescription(effect: kAudioUnitType_FormatConverter, subtype: subtype),
            name: name)
    }

    /// Whether the input is passed unchanged, at its own rate and pitch; initially false.
    open var bypass: Bool {
        get { effect.bypass.isOn }
        set { effect.bypass.isOn = newValue }
    }
}
