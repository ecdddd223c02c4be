// SPDX-License-Identifier: MIT

import AudioDevices
import CAudioToolbox
import CRealTime
import SoundHarness
import TestTraits
import Testing

@testable import AudioToolboxFunctions

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
        #expect(try hardware.value(of: output, of: sink) == .bufferList(channels: [6]))
        #expect(try hardware.value(of: input, of: sink) == .bufferList(channels: []))
        #expect(try hardware.value(of: input, of: monitor) == .bufferList(channels: [6]))
        let rate = address(kAudioDevicePropertyNominalSampleRate)
        #expect(try hardware.value(of: rate, of: sink) == .real(48000))
        let translate = address(kAudioHardwarePropertyTranslateUIDToDevice)
        #expect(try hardware.value(of: translate, of: .system, qualifier: "surround") == .object(sink))
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
        #expect(
            try hardware.value(of: address(kAudioHardwarePropertyDefaultOutputDevice), of: .system)
                == .object(.device(uid: "second")))
        try server.unloadModule(module)
        #expect(wait(for: kAudioHardwarePropertyDevices))
        #expect(
            try hardware.value(
                of: address(kAudioDevicePropertyDeviceIsAlive), of: .device(uid: "second")) == .number(0))
    }

    @Test("without its server the hardware does not run") func deadServer() throws {
        server.kill()
        #expect(throws: StatusError(kAudioHardwareNotRunningError)) {
            try hardware.value(of: address(kAudioHardwarePropertyDevices), of: .system)
        }
    }
}
