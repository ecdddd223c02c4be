// SPDX-License-Identifier: MIT

import AQDevices
import CAQAudioToolbox

@testable import AQToolboxFunctions

/// Devices in a table, which a test changes.
final class TableHardware: HardwareSource {
    private struct State {
        var result: Result<HardwareSnapshot, DeviceError>
        var changed: (@Sendable () -> Void)?
        var isWatched: Bool { changed != nil }
    }

    private final class Watch: Sendable {
        private let end: @Sendable () -> Void
        init(_ end: @escaping @Sendable () -> Void) { self.end = end }
        deinit { end() }
    }

    private let state: Monitor<State>
    /// Whether it reports changes, or must be polled.
    private let tellsChanges: Bool

    init(sinks: [DeviceInfo] = [], sources: [DeviceInfo] = [], tellsChanges: Bool = true) {
        state = Monitor(State(result: .success(HardwareSnapshot(sinks: sinks, sources: sources))))
        self.tellsChanges = tellsChanges
    }

    func snapshot() throws(DeviceError) -> HardwareSnapshot {
        try state.withLock { $0.result }.get()
    }

    /// Changes the volumes in the table, as a server does.
    func control(
        _ change: DeviceControl, of uid: String, _ direction: HardwareDirection
    ) throws(DeviceError) {
        var snapshot = try snapshot()
        guard snapshot.device(uid)?.endpoint(direction) != nil else {
            throw DeviceError(.noSuchDevice, "no such device")
        }
        snapshot.update { device in
            guard device.uid == uid else { return }
            var endpoint = device.endpoint(direction)
            if case .mute(let isMuted) = change { endpoint?.isMuted = isMuted }
            if let volumes = change.volumes(changing: endpoint?.channelVolumes ?? []) {
                endpoint?.channelVolumes = volumes
            }
            if direction == .output { device.output = endpoint } else { device.input = endpoint }
        }
        set(.success(snapshot))
    }

    func watch(_ changed: @escaping @Sendable () -> Void) -> (any AnyObject & Sendable)? {
        guard tellsChanges else { return nil }
        state.withLock { $0.changed = changed }
        return Watch { [weak self] in self?.state.withLock { $0.changed = nil } }
    }

    var isWatched: Bool { state.withLock { $0.isWatched } }

    func set(sinks: [DeviceInfo] = [], sources: [DeviceInfo] = []) {
        set(.success(HardwareSnapshot(sinks: sinks, sources: sources)))
    }

    func fail(_ error: DeviceError) { set(.failure(error)) }

    private func set(_ result: Result<HardwareSnapshot, DeviceError>) {
        let changed = state.withLock { state in
            state.result = result
            return state.changed
        }
        changed?()
    }
}

/// A property of the main element.
func address(
    _ selector: AudioObjectPropertySelector,
    _ scope: AudioObjectPropertyScope = kAudioObjectPropertyScopeGlobal
) -> AudioObjectPropertyAddress {
    AudioObjectPropertyAddress(
        mSelector: selector, mScope: scope, mElement: kAudioObjectPropertyElementMain)
}

extension DeviceInfo {
    /// A device that a test identifies by name.
    static func test(
        _ name: String, rate: Double = 48000, channels: Int = 2, isDefault: Bool = false,
        isMonitor: Bool = false, facts: DeviceFacts? = nil
    ) -> DeviceInfo {
        DeviceInfo(
            name: name, description: "The \(name)", sampleRate: rate, channels: channels,
            isDefault: isDefault, isMonitor: isMonitor, facts: facts)
    }
}
