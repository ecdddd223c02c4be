/// A question to a server that calls back with its answer.
enum PulseQuestion: Equatable {
    case server
    case sinks, sources
    /// By a device's name, or one of the server's words for a default.
    case sink(named: String), source(named: String)
    case sinkAt(index: UInt32), sourceAt(index: UInt32)
}

/// What a server answers to a ``PulseQuestion``.
enum PulseAnswer: Equatable {
    case server(PulseServerInfo)
    /// In the server's order; one where one was asked for.
    case devices([PulseDeviceDescription])
    /// PulseAudio's error number; that of a device that there is not is ``PulseError/noEntity``.
    case failed(errorNumber: Int32)

    /// The one device that was asked for.
    var device: PulseDeviceDescription? {
        if case .devices(let devices) = self { devices.first } else { nil }
    }
}

/// What a server says of itself.
struct PulseServerInfo: Equatable {
    var isPipeWire = false
    /// Empty when it has none.
    var defaultSink = ""
    var defaultSource = ""
}

/// A sink or a source, as a server describes it.
struct PulseDeviceDescription: Equatable {
    var info: DeviceInfo
    var channelMap: PulseChannelMap
}
