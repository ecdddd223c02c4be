// SPDX-License-Identifier: MIT

/// A question to a server, answered by a callback.
enum PulseQuestion: Equatable {
    case server
    case sinks, sources
    /// A device by its name, or by a server's keyword for a default.
    case sink(named: String), source(named: String)
    case sinkAt(index: UInt32), sourceAt(index: UInt32)
    /// Requests to change a device, which are answered by ``PulseAnswer/done``.
    case setVolumes(ofSink: Bool, named: String, [Double])
    case setMuted(ofSink: Bool, named: String, Bool)
    /// Whether the server mutes a playback stream, by the stream's index.
    case isMuted(stream: UInt32)
    /// A request to mute a playback stream or not, answered by ``PulseAnswer/done``.
    case setStreamMuted(UInt32, Bool)
    /// The connections of all programs.
    case clients
    /// The modules that the server has loaded.
    case modules
    /// A request to load a module, answered when the server has loaded it.
    case loadModule(name: String, arguments: String)
}

/// A server's answer to a ``PulseQuestion``.
enum PulseAnswer: Equatable {
    case server(PulseServerInfo)
    /// The devices in the server's order; one device if one was requested.
    case devices([PulseDeviceDescription])
    /// The change was made.
    case done
    case muted(Bool)
    /// The numbers of all connections, and of the one that has asked.
    case clients([UInt32], own: UInt32)
    case modules([PulseModule])
    /// The number of a loaded module.
    case module(UInt32)
    /// PulseAudio's error number; ``PulseError/noEntity`` if there is no such device.
    case failed(errorNumber: Int32)

    /// The single device that was requested.
    var device: PulseDeviceDescription? {
        if case .devices(let devices) = self { devices.first } else { nil }
    }
}

/// A module of a server.
struct PulseModule: Equatable {
    var number: UInt32
    var name: String
    /// The arguments that it was loaded with.
    var arguments: String
}

/// A server's description of itself.
struct PulseServerInfo: Equatable {
    var isPipeWire = false
    /// The server's own name and version; empty if it reports none.
    var name = ""
    var version = ""
    /// The name of the default sink; empty if there is none.
    var defaultSink = ""
    var defaultSource = ""
}

/// A sink or a source, as a server describes it.
struct PulseDeviceDescription: Equatable {
    var info: DeviceInfo
    var channelMap: PulseChannelMap
    /// The properties of a device that filters another.
    var filter = PulseFilter()
}

/// The properties of a device that filters another device; empty for other devices.
struct PulseFilter: Equatable {
    /// The property by which a device names the connection that has loaded its module.
    static let ownerProperty = "aq.owner"

    /// The number of the module that has made the device.
    var module: UInt32?
    /// The name of the filtered device; empty if the server does not report it.
    var master = ""
    /// The connection that has loaded the module; nil unless this library has.
    var owner: UInt32?
}
