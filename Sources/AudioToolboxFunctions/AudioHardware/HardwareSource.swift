import AudioDevices

/// The source of the devices of the hardware API: a sound server, or a table in tests.
protocol HardwareSource: Sendable {
    /// All current devices. Waits for the server's answer.
    func snapshot() throws(DeviceError) -> HardwareSnapshot

    /// Calls `changed` soon after any device, or the default device, has changed.
    ///
    /// One call may stand for several changes, and a call may turn out to have no change. `changed` may be
    /// called on any thread, must not wait, and is not called after the watch was released.
    ///
    /// - Returns: The watch, which lasts while it is held; nil if there are no events, so that changes have
    ///   to be polled.
    func watch(_ changed: @escaping @Sendable () -> Void) -> (any AnyObject & Sendable)?
}

/// The user's sound server.
struct PulseHardware: HardwareSource {
    /// The server's address; nil is the user's default.
    var server: String?

    func snapshot() throws(DeviceError) -> HardwareSnapshot {
        let sinks = try PulseDevice.list(server: server)
        let sources = try PulseSource.list(server: server)
        return HardwareSnapshot(sinks: sinks, sources: sources)
    }

    /// Nil if the process cannot create a thread: changes are then polled.
    func watch(_ changed: @escaping @Sendable () -> Void) -> (any AnyObject & Sendable)? {
        do throws(DeviceError) { return try PulseDeviceWatch(server: server, changed) } catch { return nil }
    }
}
