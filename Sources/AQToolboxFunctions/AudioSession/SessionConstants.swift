// SPDX-License-Identifier: MIT

import AQSessions
import CAQAudioToolbox

extension SessionSettings.Category {
    /// Makes a category of a published number; nil for other numbers.
    init?(published: UInt32) {
        switch published {
        case kAudioSessionCategory_AmbientSound, kAudioSessionCategory_UserInterfaceSoundEffects:
            self = .ambient
        case kAudioSessionCategory_SoloAmbientSound: self = .soloAmbient
        case kAudioSessionCategory_MediaPlayback, kAudioSessionCategory_LiveAudio: self = .playback
        case kAudioSessionCategory_RecordAudio: self = .record
        case kAudioSessionCategory_PlayAndRecord: self = .playAndRecord
        case kAudioSessionCategory_AudioProcessing: self = .audioProcessing
        default: return nil
        }
    }

    /// The published number. The category for several routes, which C does not have, is that for both directions.
    var published: UInt32 {
        switch self {
        case .ambient: kAudioSessionCategory_AmbientSound
        case .soloAmbient: kAudioSessionCategory_SoloAmbientSound
        case .playback: kAudioSessionCategory_MediaPlayback
        case .record: kAudioSessionCategory_RecordAudio
        case .playAndRecord, .multiRoute: kAudioSessionCategory_PlayAndRecord
        case .audioProcessing: kAudioSessionCategory_AudioProcessing
        }
    }
}

extension SessionSettings.Mode {
    /// Makes a mode of a published number; nil for other numbers.
    init?(published: UInt32) {
        switch published {
        case kAudioSessionMode_Default: self = .default
        case kAudioSessionMode_VoiceChat: self = .voiceChat
        case kAudioSessionMode_VideoRecording: self = .videoRecording
        case kAudioSessionMode_Measurement: self = .measurement
        case kAudioSessionMode_GameChat: self = .gameChat
        default: return nil
        }
    }

    /// The published number; that of the nearest mode for those that C does not have.
    var published: UInt32 {
        switch self {
        case .default, .moviePlayback, .spokenAudio, .voicePrompt: kAudioSessionMode_Default
        case .voiceChat, .videoChat: kAudioSessionMode_VoiceChat
        case .gameChat: kAudioSessionMode_GameChat
        case .videoRecording: kAudioSessionMode_VideoRecording
        case .measurement: kAudioSessionMode_Measurement
        }
    }
}
