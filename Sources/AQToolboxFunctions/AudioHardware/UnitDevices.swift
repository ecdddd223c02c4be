// SPDX-License-Identifier: MIT

import AQDevices
import AQUnits
import CAQAudioToolbox

/// The devices on which a unit runs, whose listeners are informed.
final class UnitDevices: Sendable {
    private let hardware: Hardware
    private let names = Monitor<[String]>([])

    init(_ hardware: Hardware) { self.hardware = hardware }

    /// Handles a change of the unit, on any thread.
    func handle(_ change: IOUnit.Change, of unit: IOUnit) {
        switch change {
        case .isRunning, .device: set(unit.isRunning ? unit.deviceNames : [])
        case .overload: overload()
        case .format, .bufferFrames, .maximumFrames: break
        }
    }

    /// Reports that a cycle of the unit was late.
    func overload() {
        for name in names.withLock({ $0 }) {
            hardware.report(kAudioDeviceProcessorOverload, of: .device(uid: name))
        }
    }

    /// Records that the unit does not run.
    func end() { set([]) }

    private func set(_ new: [String]) {
        let old = names.withLock { names in
            defer { names = new }
            return names
        }
        // Begun before others end, so that a device that is used further is not reported.
        for name in new where hardware.use.begin(name) { reportRunning(name) }
        for name in old where hardware.use.end(name) { reportRunning(name) }
    }

    private func reportRunning(_ name: String) {
        hardware.report(kAudioDevicePropertyDeviceIsRunning, of: .device(uid: name))
    }
}
