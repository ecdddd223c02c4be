import Synchronization

/// A sink of a PulseAudio server, or of PipeWire's server of the same protocol.
public final class PulseDevice: OutputDevice {
    public var name: String { sink ?? "default" }
    private let sink: String?
    private let server: String?
    private let connection: PulseConnection

    /// Names a sink, and begins to connect to its server in the background.
    ///
    /// - Parameters:
    ///   - sink: The sink's name as PulseAudio lists it; nil is the server's default, which the stream then
    ///     follows.
    ///   - server: The server's address; nil is the user's own, as `PULSE_SERVER` and the like say.
    /// - Throws: ``DeviceError`` if the process is out of descriptors, memory or threads. That there is no server, the
    ///   streams report.
    public init(sink: String? = nil, server: String? = nil) throws(DeviceError) {
        self.sink = sink
        self.server = server
        connection = try PulseConnection.connection(to: server)
    }

    /// All but 8 bits.
    ///
    /// QUIRK: PipeWire's server before 1.3.81 fills what is missing with zeros, which are the lowest level there is of
    /// unsigned samples: a loud click at the end of everything.
    public func prefers(_ encoding: SampleFormat.Encoding) -> Bool { encoding != .unsigned8 }

    public func makeStream(
        _ configuration: OutputStreamConfiguration
    ) throws(DeviceError) -> any OutputStream {
        try configuration.validate()
        return PulseStream(configuration, sink: sink, connection: connection)
    }

    public func ownChannels(timeoutSeconds: Double) throws(DeviceError) -> Int {
        let wanted = PulseQuestion.sink(named: sink ?? "@DEFAULT_SINK@")
        let answer = try PulseListing.ask(wanted, of: server, timeoutSeconds: timeoutSeconds)
        guard let found = answer.devices.first else {
            throw DeviceError(.noSuchDevice, "cannot find '\(name)': the sound server has no such sink")
        }
        return found.channels
    }
}
