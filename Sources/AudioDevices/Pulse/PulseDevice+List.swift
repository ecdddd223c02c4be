extension PulseDevice {
    /// Lists the server's sinks, in the server's order.
    ///
    /// Blocks until the server answers; must not be called on a queue's thread.
    ///
    /// - Parameters:
    ///   - server: The server's address; nil for the user's own.
    ///   - timeoutSeconds: The longest time to wait for the server.
    /// - Throws: ``DeviceError/Code/noServer``, also after a timeout.
    public static func list(
        server: String? = nil, timeoutSeconds: Double = 5
    ) throws(DeviceError) -> [DeviceInfo] {
        try PulseListing.ask(.sinks, of: server, timeoutSeconds: timeoutSeconds).devices
    }
}
