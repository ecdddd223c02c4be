/// A source of a PulseAudio server, or of PipeWire's server of the same protocol: a microphone, or the
/// monitor of a sink, which captures what the sink plays.
public final class PulseSource: InputDevice {
    public let name: String
    /// What the server is asked for; nil lets it choose.
    private let source: String?
    private let server: String?
    private let connection: PulseConnection

    /// Names a source, and begins to connect to its server in the background.
    ///
    /// A stream on a named source stays with it: when the source vanishes it is waited for, and nobody else
    /// is listened to meanwhile.
    ///
    /// - Parameters:
    ///   - source: The source's name as PulseAudio lists it; nil is the server's default, which the stream
    ///     then follows.
    ///   - server: The server's address; nil is the user's own, as `PULSE_SERVER` and the like say.
    /// - Throws: ``DeviceError`` if the process is out of descriptors, memory or threads. That there is no server, the
    ///   streams report.
    public convenience init(source: String? = nil, server: String? = nil) throws(DeviceError) {
        try self.init(name: source ?? "default", source: source, server: server)
    }

    /// Names the sink whose output is captured.
    ///
    /// - Parameters:
    ///   - sink: The sink's name as PulseAudio lists it; nil is the sink that is the server's default when
    ///     a stream starts. Streams do not follow a default that changes later.
    ///   - server: The server's address; nil is the user's own.
    /// - Throws: As ``init(source:server:)``.
    public convenience init(monitorOf sink: String?, server: String? = nil) throws(DeviceError) {
        let source = sink.map { PulseSource.monitorName(of: $0) } ?? PulseSource.defaultMonitor
        try self.init(name: source, source: source, server: server)
    }

    private init(name: String, source: String?, server: String?) throws(DeviceError) {
        self.name = name
        self.source = source
        self.server = server
        connection = try PulseConnection.connection(to: server)
    }

    /// The server's word for the default source.
    private static let defaultSource = "@DEFAULT_SOURCE@"
    /// The server's word for the monitor of whatever sink is the default.
    private static let defaultMonitor = "@DEFAULT_MONITOR@"

    private static let monitorSuffix = ".monitor"

    private static func monitorName(of sink: String) -> String { sink + monitorSuffix }

    /// Whether a name is one that the server gives to monitors: how things stand until it tells of the source.
    static func isMonitor(named name: String) -> Bool {
        name == defaultMonitor || name.hasSuffix(monitorSuffix)
    }

    public func nativeFormat(
        timeoutSeconds: Double
    ) throws(DeviceError) -> (sampleRate: Double, channels: Int) {
        let wanted = PulseQuestion.source(named: source ?? PulseSource.defaultSource)
        let answer = try PulseListing.ask(wanted, of: server, timeoutSeconds: timeoutSeconds)
        guard let found = answer.devices.first else {
            throw DeviceError(.noSuchDevice, "cannot find '\(name)': the sound server has no such source")
        }
        return (found.sampleRate, found.channels)
    }

    public func makeStream(
        _ configuration: InputStreamConfiguration
    ) throws(DeviceError) -> any InputStream {
        try configuration.validate()
        return PulseInputStream(configuration, source: source, connection: connection)
    }

    /// Lists the server's sources, monitors of sinks included, in the server's order.
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
        try PulseListing.ask(.sources, of: server, timeoutSeconds: timeoutSeconds).devices
    }
}
