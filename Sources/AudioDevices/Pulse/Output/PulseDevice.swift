import Synchronization

/// A sink of a PulseAudio or PipeWire server.
public final class PulseDevice: OutputDevice {
    public var name: String { sink ?? "default" }
    private let sink: String?
    private let server: String?
    private let connection: PulseConnection

    /// Selects a sink, and begins to connect to its server in the background.
    ///
    /// - Parameters:
    ///   - sink: The sink's name as PulseAudio lists it; nil for the server's default, which the stream then follows.
    ///   - server: The server's address; nil for the user's own, from `PULSE_SERVER` and the like.
    /// - Throws: ``DeviceError`` if the process has no more descriptors, memory or threads. A missing server is
    ///   reported by the streams.
    public init(sink: String? = nil, server: String? = nil) throws(DeviceError) {
        self.sink = sink
        self.server = server
        connection = try PulseConnection.connection(to: server)
    }

    /// All except 8 bits.
    ///
    /// QUIRK: PipeWire's server before 1.3.81 fills gaps with zeros, which are the lowest level of unsigned samples: a
    /// loud click at the end of all audio.
    public func prefers(_ encoding: SampleFormat.Encoding) -> Bool { encoding != .unsigned8 }

    public func makeStream(
        _ configuration: OutputStreamConfiguration
    ) throws(DeviceError) -> any OutputStream {
        try configuration.validate()
        if configuration.servesClient, let own = PulseOwnConnection.take(to: server) {
            return PulseStream(configuration, sink: sink, own: own)
        }
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
