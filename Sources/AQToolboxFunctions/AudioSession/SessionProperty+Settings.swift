// SPDX-License-Identifier: MIT

import AQSessions
import CAQAudioToolbox

extension SessionProperty {
    /// The properties that the program sets.
    static let settings: [AudioSessionPropertyID: SessionProperty] = [
        kAudioSessionProperty_AudioCategory: setting({ $0.category.published }) {
            (settings, value: UInt32) throws(StatusError) in
            guard let category = SessionSettings.Category(published: value) else {
                throw StatusError(kAudioSessionUnsupportedPropertyError)
            }
            settings.setCategory(category)
        },
        kAudioSessionProperty_Mode: setting({ $0.mode.published }) {
            (settings, value: UInt32) throws(StatusError) in
            guard let mode = SessionSettings.Mode(published: value) else {
                throw StatusError(kAudioSessionUnsupportedPropertyError)
            }
            guard settings.setMode(mode) else { throw StatusError(kAudioSessionIncompatibleCategory) }
        },
        kAudioSessionProperty_PreferredHardwareSampleRate: setting({ $0.preferredSampleRate }) {
            (settings, value: Float64) throws(StatusError) in
            guard value.isFinite, value >= 0 else { throw StatusError(kAudioSessionUnsupportedPropertyError) }
            settings.preferredSampleRate = value
        },
        kAudioSessionProperty_PreferredHardwareIOBufferDuration: setting({
            Float32($0.preferredIOBufferSeconds)
        }) { (settings, value: Float32) throws(StatusError) in
            guard value.isFinite, value >= 0 else { throw StatusError(kAudioSessionUnsupportedPropertyError) }
            settings.preferredIOBufferSeconds = Double(value)
        },
        kAudioSessionProperty_OverrideAudioRoute: setting(nil) {
            (settings, value: UInt32) throws(StatusError) in
            switch value {
            case kAudioSessionOverrideAudioRoute_None: settings.overridesToSpeaker = false
            case kAudioSessionOverrideAudioRoute_Speaker: settings.overridesToSpeaker = true
            default: throw StatusError(kAudioSessionUnsupportedPropertyError)
            }
        },
        kAudioSessionProperty_OtherMixableAudioShouldDuck: setting({ $0.ducksOthers ? 1 : 0 as UInt32 }) {
            (settings, value: UInt32) throws(StatusError) in
            settings.ducksOthers = value != 0
            // COMPAT: audio of others that is quieter is not stopped.
            if value != 0, settings.category == .playback { settings.mixesWithOthers = true }
        },
        kAudioSessionProperty_OverrideCategoryMixWithOthers: option(\.mixesWithOthers) {
            $0.canMixWithOthers
        },
        kAudioSessionProperty_OverrideCategoryDefaultToSpeaker: option(\.defaultsToSpeaker) {
            $0 == .playAndRecord
        },
        kAudioSessionProperty_OverrideCategoryEnableBluetoothInput: option(\.allowsBluetoothInput) {
            $0 == .playAndRecord || $0 == .record
        },
    ]
}
