// SPDX-License-Identifier: MIT

import AQDevices
import AQExpectations
import CAQAudioToolbox
import CoreAudioTypes
import CoreFoundation
import Testing

@testable import AQToolboxFunctions

/// Properties of objects besides names, rates and streams, and the results of failures.
@Suite("Other properties of the hardware API") struct HardwarePropertyTests {
    private let hardware = Hardware(
        source: TableHardware(
            sinks: [.test("speakers", channels: 6, isDefault: true)],
            sources: [.test("microphone", rate: 16000, channels: 1, isDefault: true)]))
    private let speakers = HardwareObject.device(uid: "speakers")
    private let microphone = HardwareObject.device(uid: "microphone")

    private func value(
        _ selector: AudioObjectPropertySelector, of object: HardwareObject,
        _ scope: AudioObjectPropertyScope = kAudioObjectPropertyScopeGlobal
    ) throws -> HardwareValue {
        try hardware.value(of: address(selector, scope), of: object)
    }

    @Test("objects have their classes and owners") func classes() throws {
        try expectEqual(value(kAudioObjectPropertyBaseClass, of: .system), .number(kAudioObjectClassID))
        try expectEqual(value(kAudioObjectPropertyClass, of: .system), .number(kAudioSystemObjectClassID))
        try expectEqual(value(kAudioObjectPropertyBaseClass, of: speakers), .number(kAudioObjectClassID))
        try expectEqual(value(kAudioObjectPropertyClass, of: speakers), .number(kAudioDeviceClassID))
        try expectEqual(value(kAudioObjectPropertyOwner, of: speakers), .object(.system))
        try expectEqual(
            value(kAudioObjectPropertyOwnedObjects, of: .system), .objects([speakers, microphone]))
        try expectEqual(
            value(kAudioObjectPropertyOwnedObjects, of: speakers),
            .objects([.stream(uid: "speakers", .output)]))
    }

    @Test("a device without server facts has no manufacturer, and is not hidden")
    func plainDevice() throws {
        try expectEqual(value(kAudioObjectPropertyManufacturer, of: speakers), .text(""))
        try expectEqual(
            value(kAudioDevicePropertyDeviceManufacturerCFString, of: speakers), .text(""))
        try expectEqual(
            value(kAudioDevicePropertyTransportType, of: speakers), .number(kAudioDeviceTransportTypeUnknown))
        try expectEqual(value(kAudioDevicePropertyIsHidden, of: speakers), .number(0))
        try expectEqual(value(kAudioDevicePropertySafetyOffset, of: speakers), .number(0))
    }

    @Test("a device can be the default if it has channels") func defaults() throws {
        let selector = kAudioDevicePropertyDeviceCanBeDefaultDevice
        try expectEqual(value(selector, of: speakers, kAudioObjectPropertyScopeOutput), .number(1))
        try expectEqual(value(selector, of: speakers, kAudioObjectPropertyScopeInput), .number(0))
        let stereo = kAudioDevicePropertyPreferredChannelsForStereo
        try expectEqual(value(stereo, of: speakers), .numbers([1, 2]))
        try expectEqual(value(stereo, of: microphone), .numbers([1, 1]))
    }

    @Test("a device cannot be used exclusively") func hogMode() throws {
        try expectEqual(value(kAudioDevicePropertyHogMode, of: speakers), .number(.max))
    }

    @Test(
        "functions that a sound server does not provide are not properties",
        arguments: [
            kAudioHardwareServiceDeviceProperty_VirtualMainBalance,
            kAudioObjectPropertyModelName, kAudioDevicePropertyModelUID, kAudioDevicePropertyActualSampleRate,
            kAudioDevicePropertyPreferredChannelLayout,
        ])
    func lacksProperties(selector: AudioObjectPropertySelector) {
        #expect(!hardware.hasProperty(address(selector), of: speakers))
        #expect(throws: StatusError(kAudioHardwareUnknownPropertyError)) { try value(selector, of: speakers) }
    }

    @Test(
        "a device is found by its name with the older property, and an unknown name is an error",
        arguments: [
            "speakers", "nobody",
        ])
    func deviceForUID(name: String) throws {
        #expect(SystemProperties.all.contains { $0.selector == kAudioHardwarePropertyDeviceForUID })
        let encoding = CFStringBuiltInEncodings.UTF8.rawValue
        let text = try #require(unsafe CFStringCreateWithCString(nil, name, encoding))
        var reference = UInt(bitPattern: unsafe Unmanaged.passUnretained(text).toOpaque())
        var number: AudioObjectID = 99
        var size = unsafe UInt32(MemoryLayout<AudioValueTranslation>.size)
        try unsafe withUnsafeMutablePointer(to: &reference) { reference in
            try unsafe withUnsafeMutablePointer(to: &number) { number in
                var translation = unsafe AudioValueTranslation(
                    mInputData: UnsafeMutableRawPointer(reference), mInputDataSize: 8,
                    mOutputData: UnsafeMutableRawPointer(number), mOutputDataSize: 4)
                try unsafe withUnsafeMutablePointer(to: &size) { size in
                    try unsafe withUnsafeMutableBytes(of: &translation) { bytes in
                        try hardware.translateDeviceUID(unsafe PropertyReply(bytes.baseAddress, size))
                    }
                }
            }
        }
        withExtendedLifetime(text) {}
        expectEqual(
            number, (name == "speakers" ? hardware.objects.number(of: speakers) : kAudioObjectUnknown))
    }

    @Test("failures of the devices have published results") func results() {
        func status(_ code: DeviceError.Code) -> OSStatus {
            StatusError(DeviceError(code, "cannot do it")).status
        }
        expectEqual(status(.noServer), kAudioHardwareNotRunningError)
        expectEqual(status(.noSuchDevice), kAudioHardwareBadDeviceError)
        expectEqual(status(.unsupportedFormat), kAudioDeviceUnsupportedFormatError)
        expectEqual(status(.refused), kAudioHardwareUnspecifiedError)
        expectEqual(kAudioHardwareNoError, noErr)
    }

    @Test("showing an unknown object returns without a trap") func show() { audioObjectShow(31) }
}
