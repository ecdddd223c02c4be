// SPDX-License-Identifier: MIT

import AQSessions
import Foundation
import AQThreads

/// The category and the mode in AVFAudio's terms.
extension SessionState {
    /// The mode, by the name that the program has set.
    var mode: AVAudioSession.Mode {
        let setting = core.settings.mode
        // Several names may mean one mode of the engine.
        let named = preferences.withLock { $0.mode }
        return named?.setting == setting ? named ?? .default : AVAudioSession.Mode(setting)
    }

    func setMode(_ mode: AVAudioSession.Mode) throws {
        guard let setting = mode.setting else {
            throw AVAudioSession.failure(.badParam, "cannot set the mode: there is no '\(mode.rawValue)'")
        }
        let isAllowed = core.change { $0.setMode(setting) }
        guard isAllowed else { throw Self.incompatible(mode) }
        preferences.withLock { $0.mode = mode }
    }

    /// - Parameter mode: The mode; nil to keep it if the category allows it.
    func setCategory(
        _ category: AVAudioSession.Category, mode: AVAudioSession.Mode?,
        policy: AVAudioSession.RouteSharingPolicy, options: AVAudioSession.CategoryOptions
    ) throws {
        guard let wanted = category.setting else {
            throw AVAudioSession.failure(
                .badParam, "cannot set the category: there is no '\(category.rawValue)'")
        }
        let modeSetting = mode?.setting
        if let mode, modeSetting == nil {
            throw AVAudioSession.failure(
                .badParam, "cannot set the category: there is no mode '\(mode.rawValue)'")
        }
        guard options.areAllowed(in: wanted) else {
            throw AVAudioSession.failure(
                .badParam,
                "cannot set the category: '\(category.rawValue)' does not allow the options "
                    + "0x\(String(options.rawValue, radix: 16))")
        }
        let isModeAllowed = core.change { settings in
            var changed = settings
            changed.setCategory(wanted)
            if let modeSetting, !changed.setMode(modeSetting) { return false }
            changed.mixesWithOthers = options.contains(.mixWithOthers)
            changed.ducksOthers = options.contains(.duckOthers)
            changed.defaultsToSpeaker = options.contains(.defaultToSpeaker)
            changed.allowsBluetoothInput =
                options.contains(.allowBluetoothHFP) || changed.mode == .voiceChat
            changed.furtherOptions = options.subtracting(.kept).rawValue
            changed.routeSharingPolicy = policy.rawValue
            settings = changed
            return true
        }
        guard let mode else { return }
        guard isModeAllowed else { throw Self.incompatible(mode) }
        preferences.withLock { $0.mode = mode }
    }

    private static func incompatible(_ mode: AVAudioSession.Mode) -> NSError {
        AVAudioSession.failure(
            .incompatibleCategory, "cannot set the mode '\(mode.rawValue)': the category does not allow it")
    }
}

extension AVAudioSession.CategoryOptions {
    /// The options that have fields of the engine's settings.
    fileprivate static let kept: Self = [.mixWithOthers, .duckOthers, .defaultToSpeaker, .allowBluetoothHFP]

    private static let known: Self = [
        kept, .interruptSpokenAudioAndMixWithOthers, .allowBluetoothA2DP, .allowAirPlay,
        .overrideMutedMicrophoneInterruption, .farFieldInput, .bluetoothHighQualityRecording,
    ]

    /// Makes the options of the settings.
    init(_ settings: SessionSettings) {
        self.init(rawValue: settings.furtherOptions)
        if settings.mixesWithOthers { insert(.mixWithOthers) }
        if settings.ducksOthers { insert(.duckOthers) }
        if settings.defaultsToSpeaker { insert(.defaultToSpeaker) }
        if settings.allowsBluetoothInput { insert(.allowBluetoothHFP) }
    }

    /// Whether a session of the category can have the options.
    ///
    /// COMPAT: others are accepted where published tables exclude them: programs record with `duckOthers`, for example.
    fileprivate func areAllowed(in category: SessionSettings.Category) -> Bool {
        guard Self.known.isSuperset(of: self) else { return false }
        if contains(.defaultToSpeaker) || contains(.allowAirPlay), category != .playAndRecord { return false }
        return !contains(.allowBluetoothHFP) || category == .playAndRecord || category == .record
    }
}
