// SPDX-License-Identifier: MIT

import AQDevices
import AQUnits

/// The state of devices that belongs to this process: the length of their cycles, and what runs on them.
///
/// May be used from any thread.
final class DeviceUse: Sendable {
    private struct State {
        /// The lengths that were set, in frames, by the device's name.
        var bufferFrames: [String: Int] = [:]
        /// The number of running units and procedures, by the device's name.
        var users: [String: Int] = [:]
    }

    private let state = Monitor(State())

    /// The number of frames of a cycle of the device.
    func bufferFrames(of uid: String) -> Int {
        state.withLock { $0.bufferFrames[uid] ?? IOUnit.usualFrames }
    }

    /// Whether the length of any device was set.
    var hasBufferFrames: Bool { state.withLock { !$0.bufferFrames.isEmpty } }

    /// Sets the length of a device's cycle; values out of range count as the nearer bound.
    ///
    /// - Returns: Whether this is another length than before.
    func setBufferFrames(_ frames: Int, of uid: String) -> Bool {
        let range = IOUnit.bufferFramesRange
        let bound = min(max(frames, range.lowerBound), range.upperBound)
        return state.withLock { state in
            defer { state.bufferFrames[uid] = bound }
            return state.bufferFrames[uid] ?? IOUnit.usualFrames != bound
        }
    }

    /// Counts a user of the device; returns whether it is the first.
    func begin(_ uid: String) -> Bool {
        state.withLock { state in
            state.users[uid, default: 0] += 1
            return state.users[uid] == 1
        }
    }

    /// Counts the end of a user of the device; returns whether it was the last.
    func end(_ uid: String) -> Bool {
        state.withLock { state in
            let rest = (state.users[uid] ?? 1) - 1
            state.users[uid] = rest > 0 ? rest : nil
            return rest == 0
        }
    }

    /// Adds this state to the server's devices.
    func complete(_ snapshot: inout HardwareSnapshot) {
        state.withLock { state in
            snapshot.update { device in
                device.bufferFrames = state.bufferFrames[device.uid] ?? IOUnit.usualFrames
                device.hasUnits = state.users[device.uid] != nil
            }
        }
    }
}
