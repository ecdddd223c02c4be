// SPDX-License-Identifier: MIT

import AQDevices

/// The source of the devices of the hardware API: a sound server, or a table in tests.
protocol HardwareSource: Sendable {
    /// Returns all current devices; waits for the server's answer.
    func snapshot() throws(DeviceError) -> HardwareSnapshot

    /// Changes the volume of a device's sink or source; waits for the server's answer.
    func control(
        _ change: DeviceControl, of uid: String, _ direction: HardwareDirection
    ) throws(DeviceError)

    /// Calls `changed` soon after any device, or the default device, has changed.
    ///
    /// One call may report several changes, or none. `changed` may be called on any thread, must not wait, and is not
    /// called after the watch was released.
    ///
    /// - Returns: The watch, which lasts until its release; nil if there are no events, so that changes have to be
    ///   polled.
    func watch(_ changed: @escaping @Sendable () -> Void) -> (any AnyObject & Sendable)?
}

/// The user's sound server.
struct PulseHardware: HardwareSource {
    /// The server's address; nil for the user's default.
    var server: String?

    func snapshot() throws(DeviceError) -> HardwareSnapshot {
        let sinks = try PulseDevice.list(server: server)
        let sources = try PulseSource.list(server: server)
        return HardwareSnapshot(sinks: sinks, sources: sources)
    }

    func control(
        _ change: DeviceControl, of uid: String, _ direction: HardwareDirection
    ) throws(DeviceError) {
        switch direction {
        case .output: try PulseDevice.control(change, ofSink: uid, server: server)
        case .input: try PulseSource.control(change, ofSource: uid, server: server)
        }
    }

    /// Returns a watch; nil if none can be made, so that changes are polled.
    func watch(_ changed: @escaping @Sendable () -> Void) -> (any AnyObject & Sendable)? {
        do throws(DeviceError) { return try PulseDeviceWatch(server: server, changed) } catch { return nil }
    }
}
