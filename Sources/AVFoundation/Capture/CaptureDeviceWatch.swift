// SPDX-License-Identifier: MIT

import AQDevices
import Dispatch
import Foundation

/// Posts notifications of microphones that appear and disappear.
final class CaptureDeviceWatch: Sendable {
    static let shared = CaptureDeviceWatch()

    private struct State {
        var hasBegun = false
        /// The server's watch; nil if it could not be made.
        var watch: (any AnyObject & Sendable)?
        /// The last devices that a server reported.
        var known: [DeviceInfo] = []
        /// Whether a query is due.
        var isScheduled = false
    }

    /// The time after an event until the devices are queried: a server reports a replaced device as several changes.
    private static let settleMilliseconds = 50

    private let state = Monitor(State())
    private let queue = DispatchQueue(label: "aq capture devices")

    /// Begins to observe the server, unless this has begun. Never waits.
    func begin() {
        let isFirst = state.withLock { state in
            defer { state.hasBegun = true }
            return !state.hasBegun
        }
        guard isFirst, !ForkedChild.isCurrent else { return }
        queue.async { [self] in
            let hardware = CaptureHardware.current
            let watch: (any AnyObject & Sendable)?
            do throws(DeviceError) {
                watch = try hardware.watch { [weak self] in self?.schedule() }
            } catch { watch = nil }
            // The first devices are no change.
            let first = hardware.microphones() ?? []
            state.withLock { state in
                state.watch = watch
                state.known = first
            }
        }
    }

    /// Requests a query of the devices. On the thread of the server's connection; never waits.
    private func schedule() {
        let isFirst = state.withLock { state in
            defer { state.isScheduled = true }
            return !state.isScheduled
        }
        guard isFirst else { return }
        queue.asyncAfter(deadline: .now() + .milliseconds(Self.settleMilliseconds)) { [self] in query() }
    }

    private func query() {
        state.withLock { $0.isScheduled = false }
        guard let now = CaptureHardware.current.microphones() else { return }
        let before = state.withLock { state in
            defer { state.known = now }
            return state.known
        }
        let changes = Self.changes(from: before, to: now)
        for device in changes.gone { Self.post(AVCaptureDevice.wasDisconnectedNotification, device) }
        for device in changes.new { Self.post(AVCaptureDevice.wasConnectedNotification, device) }
    }

    /// The devices that are only in one of two lists.
    static func changes(
        from before: [DeviceInfo], to now: [DeviceInfo]
    ) -> (gone: [DeviceInfo], new: [DeviceInfo]) {
        let (old, new) = (Set(before.map(\.name)), Set(now.map(\.name)))
        return (before.filter { !new.contains($0.name) }, now.filter { !old.contains($0.name) })
    }

    private static func post(_ name: Notification.Name, _ device: DeviceInfo) {
        NotificationCenter.default.post(name: name, object: AVCaptureDevice(device))
    }
}
