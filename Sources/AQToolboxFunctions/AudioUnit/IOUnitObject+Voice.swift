// SPDX-License-Identifier: MIT

import AQDevices
import AQUnits
import CAQAudioToolbox
import CoreAudioTypes

/// The settings of voice processing that are kept without effect: the server, or its user, decides.
struct VoiceSettings: Sendable {
    var ducksOthers: UInt32 = 1
    var quality: UInt32 = 127
    var isAdvancedDucking = false
    var duckingLevel: UInt32 = 0

    /// Whether a number is that of a property with a value.
    static func isSetting(_ id: AudioUnitPropertyID) -> Bool {
        switch id {
        case kAUVoiceIOProperty_BypassVoiceProcessing, kAUVoiceIOProperty_VoiceProcessingEnableAGC,
            kAUVoiceIOProperty_DuckNonVoiceAudio, kAUVoiceIOProperty_VoiceProcessingQuality,
            kAUVoiceIOProperty_MuteOutput, kAUVoiceIOProperty_OtherAudioDuckingConfiguration:
            true
        default: false
        }
    }

    static let duckingLevels: Set<UInt32> = [0, 10, 20, 30]
}

/// The properties of voice processing: global ones, of either element.
///
/// The listener for speech of a muted speaker does not exist: a muted microphone is not analysed.
extension IOUnitObject {
    /// The value of a property; nil for other properties, and those of units without voice processing.
    func voiceValue(of property: UnitProperty) throws(UnitError) -> PropertyAnswer? {
        guard try isVoiceSetting(property) else { return nil }
        let voice = settings.withLock { $0.voice }
        switch property.id {
        case kAUVoiceIOProperty_BypassVoiceProcessing:
            let isBypassed = engine.isVoiceProcessingBypassed
            // The initialized unit has the canceller.
            if !isBypassed, !engine.isInitialized { try engine.checkVoiceProcessing() }
            return .one(UInt32(isBypassed ? 1 : 0))
        case kAUVoiceIOProperty_VoiceProcessingEnableAGC:
            return .one(UInt32(engine.controlsVoiceGain ? 1 : 0))
        case kAUVoiceIOProperty_DuckNonVoiceAudio: return .one(voice.ducksOthers)
        case kAUVoiceIOProperty_VoiceProcessingQuality: return .one(voice.quality)
        case kAUVoiceIOProperty_MuteOutput: return .one(UInt32(engine.isInputMuted ? 1 : 0))
        default:
            // AUVoiceIOOtherAudioDuckingConfiguration: a byte, three of padding, and the level.
            return .many([UInt32(voice.isAdvancedDucking ? 1 : 0).littleEndian, voice.duckingLevel])
        }
    }

    /// Sets a property; returns false for other properties, and for units without voice processing.
    func setVoice(_ property: UnitProperty, _ data: UnitPropertyData) throws(UnitError) -> Bool {
        guard try isVoiceSetting(property) else { return false }
        if property.id == kAUVoiceIOProperty_OtherAudioDuckingConfiguration {
            let bytes = data.values(as: UInt8.self)
            guard bytes.count >= 8 else { throw UnitError(.invalidPropertyValue, "too few bytes") }
            let level = data.values(as: UInt32.self)[1]
            guard VoiceSettings.duckingLevels.contains(level) else {
                throw UnitError(.invalidPropertyValue, "no such level")
            }
            settings.withLock { settings in
                settings.voice.isAdvancedDucking = bytes[0] != 0
                settings.voice.duckingLevel = level
            }
            return true
        }
        let value: UInt32 = try data.value()
        switch property.id {
        case kAUVoiceIOProperty_BypassVoiceProcessing: try engine.setVoiceProcessingBypassed(value != 0)
        case kAUVoiceIOProperty_VoiceProcessingEnableAGC: try engine.setControlsVoiceGain(value != 0)
        case kAUVoiceIOProperty_MuteOutput: engine.isInputMuted = value != 0
        case kAUVoiceIOProperty_DuckNonVoiceAudio:
            settings.withLock { $0.voice.ducksOthers = value != 0 ? 1 : 0 }
        default:
            guard value <= 127 else { throw UnitError(.invalidPropertyValue, "no such quality") }
            settings.withLock { $0.voice.quality = value }
        }
        return true
    }

    private func isVoiceSetting(_ property: UnitProperty) throws(UnitError) -> Bool {
        guard processesVoice, VoiceSettings.isSetting(property.id) else { return false }
        guard property.scope == kAudioUnitScope_Global else {
            throw UnitError(.invalidScope, "no such scope")
        }
        guard property.element <= 1 else { throw UnitError(.invalidElement, "no such element") }
        return true
    }
}
