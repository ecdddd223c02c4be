import AudioDevices
import CAudioToolbox

/// One direction of a device: a sink, or a source.
struct HardwareEndpoint: Sendable, Equatable {
    /// What a person calls it.
    var name: String
    var sampleRate: Double
    var channels: Int
    /// Whether streams that name no device play, or record, here.
    var isDefault: Bool
    /// Whether this captures what an output device plays.
    var isMonitor: Bool

    // Nil of what the server does not tell: the device lacks the property then.

    /// Who made it; empty when the server does not know.
    var manufacturer: String?
    /// One of the `kAudioDeviceTransportType…` constants.
    var transport: UInt32?
    /// Between a stream's end of the server and the air.
    var latencyFrames: Int?
    /// What the device takes, or gives, at a time.
    var bufferFrames: Int?
    /// Whether this process, or any, has a running stream there.
    var isRunningHere: Bool?
    var isRunningSomewhere: Bool?

    init(_ info: DeviceInfo) {
        name = info.description
        sampleRate = info.sampleRate
        channels = info.channels
        isDefault = info.isDefault
        isMonitor = info.isMonitor
        if let facts = info.facts {
            manufacturer = facts.manufacturer
            transport = facts.connection.transport
            latencyFrames = facts.latencyFrames
            bufferFrames = facts.bufferFrames
            isRunningHere = facts.isUsedHere
            isRunningSomewhere = facts.isRunning
        }
        if info.isMonitor { transport = kAudioDeviceTransportTypeVirtual }
    }
}

/// A device of the hardware API: what plays and what records under one name.
///
/// Sinks and sources have names of their own at PulseAudio's server; PipeWire's may give both the same, which
/// then are the two directions of one device, as they are where this API comes from.
struct HardwareDevice: Sendable, Equatable {
    /// The server's name, which a queue takes as `kAudioQueueProperty_CurrentDevice`.
    let uid: String
    var output: HardwareEndpoint?
    var input: HardwareEndpoint?

    func endpoint(_ direction: HardwareDirection) -> HardwareEndpoint? {
        switch direction {
        case .output: output
        case .input: input
        }
    }

    /// The endpoints that a property's scope is about, output first.
    func endpoints(_ directions: [HardwareDirection]) -> [HardwareEndpoint] {
        directions.compactMap { endpoint($0) }
    }

    /// The endpoint to tell of what is the same for the whole device.
    ///
    /// That of the scope if there is one. COMPAT: programs ask for names and rates in any scope.
    func mainEndpoint(_ directions: [HardwareDirection]) -> HardwareEndpoint? {
        endpoints(directions).first ?? output ?? input
    }
}

extension DeviceFacts.Connection {
    /// The `kAudioDeviceTransportType…` constant.
    var transport: UInt32 {
        switch self {
        // What is at another machine has no published value of its own.
        case .unknown, .network: kAudioDeviceTransportTypeUnknown
        case .builtIn: kAudioDeviceTransportTypeBuiltIn
        case .pci: kAudioDeviceTransportTypePCI
        case .usb: kAudioDeviceTransportTypeUSB
        case .bluetooth: kAudioDeviceTransportTypeBluetooth
        case .fireWire: kAudioDeviceTransportTypeFireWire
        case .hdmi: kAudioDeviceTransportTypeHDMI
        case .virtual: kAudioDeviceTransportTypeVirtual
        }
    }
}
