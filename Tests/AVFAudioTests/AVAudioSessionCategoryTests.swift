// SPDX-License-Identifier: MIT

import AQExpectations
import AVFAudio
import Foundation
import Testing

@Suite("Categories of AVAudioSession") struct AVAudioSessionCategoryTests {
    typealias Session = AVAudioSession

    private let session = AVAudioSession.overTable(SessionTable(nil))

    /// The modes that each category allows; all others are refused.
    static let modes: [(Session.Category, [Session.Mode])] = [
        (.ambient, everywhere + output), (.soloAmbient, everywhere + output),
        (.playback, everywhere + output + [.moviePlayback]), (.record, everywhere + [.videoRecording]),
        (
            .playAndRecord,
            everywhere + output + [.voiceChat, .videoChat, .gameChat, .videoRecording]
        ),
        (.multiRoute, everywhere + output), (.audioProcessing, everywhere),
    ]
    private static let everywhere: [Session.Mode] = [.default, .measurement, .shortFormVideo, .dualRoute]
    private static let output: [Session.Mode] = [.spokenAudio, .voicePrompt]

    @Test("a mode that the category does not allow throws '!cat', and nothing changes")
    func modesOfCategories() throws {
        expectEqual(session.availableCategories, Self.modes.map(\.0))
        for (category, allowed) in Self.modes {
            for mode in session.availableModes {
                try session.setCategory(.soloAmbient, mode: .default)
                let byCategory = thrownCode { try session.setCategory(category, mode: mode) }
                if allowed.contains(mode) {
                    #expect(byCategory == nil && session.category == category && session.mode == mode)
                } else {
                    expectEqual(byCategory, Session.ErrorCode.incompatibleCategory.rawValue, "\(mode)")
                    #expect(session.category == .soloAmbient && session.mode == .default)
                }
                try session.setCategory(category, mode: .default)
                let alone = thrownCode { try session.setMode(mode) }
                expectEqual(alone, (allowed.contains(mode) ? nil : 560_161_140), "\(category), \(mode)")
                expectEqual(session.mode, (allowed.contains(mode) ? mode : .default))
            }
        }
        expectEqual(session.availableModes.count, 11)
    }

    private static let options: [Session.CategoryOptions] = [
        .mixWithOthers, .duckOthers, .allowBluetooth, .defaultToSpeaker,
        .interruptSpokenAudioAndMixWithOthers, .allowBluetoothA2DP, .allowAirPlay,
        .overrideMutedMicrophoneInterruption, .farFieldInput, .bluetoothHighQualityRecording,
    ]

    @Test("options that the category does not allow throw -50, and nothing changes")
    func optionsOfCategories() throws {
        for (category, _) in Self.modes {
            for option in Self.options {
                let isAllowed =
                    switch option {
                    case .defaultToSpeaker, .allowAirPlay: category == .playAndRecord
                    case .allowBluetooth: category == .playAndRecord || category == .record
                    default: true
                    }
                try session.setCategory(.soloAmbient)
                let code = thrownCode { try session.setCategory(category, options: option) }
                expectEqual(code, (isAllowed ? nil : -50), "\(category), \(option)")
                expectEqual(session.category, (isAllowed ? category : .soloAmbient))
                expectEqual(session.categoryOptions, (isAllowed ? option : []))
            }
            expectEqual(
                thrownCode { try session.setCategory(category, options: .init(rawValue: 1 << 30)) }, -50)
        }
        let all = Self.options.reduce(into: Session.CategoryOptions()) { $0.formUnion($1) }
        try session.setCategory(.playAndRecord, options: all)
        expectEqual(session.categoryOptions, all)
    }

    @Test("unknown categories and modes throw -50") func unknown() throws {
        let category = Session.Category(rawValue: "other")
        let mode = Session.Mode(rawValue: "other")
        expectEqual(thrownCode { try session.setCategory(category) }, -50)
        expectEqual(thrownCode { try session.setCategory(.playback, mode: mode) }, -50)
        expectEqual(thrownCode { try session.setMode(mode) }, -50)
        #expect(session.category == .soloAmbient && session.mode == .default)
        #expect(session.categoryOptions == [] && session.routeSharingPolicy == .default)
    }

    @Test("another category keeps a mode that it allows, and not the options or the policy")
    func changes() throws {
        try session.setCategory(
            .playback, mode: .spokenAudio, policy: .longFormAudio, options: [.mixWithOthers, .duckOthers])
        #expect(session.routeSharingPolicy == .longForm && session.categoryOptions.rawValue == 3)
        try session.setCategory(.ambient)
        #expect(session.mode == .spokenAudio && session.categoryOptions == [])
        expectEqual(session.routeSharingPolicy, .default)
        try session.setCategory(.record, options: .duckOthers)
        #expect(session.mode == .default && session.categoryOptions == .duckOthers)
        try session.setCategory(.playAndRecord, mode: .voiceChat, options: .defaultToSpeaker)
        expectEqual(session.categoryOptions, [.defaultToSpeaker, .allowBluetoothHFP])
    }

    @Test("names are those of portable systems") func names() {
        expectEqual(Session.Category.playAndRecord.rawValue, "AVAudioSessionCategoryPlayAndRecord")
        expectEqual(Session.Mode.voiceChat.rawValue, "AVAudioSessionModeVoiceChat")
        expectEqual(Session.Mode.default.rawValue, "AVAudioSessionModeDefault")
        expectEqual(Session.Port.builtInMic.rawValue, "MicrophoneBuiltIn")
        expectEqual(Session.Port.builtInSpeaker.rawValue, "Speaker")
        expectEqual(Session.CategoryOptions.interruptSpokenAudioAndMixWithOthers.rawValue, 0x11)
    }

    @Test("error codes are the published ones")
    func codes() throws {
        let codes: [(Session.ErrorCode, String)] = [
            (.mediaServicesFailed, "msrv"), (.isBusy, "!act"), (.incompatibleCategory, "!cat"),
            (.cannotInterruptOthers, "!int"), (.missingEntitlement, "ent?"), (.siriIsRecording, "siri"),
            (.cannotStartPlaying, "!pla"), (.cannotStartRecording, "!rec"), (.insufficientPriority, "!pri"),
            (.resourceNotAvailable, "!res"), (.unspecified, "what"), (.expiredSession, "!ses"),
            (.sessionNotActive, "inac"),
        ]
        for (code, text) in codes { expectEqual(code.rawValue, text.utf8.reduce(0) { $0 << 8 | Int($1) }) }
        #expect(Session.ErrorCode.badParam.rawValue == -50 && Session.ErrorCode.none.rawValue == 0)
        do {
            try session.setMode(.voiceChat)
            Issue.record("no error")
        } catch {
            let error = error as NSError
            expectEqual(error.domain, NSOSStatusErrorDomain)
            #expect(error.localizedDescription.contains("AVAudioSessionModeVoiceChat"))
        }
    }
}
