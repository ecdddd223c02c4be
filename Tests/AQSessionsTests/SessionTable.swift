// SPDX-License-Identifier: MIT

import AQDevices

@testable import AQSessions

/// Devices in a table, which a test changes.
final class SessionTable: SessionHardware {
    private struct State {
        /// Nil while no server answers.
        var devices: SessionDevices?
        var changed: (@Sendable () -> Void)?
    }

    private final class Watch: Sendable {
        private let end: @Sendable () -> Void
        init(_ end: @escaping @Sendable () -> Void) { self.end = end }
        deinit { end() }
    }

    private let state: Monitor<State>
    /// Whether it reports changes, or must be polled.
    private let tellsChanges: Bool

    init(_ devices: SessionDevices? = SessionDevices(), tellsChanges: Bool = true) {
        state = Monitor(State(devices: devices))
        self.tellsChanges = tellsChanges
    }

    func devices() throws(DeviceError) -> SessionDevices {
        guard let devices = state.withLock({ $0.devices }) else {
            throw DeviceError(.noServer, "no server in the table")
        }
        return devices
    }

    func watch(_ changed: @escaping @Sendable () -> Void) -> (any AnyObject & Sendable)? {
        guard tellsChanges else { return nil }
        state.withLock { $0.changed = changed }
        return Watch { [weak self] in self?.state.withLock { $0.changed = nil } }
    }

    var isWatched: Bool { state.withLock { $0.changed != nil } }

    func set(_ devices: SessionDevices?) {
        let changed = state.withLock { state in
            state.devices = devices
            return state.changed
        }
        changed?()
    }
}

extension DeviceInfo {
    /// A device that a test identifies by its name.
    static func test(
        _ name: String, channels: Int = 2, isDefault: Bool = true, isMonitor: Bool = false,
        _ facts: DeviceFacts? = DeviceFacts(connection: .pci)
    ) -> DeviceInfo {
        DeviceInfo(
            name: name, description: "The \(name)", sampleRate: 48_000, channels: channels,
            isDefault: isDefault, isMonitor: isMonitor, facts: facts)
    }
}

extension SessionDevices {
    /// A speaker and a microphone.
    static let usual = SessionDevices(
        sinks: [.test("speaker", DeviceFacts(connection: .pci, port: .speaker, volume: 0.5))],
        sources: [.test("microphone", channels: 1, DeviceFacts(connection: .pci, port: .microphone))])
}
