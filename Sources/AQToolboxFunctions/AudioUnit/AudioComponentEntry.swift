// SPDX-License-Identifier: MIT

import CAQAudioToolbox

/// An entry of the registry of audio units.
struct AudioComponentEntry: Sendable {
    /// The type, subtype and manufacturer that programs search for, and the flags; the mask is 0.
    let description: AudioComponentDescription

    /// The name, with that of the manufacturer in front.
    let name: String

    /// The version: 16 bits for the major number, 8 for each of the others.
    let version: UInt32

    init(type: UInt32, subtype: UInt32, name: String, version: UInt32 = 0x0001_0000) {
        description = AudioComponentDescription(
            componentType: type, componentSubType: subtype,
            componentManufacturer: kAudioUnitManufacturer_Apple,
            componentFlags: AudioComponentFlags.sandboxSafe.rawValue, componentFlagsMask: 0)
        self.name = name
        self.version = version
    }

    /// The audio units, in the order in which a search finds them.
    ///
    /// COMPAT: a program that accepts any output unit takes the first, so this is the one that follows the default
    /// device.
    static let all: [AudioComponentEntry] = [
        AudioComponentEntry(
            type: kAudioUnitType_Output, subtype: kAudioUnitSubType_DefaultOutput,
            name: "Apple: DefaultOutputUnit"),
        AudioComponentEntry(
            type: kAudioUnitType_Output, subtype: kAudioUnitSubType_SystemOutput,
            name: "Apple: SystemOutputUnit"),
        AudioComponentEntry(
            type: kAudioUnitType_Output, subtype: kAudioUnitSubType_HALOutput, name: "Apple: AUHAL"),
        AudioComponentEntry(
            type: kAudioUnitType_Output, subtype: kAudioUnitSubType_RemoteIO, name: "Apple: AURemoteIO"),
        AudioComponentEntry(
            type: kAudioUnitType_Output, subtype: kAudioUnitSubType_VoiceProcessingIO,
            name: "Apple: AUVoiceProcessor"),
        AudioComponentEntry(
            type: kAudioUnitType_Output, subtype: kAudioUnitSubType_GenericOutput,
            name: "Apple: GenericOutput"),
        AudioComponentEntry(
            type: kAudioUnitType_FormatConverter, subtype: kAudioUnitSubType_AUConverter,
            name: "Apple: AUConverter"),
        AudioComponentEntry(
            type: kAudioUnitType_FormatConverter, subtype: kAudioUnitSubType_Varispeed,
            name: "Apple: AUVarispeed"),
        AudioComponentEntry(
            type: kAudioUnitType_FormatConverter, subtype: kAudioUnitSubType_NewTimePitch,
            name: "Apple: AUNewPitch"),
        AudioComponentEntry(
            type: kAudioUnitType_Mixer, subtype: kAudioUnitSubType_MultiChannelMixer,
            name: "Apple: AUMultiChannelMixer"),
        AudioComponentEntry(
            type: kAudioUnitType_Mixer, subtype: kAudioUnitSubType_StereoMixer, name: "Apple: AUMixer"),
    ]

    /// Returns whether a search finds the entry.
    ///
    /// A zero in the type, subtype or manufacturer matches all values. Flags are compared only under the mask.
    func matches(_ wanted: AudioComponentDescription) -> Bool {
        func isMatch(_ wanted: OSType, _ value: OSType) -> Bool { wanted == 0 || wanted == value }
        let mask = wanted.componentFlagsMask
        return isMatch(wanted.componentType, description.componentType)
            && isMatch(wanted.componentSubType, description.componentSubType)
            && isMatch(wanted.componentManufacturer, description.componentManufacturer)
            && wanted.componentFlags & mask == description.componentFlags & mask
    }
}
