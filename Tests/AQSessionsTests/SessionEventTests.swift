// SPDX-License-Identifier: MIT

import AQDevices
import AQExpectations
import Testing

@testable import AQSessions

/// The events between two states of the devices.
@Suite("Changes of a session's devices") struct SessionEventTests {
    private static let headphones = DeviceFacts(connection: .pci, port: .headphones, volume: 0.5)

    private func events(
        from before: SessionDevices?, to now: SessionDevices?, category: SessionSettings.Category = .playback,
        isActive: Bool = true
    ) -> [SessionEvent] {
        var settings = SessionSettings()
        settings.setCategory(category)
        settings.isActive = isActive
        var state = SessionWatchState()
        state.begin(with: before)
        return state.take(now, for: settings)
    }

    private func reasons(_ events: [SessionEvent]) -> [SessionRoute.ChangeReason] {
        events.compactMap { event in
            if case .routeChanged(let reason, _, _) = event { reason } else { nil }
        }
    }

    private func sinks(_ sinks: DeviceInfo...) -> SessionDevices {
        SessionDevices(sinks: sinks, sources: [.test("microphone", channels: 1)])
    }

    @Test("the same devices are no change") func same() {
        expectEqual(events(from: .usual, to: .usual), [])
        expectEqual(events(from: nil, to: nil), [])
    }

    @Test("a sink that appears and becomes the default is a new device") func newDevice() {
        let now = sinks(.test("speaker", isDefault: false), .test("headset"))
        expectEqual(reasons(events(from: sinks(.test("speaker")), to: now)), [.newDeviceAvailable])
    }

    @Test("a default that disappears is an old device") func oldDevice() {
        let before = sinks(.test("speaker", isDefault: false), .test("headset"))
        expectEqual(reasons(events(from: before, to: sinks(.test("speaker")))), [.oldDeviceUnavailable])
        expectEqual(reasons(events(from: before, to: sinks())), [.oldDeviceUnavailable])
    }

    @Test("another default that existed before was selected") func override() {
        let before = sinks(.test("speaker"), .test("hdmi", isDefault: false))
        let now = sinks(.test("speaker", isDefault: false), .test("hdmi"))
        expectEqual(reasons(events(from: before, to: now)), [.override])
    }

    @Test("a plug that is inserted or removed changes the route of the same device") func plug() {
        let out = sinks(.test("speaker", DeviceFacts(connection: .pci, port: .speaker, volume: 0.5)))
        let inserted = sinks(.test("speaker", Self.headphones))
        expectEqual(reasons(events(from: out, to: inserted)), [.newDeviceAvailable])
        expectEqual(reasons(events(from: inserted, to: out)), [.oldDeviceUnavailable])
    }

    @Test("a change of the other direction is no change of the route") func direction() {
        let now = SessionDevices(sinks: [.test("speaker")], sources: [])
        let changed = events(from: sinks(.test("speaker")), to: now)
        expectEqual(changed, [.inputAvailabilityChanged(isAvailable: false), .inputChannelsChanged(0)])
        let recording = events(from: sinks(.test("speaker")), to: now, category: .record)
        expectEqual(reasons(recording), [.oldDeviceUnavailable])
    }

    @Test("channels and volume are reported with the new value") func values() {
        let before = sinks(.test("speaker", DeviceFacts(volume: 0.5)))
        let now = sinks(.test("speaker", channels: 6, DeviceFacts(volume: 1.5)))
        let changed = events(from: before, to: now)
        expectEqual(reasons(changed), [.routeConfigurationChange])
        #expect(changed.contains(.outputChannelsChanged(6)))
        #expect(changed.contains(.outputVolumeChanged(1)))
    }

    @Test("the end of the server interrupts an active session, and its return ends that") func server() {
        var settings = SessionSettings()
        settings.isActive = true
        var state = SessionWatchState()
        state.begin(with: .usual)
        expectEqual(state.take(nil, for: settings), [.serverLost, .interruptionBegan])
        expectEqual(state.take(nil, for: settings), [])
        settings.isActive = false
        expectEqual(state.take(.usual, for: settings), [.serverReturned, .interruptionEnded])
        expectEqual(state.take(.usual, for: settings), [])
    }

    @Test("an inactive session is not interrupted") func inactive() {
        expectEqual(events(from: .usual, to: nil, isActive: false), [.serverLost])
        expectEqual(events(from: nil, to: nil), [])
    }

    @Test("after the server's return the route is compared with the one before") func returned() {
        let settings = SessionSettings()
        var state = SessionWatchState()
        state.begin(with: sinks(.test("a")))
        _ = state.take(nil, for: settings)
        expectEqual(reasons(state.take(sinks(.test("b")), for: settings)), [.oldDeviceUnavailable])
    }

    @Test("a monitor is not a microphone") func monitor() {
        let devices = SessionDevices(
            sinks: [.test("speaker")], sources: [.test("speaker.monitor", isMonitor: true)])
        expectEqual(devices.input, nil)
        var settings = SessionSettings()
        settings.setCategory(.playAndRecord)
        expectEqual(SessionRoute(devices, settings).input, nil)
    }

    @Test(
        "outputs have the types of portable systems",
        arguments: [
            (.pci, .speaker, .builtInSpeaker), (.pci, .headphones, .headphones), (.pci, .line, .lineOut),
            (.builtIn, .receiver, .builtInReceiver), (.hdmi, .unknown, .hdmi), (.usb, .headset, .usbAudio),
            (.bluetooth, .headset, .bluetoothA2DP), (.bluetooth, .handsFree, .bluetoothHFP),
            (.network, .unknown, .airPlay), (.virtual, .unknown, .builtInSpeaker),
        ] as [(DeviceFacts.Connection, DeviceFacts.Port, SessionPort.Kind)])
    func outputs(connection: DeviceFacts.Connection, port: DeviceFacts.Port, kind: SessionPort.Kind) {
        let device = DeviceInfo.test("a", DeviceFacts(connection: connection, port: port))
        expectEqual(SessionPort(output: device).kind, kind)
    }

    @Test(
        "inputs have the types of portable systems",
        arguments: [
            (.pci, .microphone, .builtInMicrophone), (.pci, .headset, .headsetMicrophone),
            (.pci, .line, .lineIn), (.usb, .microphone, .usbAudio), (.bluetooth, .handsFree, .bluetoothHFP),
            (.virtual, .unknown, .builtInMicrophone),
        ] as [(DeviceFacts.Connection, DeviceFacts.Port, SessionPort.Kind)])
    func inputs(connection: DeviceFacts.Connection, port: DeviceFacts.Port, kind: SessionPort.Kind) {
        let device = DeviceInfo.test("a", DeviceFacts(connection: connection, port: port))
        expectEqual(SessionPort(input: device).kind, kind)
    }
}
