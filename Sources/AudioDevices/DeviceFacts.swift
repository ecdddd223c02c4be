/// What a server knows of a device beyond what streams need.
public struct DeviceFacts: Sendable, Equatable {
    /// How a device is connected to the machine.
    public enum Connection: UInt8, Sendable, CaseIterable {
        case unknown
        /// Part of the machine.
        case builtIn
        case pci, usb, bluetooth, fireWire, hdmi
        /// No hardware at all: a null sink, a filter, a monitor.
        case virtual
        /// At another machine.
        case network
    }

    /// Empty when the server does not know.
    public var manufacturer: String
    public var connection: Connection
    /// How much lies between the server and the air at present, in frames of the device; nil while it sleeps.
    public var latencyFrames: Int?
    /// How much the device takes, or gives, at a time, likewise.
    public var bufferFrames: Int?
    /// Whether any stream runs there.
    public var isRunning: Bool
    /// Whether one of this process does.
    public var isUsedHere: Bool

    public init(
        manufacturer: String = "", connection: Connection = .unknown, latencyFrames: Int? = nil,
        bufferFrames: Int? = nil, isRunning: Bool = false, isUsedHere: Bool = false
    ) {
        self.manufacturer = manufacturer
        self.connection = connection
        self.latencyFrames = latencyFrames
        self.bufferFrames = bufferFrames
        self.isRunning = isRunning
        self.isUsedHere = isUsedHere
    }
}
