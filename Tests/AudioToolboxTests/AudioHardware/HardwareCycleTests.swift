// SPDX-License-Identifier: MIT

import AQDevices
import AQExpectations
import CAQAudioToolbox
import CAQRealTime
import CoreAudioTypes
import Testing

@testable import AQToolboxFunctions

/// The length of cycles, the formats, and changes that only this process knows.
@Suite("Cycles and formats of devices in the hardware API") struct HardwareCycleTests {
    private let table = TableHardware(
        sinks: [.test("speakers", channels: 6)], sources: [.test("microphone", rate: 16000, channels: 1)])
    private let hardware: Hardware
    private let speakers = HardwareObject.device(uid: "speakers")
    private let microphone = HardwareObject.device(uid: "microphone")
    private let frames = address(kAudioDevicePropertyBufferFrameSize)

    init() { hardware = Hardware(source: table) }

    private func set<Value: BitwiseCopyable>(
        _ value: Value, _ address: AudioObjectPropertyAddress, of object: HardwareObject
    ) throws {
        var value = value
        try unsafe hardware.set(
            address, of: object, to: HardwareData(&value, UInt32(MemoryLayout<Value>.size)))
    }

    @Test("a cycle has 512 frames until it is set, within its range", arguments: [1, 64, 4096, UInt32.max])
    func length(wanted: UInt32) throws {
        try expectEqual(hardware.value(of: frames, of: speakers), .number(512))
        let range = address(kAudioDevicePropertyBufferFrameSizeRange)
        try expectEqual(hardware.value(of: range, of: speakers), .range(64, 4096))
        try set(wanted, frames, of: speakers)
        try expectEqual(hardware.value(of: frames, of: speakers), .number(min(max(wanted, 64), 4096)))
        try expectEqual(hardware.value(of: frames, of: microphone), .number(512))
    }

    @Test("its length is also counted in bytes of the scope's stream") func bytes() throws {
        let bytes = address(kAudioDevicePropertyBufferSize, kAudioObjectPropertyScopeOutput)
        try expectEqual(hardware.value(of: bytes, of: speakers), .number(512 * 24))
        try set(UInt32(128 * 24), bytes, of: speakers)
        try expectEqual(hardware.value(of: frames, of: speakers), .number(128))
        let input = address(kAudioDevicePropertyBufferSize, kAudioObjectPropertyScopeInput)
        #expect(!hardware.hasProperty(input, of: speakers))
        #expect(throws: StatusError(kAudioHardwareUnknownPropertyError)) {
            try set(UInt32(4096), input, of: speakers)
        }
    }

    @Test("a length of another size, or of a device that has disappeared, is not set") func refused() throws {
        #expect(throws: StatusError(kAudioHardwareBadPropertySizeError)) {
            try set(UInt64(64), frames, of: speakers)
        }
        #expect(throws: StatusError(kAudioHardwareBadObjectError)) {
            try set(UInt32(64), frames, of: .device(uid: "nobody"))
        }
        table.fail(DeviceError(.noServer, "no server"))
        #expect(throws: StatusError(kAudioHardwareNotRunningError)) {
            try set(UInt32(64), frames, of: speakers)
        }
    }

    @Test("a device and its stream have the format of cycles, which can be set only to itself")
    func formats() throws {
        let format = HardwareValue.format(channels: 6, sampleRate: 48000)
        let output = kAudioObjectPropertyScopeOutput
        for selector in [kAudioDevicePropertyStreamFormat, kAudioDevicePropertyStreamFormatMatch] {
            try expectEqual(hardware.value(of: address(selector, output), of: speakers), format)
            #expect(!hardware.hasProperty(address(selector, kAudioObjectPropertyScopeInput), of: speakers))
        }
        var channel = address(kAudioDevicePropertyStreamFormat, output)
        channel.mElement = 6
        try expectEqual(hardware.value(of: channel, of: speakers), format)
        channel.mElement = 7
        #expect(!hardware.hasProperty(channel, of: speakers))
        let stream = HardwareObject.stream(uid: "speakers", .output)
        for selector in [kAudioDevicePropertyStreamFormat, kAudioStreamPropertyPhysicalFormat] {
            try expectEqual(hardware.value(of: address(selector), of: stream), format)
            try set(
                AudioStreamBasicDescription.float(channels: 6, sampleRate: 48000), address(selector),
                of: stream)
        }
        let other: [AudioStreamBasicDescription] = [
            .float(channels: 2, sampleRate: 48000), .float(channels: 6, sampleRate: 44100),
            .float(isInterleaved: false, channels: 6, sampleRate: 48000),
            .signedInteger(bits: 16, channels: 6, sampleRate: 48000), AudioStreamBasicDescription(),
        ]
        for format in other {
            #expect(throws: StatusError(kAudioDeviceUnsupportedFormatError)) {
                try set(format, address(kAudioDevicePropertyStreamFormat, output), of: speakers)
            }
        }
    }

    @Test("the properties for listeners have no value of meaning") func events() throws {
        for selector in [kAudioDevicePropertyDeviceHasChanged, kAudioDeviceProcessorOverload] {
            try expectEqual(hardware.value(of: address(selector), of: speakers), .number(0))
            #expect(try !hardware.isSettable(address(selector), of: speakers))
        }
    }

    @Test("listeners are informed of a length, of the use of a device, and of late cycles, each once")
    func listeners() throws {
        let reported = Monitor<[AudioObjectPropertySelector]>([])
        let target = HardwareListenerTarget(HardwareListenerKey(1)) { _, addresses in
            reported.withLock { $0 += addresses.map(\.mSelector) }
            reported.notifyAll()
        }
        let any = address(kAudioObjectPropertySelectorWildcard)
        try hardware.listeners.add(
            HardwareListeners.Listener(object: speakers, objectID: 40, address: any, target: target))
        defer {
            #expect(throws: Never.self) {
                try hardware.listeners.remove(speakers, any, HardwareListenerKey(1))
            }
        }
        try set(UInt32(256), frames, of: speakers)
        try set(UInt32(256), frames, of: speakers)
        try set(UInt32(256), frames, of: microphone)
        let devices = UnitDevices(hardware)
        devices.overload()
        hardware.report(kAudioDeviceProcessorOverload, of: speakers)
        hardware.report(kAudioDeviceProcessorOverload, of: speakers)
        #expect(reported.wait(until: aq_host_time() + 10_000_000_000) { $0.count < 4 })
        expectEqual(
            reported.withLock { $0 },
            [
                kAudioDevicePropertyBufferFrameSize, kAudioDevicePropertyBufferSize,
                kAudioDeviceProcessorOverload, kAudioDeviceProcessorOverload,
            ])
    }
}
