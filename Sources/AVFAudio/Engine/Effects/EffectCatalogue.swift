// SPDX-License-Identifier: MIT

import AQGraphs
import AudioToolbox
import CoreAudioTypes

/// The effects that can be made by description, and their names.
enum EffectCatalogue {
    /// 'dist', which the headers for C do not have.
    static let distortionSubtype: UInt32 = 0x6469_7374

    static let equalizerName = "AUNBandEQ"
    static let reverbName = "AUReverb2"
    static let delayName = "AUDelay"
    static let distortionName = "AUDistortion"
    static let timePitchName = "AUNewTimePitch"
    static let varispeedName = "AUVarispeed"

    /// Returns an element, and its name.
    static func effect(for description: AudioComponentDescription) -> (any EffectElement, String) {
        switch (description.componentType, description.componentSubType) {
        case (kAudioUnitType_Effect, kAudioUnitSubType_NBandEQ):
            (EqualizerElement(bandCount: 1), equalizerName)
        case (kAudioUnitType_Effect, kAudioUnitSubType_Reverb2): (ReverbElement(), reverbName)
        case (kAudioUnitType_Effect, kAudioUnitSubType_Delay): (DelayElement(), delayName)
        case (kAudioUnitType_Effect, distortionSubtype): (DistortionElement(), distortionName)
        default: unknown(description)
        }
    }

    /// Returns an element that changes rate or pitch, and its name.
    static func timeEffect(for description: AudioComponentDescription) -> (any EffectElement, String) {
        switch (description.componentType, description.componentSubType) {
        case (kAudioUnitType_FormatConverter, kAudioUnitSubType_NewTimePitch):
            (EffectStretchers.timePitch(), timePitchName)
        case (kAudioUnitType_FormatConverter, kAudioUnitSubType_Varispeed):
            (EffectStretchers.varispeed(), varispeedName)
        default: unknown(description)
        }
    }

    private static func unknown(_ description: AudioComponentDescription) -> (any EffectElement, String) {
        let subtype = AVAudioFailure.text(OSStatus(bitPattern: description.componentSubType))
        MisuseNote.write("there is no effect \(subtype): its input is passed unchanged")
        // An equalizer without bands changes nothing.
        return (EqualizerElement(bandCount: 0), "")
    }
}
