// SPDX-License-Identifier: MIT

import AQSessions

extension AVAudioSession {
    /// The use that a program makes of audio. The raw value is the name in C.
    public struct Category: RawRepresentable, Hashable, Sendable {
        public let rawValue: String

        public init(rawValue: String) { self.rawValue = rawValue }

        /// Playback that is not essential, beside other programs.
        public static let ambient = Category(rawValue: "AVAudioSessionCategoryAmbient")
        /// Playback that is not essential. The category at first.
        public static let soloAmbient = Category(rawValue: "AVAudioSessionCategorySoloAmbient")
        /// Playback that is essential.
        public static let playback = Category(rawValue: "AVAudioSessionCategoryPlayback")
        /// Recording alone: the route has no output.
        public static let record = Category(rawValue: "AVAudioSessionCategoryRecord")
        /// Playback and recording.
        public static let playAndRecord = Category(rawValue: "AVAudioSessionCategoryPlayAndRecord")
        /// Playback and recording with several devices.
        public static let multiRoute = Category(rawValue: "AVAudioSessionCategoryMultiRoute")
        /// Conversion without devices: the route is empty.
        public static let audioProcessing = Category(rawValue: "AVAudioSessionCategoryAudioProcessing")
    }

    /// A special use within a category. The raw value is the name in C.
    public struct Mode: RawRepresentable, Hashable, Sendable {
        public let rawValue: String

        public init(rawValue: String) { self.rawValue = rawValue }

        public static let `default` = Mode(rawValue: "AVAudioSessionModeDefault")
        /// A conversation: needs ``Category/playAndRecord``.
        public static let voiceChat = Mode(rawValue: "AVAudioSessionModeVoiceChat")
        /// A conversation in a game: needs ``Category/playAndRecord``.
        public static let gameChat = Mode(rawValue: "AVAudioSessionModeGameChat")
        /// The recording of a video: needs ``Category/playAndRecord`` or ``Category/record``.
        public static let videoRecording = Mode(rawValue: "AVAudioSessionModeVideoRecording")
        public static let measurement = Mode(rawValue: "AVAudioSessionModeMeasurement")
        /// The playback of a film: needs ``Category/playback``.
        public static let moviePlayback = Mode(rawValue: "AVAudioSessionModeMoviePlayback")
        /// A conversation with video: needs ``Category/playAndRecord``.
        public static let videoChat = Mode(rawValue: "AVAudioSessionModeVideoChat")
        /// Continuous speech: needs a category with output.
        public static let spokenAudio = Mode(rawValue: "AVAudioSessionModeSpokenAudio")
        /// Speech in short prompts: needs a category with output.
        public static let voicePrompt = Mode(rawValue: "AVAudioSessionModeVoicePrompt")
        /// Counts as the default mode otherwise.
        public static let shortFormVideo = Mode(rawValue: "AVAudioSessionModeShortFormVideo")
        /// Counts as the default mode otherwise.
        public static let dualRoute = Mode(rawValue: "AVAudioSessionModeDualRoute")
    }

    /// Options of a category.
    public struct CategoryOptions: OptionSet, Hashable, Sendable {
        public let rawValue: UInt

        public init(rawValue: UInt) { self.rawValue = rawValue }

        /// Other programs' audio continues, as it always does here.
        public static let mixWithOthers = CategoryOptions(rawValue: 0x1)
        /// Other programs' audio should be quieter. No effect.
        public static let duckOthers = CategoryOptions(rawValue: 0x2)
        /// Microphones of Bluetooth devices may be used, as they always may here.
        public static let allowBluetoothHFP = CategoryOptions(rawValue: 0x4)
        /// The older name of ``allowBluetoothHFP``.
        public static let allowBluetooth = CategoryOptions(rawValue: 0x4)
        /// The speaker is preferred to the receiver. No effect.
        public static let defaultToSpeaker = CategoryOptions(rawValue: 0x8)
        /// Other programs' speech is interrupted, other audio continues. No effect. Includes ``mixWithOthers``.
        public static let interruptSpokenAudioAndMixWithOthers = CategoryOptions(rawValue: 0x11)
        /// No effect.
        public static let allowBluetoothA2DP = CategoryOptions(rawValue: 0x20)
        /// No effect.
        public static let allowAirPlay = CategoryOptions(rawValue: 0x40)
        /// No effect.
        public static let overrideMutedMicrophoneInterruption = CategoryOptions(rawValue: 0x80)
        /// No effect.
        public static let farFieldInput = CategoryOptions(rawValue: 1 << 18)
        /// No effect.
        public static let bluetoothHighQualityRecording = CategoryOptions(rawValue: 1 << 19)
    }
}

extension AVAudioSession.Category {
    static let all: [Self] = SessionSettings.Category.allCases.map { Self($0) }

    init(_ setting: SessionSettings.Category) {
        self =
            switch setting {
            case .ambient: .ambient
            case .soloAmbient: .soloAmbient
            case .playback: .playback
            case .record: .record
            case .playAndRecord: .playAndRecord
            case .multiRoute: .multiRoute
            case .audioProcessing: .audioProcessing
            }
    }

    /// The category of the engine; nil for an unknown one.
    var setting: SessionSettings.Category? { SessionSettings.Category.allCases.first { Self($0) == self } }
}

extension AVAudioSession.Mode {
    static let all: [Self] =
        SessionSettings.Mode.allCases.map { Self($0) } + [.shortFormVideo, .dualRoute]

    init(_ setting: SessionSettings.Mode) {
        self =
            switch setting {
            case .default: .default
            case .voiceChat: .voiceChat
            case .gameChat: .gameChat
            case .videoRecording: .videoRecording
            case .measurement: .measurement
            case .moviePlayback: .moviePlayback
            case .videoChat: .videoChat
            case .spokenAudio: .spokenAudio
            case .voicePrompt: .voicePrompt
            }
    }

    /// The mode of the engine; nil for an unknown one.
    var setting: SessionSettings.Mode? {
        if self == .shortFormVideo || self == .dualRoute { return .default }
        return SessionSettings.Mode.allCases.first { Self($0) == self }
    }
}
