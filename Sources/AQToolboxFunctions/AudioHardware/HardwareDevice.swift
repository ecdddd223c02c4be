// SPDX-License-Identifier: MIT

import AQDevices
import AQUnits
import CAQAudioToolbox

/// One direction of a device: a sink, or a source.
struct HardwareEndpoint: Sendable, Equatable {
    var name: String
    var sampleRate: Double
    var channels: Int
    /// Whether this is the default of its direction, which streams without a named device use.
    var isDefault: Bool
    /// Whether this is a monitor, which captures the audio of an output device.
    var isMonitor: Bool

    // Nil if the server does not report the field: the device then lacks the property.

    /// The manufacturer; empty if the server does not know it.
    var manufacturer: String?
    /// The transport type: a `kAudioDeviceTransportType…` constant.
    var transport: UInt32?
    var isMuted: Bool?
    var isRunningHere: Bool?
    var isRunningSomewhere: Bool?
    /// The volume of each channel, of which 1 is full volume; empty if the server does not report it.
    var channelVolumes: [Double] = []

    init(_ info: DeviceInfo) {
        name = info.description
        sampleRate = info.sampleRate
        channels = info.channels
        isDefault = info.isDefault
        isMonitor = info.isMonitor
        if let facts = info.facts {
            manufacturer = facts.manufacturer
            transport = facts.connection.transport
            channelVolumes = facts.channelVolumes
            isMuted = facts.channelVolumes.isEmpty ? nil : facts.isMuted
            isRunningHere = facts.isUsedHere
            isRunningSomewhere = facts.isRunning
        }
        if info.isMonitor { transport = kAudioDeviceTransportTypeVirtual }
    }
}

/// A device of the hardware API: the sink and the source of one name.
///
/// Sinks and sources have different names on PulseAudio's server. On PipeWire's server a sink and a source may
/// have the same name: they are then the two directions of one device, as on Apple's systems.
struct HardwareDevice: Sendable, Equatable {
    /// The server's name, which a queue takes as `kAudioQueueProperty_CurrentDevice`.
    let uid: String
    var output: HardwareEndpoint?
    var input: HardwareEndpoint?

    // The state in this process: see ``DeviceUse``.

    /// The number of frames of a cycle.
    var bufferFrames = IOUnit.usualFrames
    /// Whether units or procedures run on the device.
    var hasUnits = false

    init(uid: String) { self.uid = uid }

    func endpoint(_ direction: HardwareDirection) -> HardwareEndpoint? {
        switch direction {
        case .output: output
        case .input: input
        }
    }

    /// The endpoints of a property's scope, output first.
    func endpoints(_ directions: [HardwareDirection]) -> [HardwareEndpoint] {
        directions.compactMap { endpoint($0) }
    }

    /// The endpoint whose properties are those of the whole device: that of the scope if there is one, or else the
    /// other one.
    ///
    /// COMPAT: programs read names and rates in any scope.
    func mainEndpoint(_ directions: [HardwareDirection]) -> HardwareEndpoint? {
        endpoints(directions).first ?? output ?? input
    }

    /// The sample rate of both directions, to which the server converts.
    var sampleRate: Double { (output ?? input)?.sampleRate ?? 0 }
}

extension DeviceFacts.Connection {
    /// The published transport type: a `kAudioDeviceTransportType…` constant.
    var transport: UInt32 {
        switch self {
        // There is no published value for devices of other machines.
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
