/// A device that a user may choose, as listed without opening it.
public struct DeviceInfo: Sendable, Equatable {
    /// The stable name, by which it is chosen.
    public var name: String
    /// What a person calls it.
    public var description: String
    /// The device's own sample rate in hertz and channel count.
    public var sampleRate: Double
    public var channels: Int
    /// Whether streams that name no device play, or record, here.
    public var isDefault: Bool
    /// Whether this captures what an output device plays.
    public var isMonitor: Bool
    /// What else is known of it; nil of a device that no server lists.
    public var facts: DeviceFacts?

    public init(
        name: String, description: String, sampleRate: Double, channels: Int, isDefault: Bool,
        isMonitor: Bool = false, facts: DeviceFacts? = nil
    ) {
        self.name = name
        self.description = description
        self.sampleRate = sampleRate
        self.channels = channels
        self.isDefault = isDefault
        self.isMonitor = isMonitor
        self.facts = facts
    }
}
