// SPDX-License-Identifier: MIT

import AudioGraphs
public import AudioToolbox

/// An effect that changes the rate or the pitch of its input. Its output may be longer or shorter than the input.
open class AVAudioUnitTimeEffect: AVAudioUnit {
    private let effect: any EffectElement

    /// Makes the effect with a description.
    ///
    /// Time pitch ('nutp') and varispeed ('vari') exist. Others pass their input unchanged, which is reported on standard
    /// error.
    public init(audioComponentDescription: AudioComponentDescription) {
        let (effect, name) = EffectCatalogue.timeEffect(for: audioComponentDescription)
        self.effect = effect
        super.init(element: effect, description: audioComponentDescription, name: name)
    }

    init(_ effect: any EffectElement, subtype: UInt32, name: String) {
        self.effect = effect
        super.init(
            element: effect,
            description: AudioComponentDescription(effect: kAudioUnitType_FormatConverter, subtype: subtype),
            name: name)
    }

    /// Whether the input is passed unchanged, at its own rate and pitch; initially false.
    open var bypass: Bool {
        get { effect.bypass }
        set { effect.bypass = newValue }
    }
}
