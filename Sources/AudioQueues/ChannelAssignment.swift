/// Where a channel of a queue's format goes to.
package struct ChannelAssignment: Sendable, Equatable {
    package var deviceName: String
    /// Counted from 1.
    package var channelNumber: UInt32

    package init(deviceName: String, channelNumber: UInt32) {
        self.deviceName = deviceName
        self.channelNumber = channelNumber
    }
}
