// SPDX-License-Identifier: MIT

import AQDevices
import AQExpectations
import CAQAudioToolbox
import Testing

@testable import AQToolboxFunctions

@Suite("Objects of the hardware API") struct HardwareTests {
    private let table = TableHardware(
        sinks: [.test("speakers", channels: 6, isDefault: true)],
        sources: [.test("microphone", rate: 16000, channels: 1, isDefault: true)])
    private let hardware: Hardware

    init() { hardware = Hardware(source: table) }

    private func value(
        _ selector: AudioObjectPropertySelector, of object: HardwareObject,
        _ scope: AudioObjectPropertyScope = kAudioObjectPropertyScopeGlobal, qualifier: String? = nil
    ) throws -> HardwareValue {
        try hardware.value(of: address(selector, scope), of: object, qualifier: qualifier)
    }

    private let speakers = HardwareObject.device(uid: "speakers")
    private let microphone = HardwareObject.device(uid: "microphone")

    @Test("the system lists its devices and has the defaults") func system() throws {
        try expectEqual(
            value(kAudioHardwarePropertyDevices, of: .system), .objects([speakers, microphone]))
        try expectEqual(
            value(kAudioHardwarePropertyDefaultOutputDevice, of: .system), .object(speakers))
        try expectEqual(
            value(kAudioHardwarePropertyDefaultSystemOutputDevice, of: .system), .object(speakers))
        try expectEqual(
            value(kAudioHardwarePropertyDefaultInputDevice, of: .system), .object(microphone))
    }

    @Test("a missing default device is the unknown object") func noDefault() throws {
        table.set()
        try expectEqual(value(kAudioHardwarePropertyDefaultOutputDevice, of: .system), .object(nil))
        try expectEqual(value(kAudioHardwarePropertyDevices, of: .system), .objects([]))
    }

    @Test("a UID is translated to its device, and an unknown one to the unknown object")
    func translation() throws {
        let selector = kAudioHardwarePropertyTranslateUIDToDevice
        try expectEqual(value(selector, of: .system, qualifier: "speakers"), .object(speakers))
        try expectEqual(value(selector, of: .system, qualifier: "nobody"), .object(nil))
    }

    @Test(
        "a device has its name, UID, rate and rates, in any scope",
        arguments: [
            kAudioObjectPropertyScopeGlobal, kAudioObjectPropertyScopeInput, kAudioObjectPropertyScopeOutput,
        ])
    func device(scope: AudioObjectPropertyScope) throws {
        try expectEqual(value(kAudioObjectPropertyName, of: microphone, scope), .text("The microphone"))
        try expectEqual(value(kAudioDevicePropertyDeviceUID, of: microphone, scope), .text("microphone"))
        try expectEqual(value(kAudioDevicePropertyNominalSampleRate, of: microphone, scope), .real(16000))
        try expectEqual(
            value(kAudioDevicePropertyAvailableNominalSampleRates, of: microphone, scope),
            .singleValueRanges([16000]))
        try expectEqual(value(kAudioDevicePropertyDeviceIsAlive, of: microphone, scope), .number(1))
    }

    @Test("channels and streams are those of the scope") func streamConfiguration() throws {
        let configuration = kAudioDevicePropertyStreamConfiguration
        try expectEqual(
            value(configuration, of: speakers, kAudioObjectPropertyScopeOutput), .bufferList(channels: [6]))
        try expectEqual(
            value(configuration, of: speakers, kAudioObjectPropertyScopeInput), .bufferList(channels: []))
        try expectEqual(
            value(kAudioDevicePropertyStreams, of: microphone, kAudioObjectPropertyScopeInput),
            .objects([.stream(uid: "microphone", .input)]))
        try expectEqual(
            value(kAudioDevicePropertyStreams, of: microphone, kAudioObjectPropertyScopeOutput), .objects([]))
    }

