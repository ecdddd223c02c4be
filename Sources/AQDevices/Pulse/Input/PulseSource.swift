// SPDX-License-Identifier: MIT

/// A source of a PulseAudio or PipeWire server: a microphone, or the monitor of a sink, which captures the audio
/// that the sink plays.
public final class PulseSource: InputDevice {
    public let name: String
    /// The name requested from the server; nil for its default.
    private let source: String?
    private let server: String?
    private let connection: PulseConnection

    /// Selects a source, and begins to connect to its server in the background.
    ///
    /// A stream on a named source stays with it: if the source disappears, the stream waits for it, and no other source
    /// is used in the meantime.
    ///
    /// - Parameters:
    ///   - source: The source's name as PulseAudio lists it; nil for the server's default, which the stream then
    ///     follows.
    ///   - server: The server's address; nil for the server that libpulse selects, for example from `PULSE_SERVER`.
    /// - Throws: ``DeviceError/Code/refused`` if the process has no more descriptors, memory or threads, or was forked
    ///   after its parent had used devices. A missing server is reported by the streams.
    public convenience init(source: String? = nil, server: String? = nil) throws(DeviceError) {
        try self.init(name: source ?? "default", source: source, server: server)
    }

    /// Selects the sink whose output is captured.
    ///
    /// - Parameters:
    ///   - sink: The sink's name as PulseAudio lists it; nil for the server's default sink when a stream starts.
    ///     Streams do not follow later changes of the default.
    ///   - server: The server's address; nil for the server that libpulse selects.
    /// - Throws: The same errors as ``init(source:server:)``.
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

    /// The server's keyword for the default source.
    static let defaultSource = "@DEFAULT_SOURCE@"
    /// The server's keyword for the monitor of the default sink.
    static let defaultMonitor = "@DEFAULT_MONITOR@"

    private static let monitorSuffix = ".monitor"

    private static func monitorName(of sink: String) -> String { sink + monitorSuffix }

    /// Returns whether servers give a name to monitors. Used until the server describes the source.
    static func isMonitor(named name: String) -> Bool {
        name == defaultMonitor || name.hasSuffix(monitorSuffix)
    }

    public func nativeFormat(
        timeoutSeconds: Double
    ) throws(DeviceError) -> (sampleRate: Double, channels: Int) {
        let wanted = PulseQuestion.source(named: source ?? PulseSource.defaultSource)
        let found = try PulseListing.askForOne(wanted, of: server, timeoutSeconds: timeoutSeconds)
        return (found.sampleRate, found.channels)
    }

    public func makeStream(
        _ configuration: InputStreamConfiguration
    ) throws(DeviceError) -> any InputStream {
        try configuration.format.validate(channelNumbers: configuration.channelNumbers)
        if let own = configuration.servingThread?.owner {
            return PulseInputStream(
                configuration, source: source, connection: own.connectionForInput(), own: own)
        }
        let own = configuration.servesClient ? try PulseOwnConnection.takeForUnit(to: server) : nil
        return PulseInputStream(
            configuration, source: source, connection: own?.connection ?? connection, own: own)
    }

    /// Lists the server's sources, including monitors of sinks, in the server's order.
    ///
    /// Blocks until the server answers; must not be called on a queue's thread.
    ///
    /// - Parameters:
    ///   - server: The server's address; nil for the server that libpulse selects.
    ///   - timeoutSeconds: The longest time to wait for the server, in seconds: 0 to 3600.
    /// - Throws: ``DeviceError/Code/noServer``, also after a timeout; ``DeviceError/Code/refused``.
    public static func list(
        server: String? = nil, timeoutSeconds: Double = 5
    ) throws(DeviceError) -> [DeviceInfo] {
        try PulseListing.ask(.sources, of: server, timeoutSeconds: timeoutSeconds)
    }
}
