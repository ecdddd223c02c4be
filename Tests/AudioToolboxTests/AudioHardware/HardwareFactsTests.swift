// SPDX-License-Identifier: MIT

import AQDevices
import AQExpectations
import CAQAudioToolbox
import Testing

@testable import AQToolboxFunctions

/// A server's facts about its devices.
@Suite("Facts of devices in the hardware API") struct HardwareFactsTests {
    private let speakers = HardwareObject.device(uid: "speakers")

    private func info(_ facts: DeviceFacts?, isMonitor: Bool = false) -> DeviceInfo {
        var info = DeviceInfo.test("speakers", isDefault: true, isMonitor: isMonitor)
        info.facts = facts
        return info
    }

    private func hardware(_ facts: DeviceFacts?) -> Hardware {
        Hardware(source: TableHardware(sinks: [info(facts)]))
    }

    private func value(
        _ selector: AudioObjectPropertySelector, _ facts: DeviceFacts?
    ) throws -> HardwareValue {
        try hardware(facts).value(of: address(selector), of: speakers)
    }

    @Test("a device reports the facts of the server")
    func reported() throws {
        let facts = DeviceFacts(
            manufacturer: "ACME", connection: .usb, isRunning: true)
        try expectEqual(value(kAudioObjectPropertyManufacturer, facts), .text("ACME"))
        try expectEqual(
            value(kAudioDevicePropertyTransportType, facts), .number(kAudioDeviceTransportTypeUSB))
        try expectEqual(value(kAudioDevicePropertyDeviceIsRunning, facts), .number(0))
        try expectEqual(value(kAudioDevicePropertyDeviceIsRunningSomewhere, facts), .number(1))
    }

    @Test("host times include the latency, so no device and no stream has one")
    func latency() throws {
        for facts in [DeviceFacts(latencyFrames: 480), nil] {
            try expectEqual(value(kAudioDevicePropertyLatency, facts), .number(0))
            try expectEqual(
                hardware(facts).value(
                    of: address(kAudioDevicePropertyLatency), of: .stream(uid: "speakers", .output)),
                .number(0))
        }
    }

    @Test("a device without facts does not report whether it runs, unless units run on it")
    func running() throws {
        let hardware = hardware(nil)
        let isRunning = address(kAudioDevicePropertyDeviceIsRunning)
        #expect(throws: StatusError(kAudioHardwareUnknownPropertyError)) {
            try hardware.value(of: isRunning, of: speakers)
        }
        #expect(hardware.use.begin("speakers"))
        #expect(!hardware.use.begin("speakers"))
        try expectEqual(hardware.value(of: isRunning, of: speakers), .number(1))
        #expect(!hardware.use.end("speakers"))
        #expect(hardware.use.end("speakers"))
        #expect(!hardware.hasProperty(isRunning, of: speakers))
    }

    @Test("every port has a published type", arguments: DeviceFacts.Connection.allCases)
    func transport(connection: DeviceFacts.Connection) throws {
        let type = try value(kAudioDevicePropertyTransportType, DeviceFacts(connection: connection))
        expectEqual(type, .number(connection.transport))
        let isKnown = connection.transport != kAudioDeviceTransportTypeUnknown
        expectEqual(isKnown, (connection != .unknown && connection != .network))
    }

    @Test("a monitor is not hardware, whatever its sink is")
    func monitor() {
        let endpoint = HardwareEndpoint(info(DeviceFacts(connection: .usb), isMonitor: true))
        expectEqual(endpoint.transport, kAudioDeviceTransportTypeVirtual)
    }

    @Test("a device that begins to run is reported, another latency is not")
    func changes() {
        let idle = HardwareSnapshot(sinks: [info(DeviceFacts(latencyFrames: 10))], sources: [])
        let later = HardwareSnapshot(sinks: [info(DeviceFacts(latencyFrames: 20))], sources: [])
        #expect(later.changes(since: idle).isEmpty)
        let running = HardwareSnapshot(
            sinks: [info(DeviceFacts(latencyFrames: 20, isRunning: true, isUsedHere: true))], sources: [])
        expectEqual(
            running.changes(since: idle),
            [
                HardwareChange(speakers, kAudioDevicePropertyDeviceIsRunning),
                HardwareChange(speakers, kAudioDevicePropertyDeviceIsRunningSomewhere),
            ])
    }
}
