// SPDX-License-Identifier: MIT

import AQDevices
import AQExpectations
import CAQAudioToolbox
import CAQRealTime
import AQSoundHarness
import AQTestTraits
import Testing

@testable import AQToolboxFunctions

/// The hardware API on a real server: its lists and changes arrive.
@Suite("Hardware on a sound server", .serialized, .besideOthers, .timeLimit(.minutes(2)))
struct HardwareServerTests {
    private let server: PulseServer
    private let hardware: Hardware

    init() throws {
        server = try PulseServer()
        hardware = Hardware(source: PulseHardware(server: "unix:\(server.socketPath)"))
    }

    private func addSink(named name: String, channels: Int) throws -> Int {
        var options = PulseServer.Options()
        options.sinkName = name
        options.channels = channels
        return try server.addSink(options)
    }

    @Test("a sink is an output device with its channels and rate, and its monitor an input device")
    func listed() throws {
        _ = try addSink(named: "surround", channels: 6)
        let sink = HardwareObject.device(uid: "surround")
        let monitor = HardwareObject.device(uid: "surround.monitor")
        let configuration = kAudioDevicePropertyStreamConfiguration
        let output = address(configuration, kAudioObjectPropertyScopeOutput)
        let input = address(configuration, kAudioObjectPropertyScopeInput)
        try expectEqual(hardware.value(of: output, of: sink), .bufferList(channels: [6]))
        try expectEqual(hardware.value(of: input, of: sink), .bufferList(channels: []))
        try expectEqual(hardware.value(of: input, of: monitor), .bufferList(channels: [6]))
        let rate = address(kAudioDevicePropertyNominalSampleRate)
        try expectEqual(hardware.value(of: rate, of: sink), .real(48000))
        let translate = address(kAudioHardwarePropertyTranslateUIDToDevice)
        try expectEqual(hardware.value(of: translate, of: .system, qualifier: "surround"), .object(sink))
    }

