import AudioDevices

/// Where the devices of the hardware API come from: a sound server, or a table in tests.
protocol HardwareSource: Sendable {
    /// All devices there are now. Waits for the server's answer.
    func snapshot() throws(DeviceError) -> HardwareSnapshot

    /// Has `changed` called soon after any device, or which is the default, has changed.
    ///
    /// Several changes may be told of by one call, and a call may turn out to tell of none. `changed` may be called
    /// on any thread, must not wait, and is not called once the watch was let go of.
    ///
    /// - Returns: What keeps watch as long as it is held; nil where nobody tells of changes, so that they have
    ///   to be looked for.
    func watch(_ changed: @escaping @Sendable () -> Void) -> (any AnyObject & Sendable)?
}

/// The user's sound server.
struct PulseHardware: HardwareSource {
    /// The server's address; nil is the user's own.
    var server: String?

    func snapshot() throws(DeviceError) -> HardwareSnapshot {
        let sinks = try PulseDevice.list(server: server)
        let sources = try PulseSource.list(server: server)
        return HardwareSnapshot(sinks: sinks, sources: sources)
    }

    /// Nil when the process is out of threads: then it is looked for changes, as long as that lasts.
    func watch(_ changed: @escaping @Sendable () -> Void) -> (any AnyObject & Sendable)? {
        do throws(DeviceError) { return try PulseDeviceWatch(server: server, changed) } catch { return nil }
    }
}
