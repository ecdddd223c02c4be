// SPDX-License-Identifier: MIT

import AQGraphs
public import AudioToolbox

/// A node that processes its input: the base class of effects.
///
/// Make objects of subclasses. Any thread may set parameters, also while the engine runs: they apply from the next slice
/// on.
open class AVAudioUnit: AVAudioNode {
    /// The type, the subtype and the manufacturer by which audio units are found.
    public let audioComponentDescription: AudioComponentDescription
    /// The name of the effect.
    public let name: String
    /// The name of the manufacturer. The effects here are not Apple's, but have the same types and parameters.
    public let manufacturerName: String
    /// The version of the effect: 0x00010000 is 1.0.0.
    public let version: Int

    /// The element that renders the node, with one input and one output.
    let effect: any EffectElement

    /// - Parameter description: The description that programs compare with those of Apple's units.
    init(_ effect: any EffectElement, _ description: AudioComponentDescription, name: String) {
        self.effect = effect
        audioComponentDescription = description
        self.name = name
        manufacturerName = "Apple"
        version = 0x0001_0000
        super.init(part: NodePart(effect, .effect, inputs: 1, outputs: 1))
    }
}

extension AudioComponentDescription {
    /// Makes the description of an effect.
    ///
    /// - Parameters:
    ///   - type: `kAudioUnitType_Effect` or `kAudioUnitType_FormatConverter`.
    init(effect type: UInt32, subtype: UInt32) {
        self.init(
            componentType: type, componentSubType: subtype,
            componentManufacturer: kAudioUnitManufacturer_Apple, componentFlags: 0, componentFlagsMask: 0)
    }
}