    @Test("another default sink, and a removed sink, are reported") func changes() throws {
        let module = try addSink(named: "second", channels: 2)
        try server.setDefaultSink("test")
        let reported = Monitor<Set<AudioObjectPropertySelector>>([])
        for selector in [kAudioHardwarePropertyDefaultOutputDevice, kAudioHardwarePropertyDevices] {
            let target = HardwareListenerTarget(HardwareListenerKey(UInt(selector))) { _, addresses in
                reported.withLock { $0.formUnion(addresses.map(\.mSelector)) }
                reported.notifyAll()
            }
            try hardware.listeners.add(
                HardwareListeners.Listener(
                    object: .system, objectID: kAudioObjectSystemObject, address: address(selector),
                    target: target))
        }
        defer {
            for selector in [kAudioHardwarePropertyDefaultOutputDevice, kAudioHardwarePropertyDevices] {
                #expect(throws: Never.self) {
                    try hardware.listeners.remove(
                        .system, address(selector), HardwareListenerKey(UInt(selector)))
                }
            }
        }
        func wait(for selector: AudioObjectPropertySelector) -> Bool {
            reported.wait(until: aq_host_time() + 10_000_000_000) { !$0.contains(selector) }
        }
        try server.setDefaultSink("second")
        #expect(wait(for: kAudioHardwarePropertyDefaultOutputDevice))
        try expectEqual(
            hardware.value(of: address(kAudioHardwarePropertyDefaultOutputDevice), of: .system),
            .object(.device(uid: "second")))
        try server.unloadModule(module)
        #expect(wait(for: kAudioHardwarePropertyDevices))
        try expectEqual(
            hardware.value(
                of: address(kAudioDevicePropertyDeviceIsAlive), of: .device(uid: "second")), .number(0))
    }

    /// A volume or switch of a device.
    private func control(
        _ selector: AudioObjectPropertySelector, of uid: String = "test", element: UInt32 = 0
    ) throws -> HardwareValue {
        var address = address(selector)
        address.mElement = element
        return try hardware.value(of: address, of: .device(uid: uid))
    }

    private func set<Value: BitwiseCopyable>(
        _ selector: AudioObjectPropertySelector, of uid: String = "test", element: UInt32 = 0, _ value: Value
    ) throws {
        var (address, value) = (address(selector), value)
        address.mElement = element
        try unsafe hardware.set(
            address, of: .device(uid: uid), to: HardwareData(&value, UInt32(MemoryLayout<Value>.size)))
    }

    @Test("the volume and the switch that are set are those of the server, and the reverse")
    func volumes() throws {
        try set(kAudioDevicePropertyVolumeScalar, Float32(0.5))
        #expect(try server.control("get-sink-volume", "test").contains("50% / -18.06 dB"))
        try expectEqual(control(kAudioDevicePropertyVolumeScalar), .single(0.5))
        guard case .single(let level) = try control(kAudioDevicePropertyVolumeDecibels) else {
            return #expect(Bool(false))
        }
        #expect(abs(level + 18.06) < 0.01)
        try set(kAudioDevicePropertyVolumeScalar, element: 2, Float32(0.25))
        let text = try server.control("get-sink-volume", "test")
        #expect(text.contains("50%") && text.contains("25%"), "\(text)")
        try set(kAudioDevicePropertyMute, UInt32(1))
        #expect(try server.control("get-sink-mute", "test").contains("yes"))
        try set(kAudioDevicePropertyVolumeScalar, of: "test.monitor", Float32(0.75))
        #expect(try server.control("get-source-volume", "test.monitor").contains("75%"))
        try set(kAudioDevicePropertyMute, of: "test.monitor", UInt32(1))
        #expect(try server.control("get-source-mute", "test.monitor").contains("yes"))

        try server.setSinkMuted("test", false)
        try server.control("set-sink-volume", "test", "150%")
        try expectEqual(control(kAudioDevicePropertyMute), .number(0))
        try expectEqual(control(kAudioDevicePropertyVolumeScalar), .single(1))
        try server.control("set-sink-volume", "test", "20%", "40%")
        guard case .single(let left) = try control(kAudioDevicePropertyVolumeScalar, element: 1) else {
            return #expect(Bool(false))
        }
        #expect(abs(left - 0.2) < 0.001)
        #expect(throws: StatusError(kAudioHardwareBadObjectError)) {
            try set(kAudioDevicePropertyVolumeScalar, of: "nobody", Float32(1))
        }
    }

    @Test("a volume that another program sets is reported") func volumeListeners() throws {
        let selectors = [
            kAudioDevicePropertyVolumeScalar, kAudioDevicePropertyMute,
            kAudioHardwareServiceDeviceProperty_VirtualMainVolume,
        ]
        let reported = Monitor<Set<AudioObjectPropertySelector>>([])
        let object = HardwareObject.device(uid: "test")
        for selector in selectors {
            let target = HardwareListenerTarget(HardwareListenerKey(UInt(selector))) { _, addresses in
                reported.withLock { $0.formUnion(addresses.map(\.mSelector)) }
                reported.notifyAll()
            }
            try hardware.listeners.add(
                HardwareListeners.Listener(
                    object: object, objectID: 40, address: address(selector), target: target))
        }
        func wait(for expected: Set<AudioObjectPropertySelector>) -> Bool {
            reported.wait(until: aq_host_time() + 10_000_000_000) { !$0.isSuperset(of: expected) }
        }
        try server.control("set-sink-volume", "test", "30%")
        #expect(
            wait(for: [
                kAudioDevicePropertyVolumeScalar, kAudioHardwareServiceDeviceProperty_VirtualMainVolume,
            ]))
        #expect(reported.withLock { !$0.contains(kAudioDevicePropertyMute) })
        try server.setSinkMuted("test", true)
        #expect(wait(for: [kAudioDevicePropertyMute]))
        for selector in selectors {
            try hardware.listeners.remove(object, address(selector), HardwareListenerKey(UInt(selector)))
        }
    }

    @Test("without its server the hardware does not run") func deadServer() throws {
        server.kill()
        #expect(throws: StatusError(kAudioHardwareNotRunningError)) {
            try hardware.value(of: address(kAudioHardwarePropertyDevices), of: .system)
        }
    }
}
