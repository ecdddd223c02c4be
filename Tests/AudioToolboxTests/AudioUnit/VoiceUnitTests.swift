// SPDX-License-Identifier: MIT

import AQExpectations
import CAQAudioToolbox
import CAQCoreAudio
import CoreAudioTypes
import Testing

@testable import AQToolboxFunctions

/// The properties of units with voice processing, which need no server.
@Suite("VoiceProcessingIO") @safe struct VoiceUnitTests {
    // SAFETY: handles are keys, which nothing reads through.
    private let unit: AudioUnit

    init() throws { unsafe unit = try unsafe Self.make(kAudioUnitSubType_VoiceProcessingIO) }

    private static func make(_ subtype: UInt32) throws -> AudioUnit {
        var wanted = AudioComponentDescription()
        wanted.componentType = kAudioUnitType_Output
        wanted.componentSubType = subtype
        let component = try unsafe #require(audioComponentFindNext(nil, &wanted))
        var unit: AudioComponentInstance?
        try unsafe #require(audioComponentInstanceNew(component, &unit) == noErr)
        return unsafe try #require(unit)
    }

    private func end() { unsafe _ = audioComponentInstanceDispose(unit) }

    private func get(
        _ id: AudioUnitPropertyID, _ scope: AudioUnitScope = kAudioUnitScope_Global,
        _ element: AudioUnitElement = 0
    ) -> (status: OSStatus, value: UInt32) {
        var (value, size) = (UInt32(99), UInt32(4))
        let status = unsafe audioUnitGetProperty(unit, id, scope, element, &value, &size)
        return (status, value)
    }

    private func set(
        _ id: AudioUnitPropertyID, _ scope: AudioUnitScope = kAudioUnitScope_Global,
        _ element: AudioUnitElement = 0, to values: [UInt32], size: UInt32? = nil
    ) -> OSStatus {
        unsafe values.withUnsafeBytes { bytes in
            unsafe audioUnitSetProperty(
                unit, id, scope, element, bytes.baseAddress, size ?? UInt32(bytes.count))
        }
    }

    @Test("has both directions from the beginning") func directions() {
        defer { end() }
        expectEqual(get(kAudioOutputUnitProperty_EnableIO, kAudioUnitScope_Input, 1).value, 1)
        expectEqual(get(kAudioOutputUnitProperty_EnableIO, kAudioUnitScope_Output, 0).value, 1)
    }

    @Test("keeps its settings, on both elements, and refuses other scopes, elements, sizes and values")
    func settings() {
        defer { end() }
        let defaults: [(AudioUnitPropertyID, UInt32)] = [
            (kAUVoiceIOProperty_VoiceProcessingEnableAGC, 1), (kAUVoiceIOProperty_DuckNonVoiceAudio, 1),
            (kAUVoiceIOProperty_VoiceProcessingQuality, 127), (kAUVoiceIOProperty_MuteOutput, 0),
        ]
        for (id, value) in defaults {
            expectEqual(get(id).value, value)
            expectEqual(set(id, kAudioUnitScope_Global, 1, to: [value == 0 ? 1 : 0]), noErr)
            expectEqual(get(id).value, (value == 0 ? 1 : 0))
            expectEqual(get(id, kAudioUnitScope_Input).status, kAudioUnitErr_InvalidScope)
            expectEqual(get(id, kAudioUnitScope_Global, 2).status, kAudioUnitErr_InvalidElement)
            expectEqual(set(id, to: [1], size: 3), kAudioUnitErr_InvalidPropertyValue)
            expectEqual(set(id, kAudioUnitScope_Output, to: [1]), kAudioUnitErr_InvalidScope)
        }
        expectEqual(
            set(kAUVoiceIOProperty_VoiceProcessingQuality, to: [128]), kAudioUnitErr_InvalidPropertyValue)
        let event = kAUVoiceIOProperty_MutedSpeechActivityEventListener
        expectEqual(get(event).status, kAudioUnitErr_InvalidProperty)
        expectEqual(set(event, to: [0, 0]), kAudioUnitErr_InvalidProperty)
    }

    @Test("gives back the configuration of ducking") func ducking() {
        defer { end() }
        let id = kAUVoiceIOProperty_OtherAudioDuckingConfiguration
        expectEqual(set(id, to: [1, 30]), noErr)
        var (values, size): ([UInt32], UInt32) = ([0, 0], 8)
        unsafe expectEqual(audioUnitGetProperty(unit, id, kAudioUnitScope_Global, 0, &values, &size), noErr)
        expectEqual(values, [1, 30])
        expectEqual(size, 8)
        expectEqual(set(id, to: [1, 31]), kAudioUnitErr_InvalidPropertyValue)
        expectEqual(set(id, to: [1]), kAudioUnitErr_InvalidPropertyValue)
    }

    @Test("reports that voice processing is not in use without a server, until it is bypassed")
    func availability() {
        defer { end() }
        let id = kAUVoiceIOProperty_BypassVoiceProcessing
        expectEqual(get(id).status, kAudioUnitErr_PropertyNotInUse)
        unsafe expectEqual(audioUnitInitialize(unit), kAudioUnitErr_FailedInitialization)
        expectEqual(set(id, to: [1]), noErr)
        #expect(get(id) == (noErr, 1))
    }

    @Test("alone has these properties") func others() throws {
        end()
        let other = try unsafe Self.make(kAudioUnitSubType_HALOutput)
        defer { unsafe _ = audioComponentInstanceDispose(other) }
        var (value, size) = (UInt32(0), UInt32(4))
        unsafe expectEqual(
            audioUnitGetProperty(
                other, kAUVoiceIOProperty_MuteOutput, kAudioUnitScope_Global, 0, &value, &size),
            kAudioUnitErr_InvalidProperty)
    }
}
