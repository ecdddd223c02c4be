// SPDX-License-Identifier: MIT

/// The device channel for a channel of a queue's format.
package struct ChannelAssignment: Sendable, Equatable {
    package var deviceName: String
    /// The number of the device's channel, counted from 1.
    package var channelNumber: UInt32

    package init(deviceName: String, channelNumber: UInt32) {
        self.deviceName = deviceName
        self.channelNumber = channelNumber
    }
}
