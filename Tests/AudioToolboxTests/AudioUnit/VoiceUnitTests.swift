// SPDX-License-Identifier: MIT

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
        #expect(get(kAudioOutputUnitProperty_EnableIO, kAudioUnitScope_Input, 1).value == 1)
        #expect(get(kAudioOutputUnitProperty_EnableIO, kAudioUnitScope_Output, 0).value == 1)
    }

    @Test("keeps its settings, on both elements, and refuses other scopes, elements, sizes and values")
    func settings() {
        defer { end() }
        let defaults: [(AudioUnitPropertyID, UInt32)] = [
            (kAUVoiceIOProperty_VoiceProcessingEnableAGC, 1), (kAUVoiceIOProperty_DuckNonVoiceAudio, 1),
            (kAUVoiceIOProperty_VoiceProcessingQuality, 127), (kAUVoiceIOProperty_MuteOutput, 0),
        ]
        for (id, value) in defaults {
            #expect(get(id).value == value)
            #expect(set(id, kAudioUnitScope_Global, 1, to: [value == 0 ? 1 : 0]) == noErr)
            #expect(get(id).value == (value == 0 ? 1 : 0))
            #expect(get(id, kAudioUnitScope_Input).status == kAudioUnitErr_InvalidScope)
            #expect(get(id, kAudioUnitScope_Global, 2).status == kAudioUnitErr_InvalidElement)
            #expect(set(id, to: [1], size: 3) == kAudioUnitErr_InvalidPropertyValue)
            #expect(set(id, kAudioUnitScope_Output, to: [1]) == kAudioUnitErr_InvalidScope)
        }
        #expect(
            set(kAUVoiceIOProperty_VoiceProcessingQuality, to: [128]) == kAudioUnitErr_InvalidPropertyValue)
        let event = kAUVoiceIOProperty_MutedSpeechActivityEventListener
        #expect(get(event).status == kAudioUnitErr_InvalidProperty)
        #expect(set(event, to: [0, 0]) == kAudioUnitErr_InvalidProperty)
    }

    @Test("gives back the configuration of ducking") func ducking() {
        defer { end() }
        let id = kAUVoiceIOProperty_OtherAudioDuckingConfiguration
        #expect(set(id, to: [1, 30]) == noErr)
        var (values, size): ([UInt32], UInt32) = ([0, 0], 8)
        #expect(unsafe audioUnitGetProperty(unit, id, kAudioUnitScope_Global, 0, &values, &size) == noErr)
        #expect(values == [1, 30])
        #expect(size == 8)
        #expect(set(id, to: [1, 31]) == kAudioUnitErr_InvalidPropertyValue)
        #expect(set(id, to: [1]) == kAudioUnitErr_InvalidPropertyValue)
    }

    @Test("reports that voice processing is not in use without a server, until it is bypassed")
    func availability() {
        defer { end() }
        let id = kAUVoiceIOProperty_BypassVoiceProcessing
        #expect(get(id).status == kAudioUnitErr_PropertyNotInUse)
        #expect(unsafe audioUnitInitialize(unit) == kAudioUnitErr_FailedInitialization)
        #expect(set(id, to: [1]) == noErr)
        #expect(get(id) == (noErr, 1))
    }

    @Test("alone has these properties") func others() throws {
        end()
        let other = try unsafe Self.make(kAudioUnitSubType_HALOutput)
        defer { unsafe _ = audioComponentInstanceDispose(other) }
        var (value, size) = (UInt32(0), UInt32(4))
        #expect(
            unsafe audioUnitGetProperty(
                other, kAUVoiceIOProperty_MuteOutput, kAudioUnitScope_Global, 0, &value, &size)
                == kAudioUnitErr_InvalidProperty)
    }
}
