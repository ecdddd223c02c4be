// SPDX-License-Identifier: MIT

import Synchronization

/// A sink of a PulseAudio or PipeWire server.
public final class PulseDevice: OutputDevice {
    /// The server's keyword for the default sink.
    static let defaultSink = "@DEFAULT_SINK@"

    public var name: String { sink ?? "default" }
    private let sink: String?
    private let server: String?
    private let connection: PulseConnection

    /// Selects a sink, and begins to connect to its server in the background.
    ///
    /// - Parameters:
    ///   - sink: The sink's name as PulseAudio lists it; nil for the server's default, which the stream then follows.
    ///   - server: The server's address; nil for the server that libpulse selects, for example from `PULSE_SERVER`.
    /// - Throws: ``DeviceError/Code/refused`` if the process has no more descriptors, memory or threads, or was forked
    ///   after its parent had used devices. A missing server is reported by the streams.
    public init(sink: String? = nil, server: String? = nil) throws(DeviceError) {
        self.sink = sink
        self.server = server
        connection = try PulseConnection.connection(to: server)
    }

    /// Returns true for all encodings except 8 bits.
    ///
    /// QUIRK: PipeWire's server before 1.3.81 fills gaps with zeros, which are the lowest level of unsigned samples.
    /// This causes a loud click at the end of all audio.
    public func prefers(_ encoding: SampleFormat.Encoding) -> Bool { encoding != .unsigned8 }

    public func makeStream(
        _ configuration: OutputStreamConfiguration
    ) throws(DeviceError) -> any OutputStream {
        try configuration.format.validate(channelNumbers: configuration.channelNumbers)
        var own: PulseOwnConnection?
        if configuration.slices != nil {
            own = try PulseOwnConnection.takeForUnit(to: server)
        } else if configuration.servesClient {
            own = PulseOwnConnection.take(to: server)
        }
        return PulseStream(configuration, sink: sink, connection: own?.connection ?? connection, own: own)
    }

    public func ownChannels(timeoutSeconds: Double) throws(DeviceError) -> Int {
        try nativeFormat(timeoutSeconds: timeoutSeconds).channels
    }

    public func nativeFormat(
        timeoutSeconds: Double
    ) throws(DeviceError) -> (sampleRate: Double, channels: Int) {
        let wanted = PulseQuestion.sink(named: sink ?? PulseDevice.defaultSink)
        let found = try PulseListing.askForOne(wanted, of: server, timeoutSeconds: timeoutSeconds)
        return (found.sampleRate, found.channels)
    }

    /// Lists the server's sinks, in the server's order.
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
        try PulseListing.ask(.sinks, of: server, timeoutSeconds: timeoutSeconds)
    }

    /// The name and the version of a server.
    ///
    /// Blocks until the server answers; must not be called on a queue's thread. The parameters and errors are those of
    /// ``list(server:timeoutSeconds:)``.
    public static func serverInfo(
        server: String? = nil, timeoutSeconds: Double = 5
    ) throws(DeviceError) -> SoundServerInfo {
        let info = try PulseListing.askAboutServer(server, timeoutSeconds: timeoutSeconds)
        return SoundServerInfo(name: info.name, version: info.version, isPipeWire: info.isPipeWire)
    }
}
