// SPDX-License-Identifier: MIT

/// A device that a user can select, listed without opening it.
public struct DeviceInfo: Sendable, Equatable {
    /// The stable name that selects the device.
    public var name: String
    /// The name shown to a user.
    public var description: String
    /// The device's own sample rate, in hertz.
    public var sampleRate: Double
    /// The device's own number of channels.
    public var channels: Int
    /// Whether streams without a device name use this device, as known when the devices were listed.
    public var isDefault: Bool
    /// Whether the device captures the audio that an output device plays.
    public var isMonitor: Bool
    /// The details; nil for a device that is not on a server.
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
