// SPDX-License-Identifier: MIT

/// Details of a device that streams do not need.
public struct DeviceFacts: Sendable, Equatable {
    /// A device's connection to the machine.
    public enum Connection: UInt8, Sendable, CaseIterable {
        case unknown
        /// Built into the machine.
        case builtIn
        case pci, usb, bluetooth, fireWire, hdmi
        /// No hardware: a null sink, a filter or a monitor.
        case virtual
        /// A device of another machine.
        case network
    }

    /// The purpose of the device's active port.
    public enum Port: UInt8, Sendable, CaseIterable {
        case unknown
        case speaker
        /// The speaker of a telephone's handset.
        case receiver
        case headphones
        /// Headphones with a microphone, or this microphone.
        case headset
        /// A device for telephone calls, such as a hands-free set, or a headset in a call.
        case handsFree
        case line, microphone, hdmi
        /// S/PDIF.
        case digital
    }

    /// The manufacturer; empty if the server does not report it.
    public var manufacturer: String
    public var connection: Connection
    /// The server's driver, such as "module-alsa-card.c"; empty if the server does not report it.
    public var driver: String
    /// The current latency between the server and the speaker or microphone, in device frames; nil while the device is
    /// suspended, for a monitor, and if the server reports none.
    public var latencyFrames: Int?
    /// The device's buffer size, in device frames; nil while the device is suspended, and if the server reports none.
    public var bufferFrames: Int?
    /// Whether any stream uses the device.
    public var isRunning: Bool
    /// Whether a stream of this process uses the device.
    public var isUsedHere: Bool
    /// The purpose of the active port, or else of the device.
    public var port: Port
    /// The user's volume: 0 if the device is muted, 1 for full volume, more if the device amplifies. On the scale of a
    /// volume control, not a linear gain. Nil if the server reports none.
    public var volume: Double?
    /// The volume of each channel on the same scale, whether the device is muted or not; empty if the server reports none.
    public var channelVolumes: [Double]
    public var isMuted: Bool

    public init(
        manufacturer: String = "", connection: Connection = .unknown, latencyFrames: Int? = nil,
        bufferFrames: Int? = nil, isRunning: Bool = false, isUsedHere: Bool = false, driver: String = "",
        port: Port = .unknown, volume: Double? = nil, channelVolumes: [Double] = [], isMuted: Bool = false
    ) {
        self.manufacturer = manufacturer
        self.connection = connection
        self.latencyFrames = latencyFrames
        self.bufferFrames = bufferFrames
        self.isRunning = isRunning
        self.isUsedHere = isUsedHere
        self.driver = driver
        self.port = port
        self.volume = volume
        self.channelVolumes = channelVolumes
        self.isMuted = isMuted
    }
}
