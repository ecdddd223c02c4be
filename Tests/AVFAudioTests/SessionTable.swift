// SPDX-License-Identifier: MIT

import AQDevices
import AQSessions
import Foundation
import Synchronization

@testable import AVFAudio

/// Devices in a table, which a test changes.
final class SessionTable: SessionHardware {
    private struct State {
        /// Nil while no server answers.
        var devices: SessionDevices?
        var changed: (@Sendable () -> Void)?
    }

    private final class Watch: Sendable {}

    private let state: Mutex<State>

    init(_ devices: SessionDevices? = SessionDevices()) { state = Mutex(State(devices: devices)) }

    func devices() throws(DeviceError) -> SessionDevices {
        guard let devices = state.withLock({ $0.devices }) else {
            throw DeviceError(.noServer, "no server in the table")
        }
        return devices
    }

    func watch(_ changed: @escaping @Sendable () -> Void) -> (any AnyObject & Sendable)? {
        state.withLock { $0.changed = changed }
        return Watch()
    }

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
        _ name: String, channels: Int = 2, sampleRate: Double = 48_000, isDefault: Bool = true,
        isMonitor: Bool = false, _ facts: DeviceFacts? = DeviceFacts(connection: .pci)
    ) -> DeviceInfo {
        DeviceInfo(
            name: name, description: "The \(name)", sampleRate: sampleRate, channels: channels,
            isDefault: isDefault, isMonitor: isMonitor, facts: facts)
    }
}

extension AVAudioSession {
    /// A session over devices in a table, with settings of its own.
    static func overTable(_ table: SessionTable) -> AVAudioSession {
        AVAudioSession(SessionState(AudioSession(hardware: table)))
    }
}

/// The code of the `NSError` that a function throws; nil if it throws none.
func thrownCode(_ body: () throws -> Void) -> Int? {
    do {
        try body()
        return nil
    } catch { return (error as NSError).code }
}
