// SPDX-License-Identifier: MIT

import AQDevices
import AQExpectations
import CAQAudioToolbox
import Testing

@testable import AQToolboxFunctions

@Suite("Volumes of devices in the hardware API") struct HardwareVolumeTests {
    private let hardware: Hardware
    private let speakers = HardwareObject.device(uid: "speakers")
    private let microphone = HardwareObject.device(uid: "microphone")

    init() {
        hardware = Hardware(
            source: TableHardware(
                sinks: [.test("speakers", facts: DeviceFacts(channelVolumes: [0.5, 0.25]))],
                sources: [
                    .test("microphone", channels: 1, facts: DeviceFacts(channelVolumes: [1.5], isMuted: true))
                ]))
    }

    private func address(
        _ selector: AudioObjectPropertySelector, _ element: UInt32 = 0,
        _ scope: AudioObjectPropertyScope = kAudioObjectPropertyScopeOutput
    ) -> AudioObjectPropertyAddress {
        AudioObjectPropertyAddress(mSelector: selector, mScope: scope, mElement: element)
    }

    private func volume(_ element: UInt32 = 0) throws -> HardwareValue {
        try hardware.value(of: address(kAudioDevicePropertyVolumeScalar, element), of: speakers)
    }

    private func set<Value: BitwiseCopyable>(
        _ value: Value, _ address: AudioObjectPropertyAddress, of object: HardwareObject? = nil
    ) throws {
        var value = value
        try unsafe hardware.set(
            address, of: object ?? speakers, to: HardwareData(&value, UInt32(MemoryLayout<Value>.size)))
    }

    @Test("are those of the loudest channel, and of each channel") func read() throws {
        try expectEqual(volume(), .single(0.5))
        try expectEqual(volume(1), .single(0.5))
        try expectEqual(volume(2), .single(0.25))
        #expect(throws: StatusError(kAudioHardwareUnknownPropertyError)) { try volume(3) }
        let virtual = kAudioHardwareServiceDeviceProperty_VirtualMainVolume
        try expectEqual(hardware.value(of: address(virtual), of: speakers), .single(0.5))
        let balance = kAudioHardwareServiceDeviceProperty_VirtualMainBalance
        try expectEqual(hardware.value(of: address(balance), of: speakers), .single(0.25))
        try expectEqual(hardware.value(of: address(kAudioDevicePropertyMute), of: speakers), .number(0))
    }

    @Test("belong to the scope, and are at most full") func scope() throws {
        let input = kAudioObjectPropertyScopeInput
        let volume = kAudioDevicePropertyVolumeScalar
        try expectEqual(hardware.value(of: address(volume, 0, input), of: microphone), .single(1))
        #expect(!hardware.hasProperty(address(volume), of: microphone))
        try expectEqual(
            hardware.value(of: address(kAudioDevicePropertyMute, 0, input), of: microphone), .number(1))
        #expect(
            !hardware.hasProperty(
                address(kAudioHardwareServiceDeviceProperty_VirtualMainBalance, 0, input), of: microphone))
        try expectEqual(
            hardware.value(of: address(volume, 0, kAudioObjectPropertyScopeGlobal), of: speakers),
            .single(0.5))
    }

    @Test("are set with the ratios of the channels, and for single channels") func set() throws {
        try set(Float32(1), address(kAudioDevicePropertyVolumeScalar))
        try expectEqual(volume(1), .single(1))
        try expectEqual(volume(2), .single(0.5))
        try set(Float32(0.75), address(kAudioDevicePropertyVolumeScalar, 2))
        try expectEqual(volume(1), .single(1))
        try expectEqual(volume(2), .single(0.75))
        try set(Float32(7), address(kAudioHardwareServiceDeviceProperty_VirtualMainVolume))
        try expectEqual(volume(), .single(1))
        try set(Float32(0.5), address(kAudioHardwareServiceDeviceProperty_VirtualMainBalance))
        try expectEqual(volume(2), .single(1))
        try set(UInt32(1), address(kAudioDevicePropertyMute))
        try expectEqual(hardware.value(of: address(kAudioDevicePropertyMute), of: speakers), .number(1))
    }

    @Test("are in decibels sixty times the logarithm, as the server's") func decibels() throws {
        let selector = kAudioDevicePropertyVolumeDecibels
        try set(Float32(-18.0618), address(selector))
        guard case .single(let volume) = try volume() else { return #expect(Bool(false)) }
        #expect(abs(volume - 0.5) < 0.0001)
        try set(Float32(-1000), address(selector))
        try expectEqual(self.volume(), .single(0))
        try expectEqual(hardware.value(of: address(selector), of: speakers), .single(-200))
        try set(Float32(12), address(selector, 1))
        try expectEqual(hardware.value(of: address(selector, 1), of: speakers), .single(0))
    }

    @Test("are not set by values of another size, to no number, and where there are none")
    func refused() throws {
        let volume = address(kAudioDevicePropertyVolumeScalar)
        #expect(throws: StatusError(kAudioHardwareBadPropertySizeError)) { try set(Float64(1), volume) }
        #expect(throws: StatusError(kAudio_ParamError)) { try set(Float32.nan, volume) }
        #expect(throws: StatusError(kAudioHardwareUnknownPropertyError)) {
            try set(Float32(1), address(kAudioDevicePropertyVolumeScalar, .max))
        }
        #expect(throws: StatusError(kAudioHardwareUnknownPropertyError)) {
            try set(Float32(1), volume, of: microphone)
        }
        #expect(throws: StatusError(kAudioHardwareBadObjectError)) {
            try set(Float32(1), volume, of: .device(uid: "nobody"))
        }
        #expect(throws: StatusError(kAudioHardwareUnknownPropertyError)) {
            try set(UInt32(1), address(kAudioDevicePropertyMute, 1))
        }
        try expectEqual(self.volume(), .single(0.5))
    }
}
