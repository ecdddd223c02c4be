/// The device channel for a channel of a queue's format.
package struct ChannelAssignment: Sendable, Equatable {
    package var deviceName: String
    /// Counted from 1.
    package var channelNumber: UInt32

    package init(deviceName: String, channelNumber: UInt32) {
        self.deviceName = deviceName
        self.channelNumber = channelNumber
    }
}
