// SPDX-License-Identifier: MIT

import AQExpectations
import Testing

@testable import AQSessions

@Suite("Settings of an audio session") struct SessionSettingsTests {
    @Test("at first the session is inactive, for background sounds, without requests") func initial() {
        let settings = SessionSettings()
        expectEqual(settings.category, .soloAmbient)
        expectEqual(settings.mode, .default)
        #expect(!settings.isActive && !settings.mixesWithOthers)
        #expect(settings.preferredSampleRate == 0 && settings.preferredIOBufferSeconds == 0)
    }

    @Test("another category resets the options, but not the requests") func category() {
        var settings = SessionSettings()
        settings.setCategory(.playAndRecord)
        settings.defaultsToSpeaker = true
        settings.mixesWithOthers = true
        settings.allowsBluetoothInput = true
        settings.overridesToSpeaker = true
        settings.preferredIOBufferSeconds = 0.005
        settings.setCategory(.playAndRecord)
        #expect(settings.defaultsToSpeaker && settings.mixesWithOthers)
        settings.setCategory(.playback)
        #expect(!settings.defaultsToSpeaker && !settings.mixesWithOthers)
        #expect(!settings.allowsBluetoothInput && !settings.overridesToSpeaker)
        expectEqual(settings.preferredIOBufferSeconds, 0.005)
    }

    @Test("a mode is allowed only in its categories, and ends with them") func mode() {
        var settings = SessionSettings()
        expectEqual(settings.setMode(.voiceChat), false)
        expectEqual(settings.mode, .default)
        settings.setCategory(.playAndRecord)
        expectEqual(settings.setMode(.voiceChat), true)
        #expect(settings.allowsBluetoothInput)
        settings.setCategory(.record)
        expectEqual(settings.mode, .default)
        expectEqual(settings.setMode(.measurement), true)
        settings.setCategory(.ambient)
        expectEqual(settings.mode, .measurement)
    }

    @Test(
        "the I/O buffer is as long as requested, within its limits",
        arguments: [
            (0, 48_000, 1024), (0.005, 48_000, 240), (0.023, 44_100, 1014), (1, 48_000, 4096),
            (0.0001, 48_000, 64), (0.005, 0, 221),
        ] as [(Double, Double, Int)])
    func ioBuffer(seconds: Double, rate: Double, frames: Int) {
        var settings = SessionSettings()
        settings.preferredIOBufferSeconds = seconds
        expectEqual(settings.ioBufferFrames(sampleRate: rate), frames)
    }

    @Test("a request within the limits is the duration itself, unrounded") func exactDuration() {
        var settings = SessionSettings()
        settings.preferredIOBufferSeconds = 0.0231
        expectEqual(settings.ioBufferSeconds(sampleRate: 48_000), 0.0231)
    }

    @Test("each category has its directions") func directions() {
        let outputs = SessionSettings.Category.allCases.filter(\.usesOutput)
        expectEqual(outputs, [.ambient, .soloAmbient, .playback, .playAndRecord, .multiRoute])
        expectEqual(
            SessionSettings.Category.allCases.filter(\.usesInput), [.record, .playAndRecord, .multiRoute])
    }
}
