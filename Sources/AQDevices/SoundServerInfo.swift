// SPDX-License-Identifier: MIT

/// A sound server's description of itself.
public struct SoundServerInfo: Sendable, Equatable {
    /// The name, such as "pulseaudio" or "PulseAudio (on PipeWire 1.4.2)"; empty if the server does not report it.
    public var name: String
    /// The version; that of the implemented protocol on PipeWire. Empty if the server does not report it.
    public var version: String
    /// Whether the server is PipeWire's PulseAudio server.
    public var isPipeWire: Bool

    public init(name: String, version: String, isPipeWire: Bool) {
        self.name = name
        self.version = version
        self.isPipeWire = isPipeWire
    }
}
