extension PulseDevice {
    /// Lists the server's sinks, in the server's order.
    ///
    /// Blocks the calling thread, which must not be a queue's, until the server has answered.
    ///
    /// - Parameters:
    ///   - server: The server's address; nil is the user's own.
    ///   - timeoutSeconds: How long to wait for a server that does not answer.
    /// - Throws: ``DeviceError/Code/noServer``, also when the time is over.
    public static func list(
        server: String? = nil, timeoutSeconds: Double = 5
    ) throws(DeviceError) -> [DeviceInfo] {
        try PulseListing.ask(.sinks, of: server, timeoutSeconds: timeoutSeconds).devices
    }
}