    @Test("a stream belongs to its device") func stream() throws {
        let stream = HardwareObject.stream(uid: "microphone", .input)
        try expectEqual(value(kAudioObjectPropertyOwner, of: stream), .object(microphone))
        try expectEqual(value(kAudioObjectPropertyClass, of: stream), .number(kAudioStreamClassID))
        #expect(throws: StatusError(kAudioHardwareBadObjectError)) {
            try value(kAudioObjectPropertyOwner, of: .stream(uid: "microphone", .output))
        }
    }

    @Test("an unknown property, and one of another channel, are unknown") func unknownProperty() {
        #expect(throws: StatusError(kAudioHardwareUnknownPropertyError)) {
            try value(0x3F3F_3F3F, of: .system)
        }
        #expect(throws: StatusError(kAudioHardwareUnknownPropertyError)) {
            try value(0x3F3F_3F3F, of: speakers)
        }
        var channel = address(kAudioDevicePropertyNominalSampleRate)
        channel.mElement = 1
        #expect(throws: StatusError(kAudioHardwareUnknownPropertyError)) {
            try hardware.value(of: channel, of: speakers)
        }
        #expect(!hardware.hasProperty(channel, of: speakers))
        #expect(hardware.hasProperty(address(kAudioDevicePropertyNominalSampleRate), of: speakers))
    }

    @Test("values that the server does not report are not properties") func untoldProperty() {
        #expect(!hardware.hasProperty(address(kAudioDevicePropertyVolumeScalar), of: speakers))
        #expect(throws: StatusError(kAudioHardwareUnknownPropertyError)) {
            try value(kAudioDevicePropertyVolumeScalar, of: speakers)
        }
    }

    @Test("a removed device is not alive, still has its UID, and nothing else")
    func missingDevice() throws {
        table.set(sources: [.test("microphone")])
        try expectEqual(value(kAudioDevicePropertyDeviceIsAlive, of: speakers), .number(0))
        try expectEqual(value(kAudioDevicePropertyDeviceUID, of: speakers), .text("speakers"))
        #expect(throws: StatusError(kAudioHardwareBadObjectError)) {
            try value(kAudioObjectPropertyName, of: speakers)
        }
        #expect(!hardware.hasProperty(address(kAudioObjectPropertyName), of: speakers))
    }

    @Test("without a server the hardware does not run") func noServer() {
        table.fail(DeviceError(.noServer, "no sound server answers"))
        #expect(throws: StatusError(kAudioHardwareNotRunningError)) {
            try value(kAudioHardwarePropertyDevices, of: .system)
        }
    }

    @Test("a device keeps its number after it disappears, and no number is used twice") func numbers() {
        let number = hardware.objects.number(of: speakers)
        table.set()
        expectEqual(hardware.objects.number(of: speakers), number)
        #expect(hardware.objects.number(of: microphone) != number)
        expectEqual(hardware.objects.object(numbered: number), speakers)
        expectEqual(hardware.objects.object(numbered: 7), nil)
        expectEqual(hardware.objects.number(of: .system), kAudioObjectSystemObject)
    }

    @Test("a device's rate can be set only to itself") func setRate() throws {
        let rate = address(kAudioDevicePropertyNominalSampleRate)
        #expect(try hardware.isSettable(rate, of: speakers))
        try hardware.setSampleRate(48000, at: rate, of: speakers)
        #expect(throws: StatusError(kAudioDeviceUnsupportedFormatError)) {
            try hardware.setSampleRate(44100, at: rate, of: speakers)
        }
        #expect(try !hardware.isSettable(address(kAudioObjectPropertyName), of: speakers))
    }

    @Test("the description names the object and its properties") func description() {
        let text = hardware.description(ofObjectNumbered: hardware.objects.number(of: microphone))
        #expect(text.contains("device microphone"))
        #expect(text.contains("'nsrt': 16000.0"))
        expectEqual(hardware.description(ofObjectNumbered: 9999), "AudioObject 9999: no such object\n")
    }
}
