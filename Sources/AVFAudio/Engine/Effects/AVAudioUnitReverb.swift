// SPDX-License-Identifier: MIT

import AQGraphs
import AudioToolbox

/// A room of an ``AVAudioUnitReverb``.
public enum AVAudioUnitReverbPreset: Int, Sendable {
    case smallRoom = 0
    case mediumRoom = 1
    case largeRoom = 2
    case mediumHall = 3
    case largeHall = 4
    case plate = 5
    case mediumChamber = 6
    case largeChamber = 7
    case cathedral = 8
    case largeRoom2 = 9
    case mediumHall2 = 10
    case mediumHall3 = 11
    case largeHall2 = 12
}

/// The reverberation of a room.
///
/// After the end of the input, the output decays for seconds. The rooms have the published names; their properties are
/// those of this package.
open class AVAudioUnitReverb: AVAudioUnitEffect {
    private let element = ReverbElement()

    /// Makes a reverb with ``AVAudioUnitReverbPreset/mediumHall``.
    public init() {
        super.init(element, subtype: kAudioUnitSubType_Reverb2, name: EffectCatalogue.reverbName)
    }

    /// Changes the room. Reverberation of the previous room ends.
    open func loadFactoryPreset(_ preset: AVAudioUnitReverbPreset) { element.preset = preset.rawValue }

    /// The part of the reverberation in the output in percent, 0 to 100; initially 100. Other values become the nearest
    /// limit.
    open var wetDryMix: Float {
        get { element.wetDryMix.value }
        set { element.wetDryMix.value = newValue }
    }
}
