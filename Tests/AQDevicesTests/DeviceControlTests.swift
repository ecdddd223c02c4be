// SPDX-License-Identifier: MIT

import AQDevices
import AQExpectations
import Testing

@Suite("Changes of a device's volume") struct DeviceControlTests {
    @Test("keep the ratios of the channels") func volume() {
        expectEqual(DeviceControl.volume(1).volumes(changing: [0.5, 0.25]), [1, 0.5])
        expectEqual(DeviceControl.volume(0.5).volumes(changing: [0, 0]), [0.5, 0.5])
        expectEqual(DeviceControl.volume(2).volumes(changing: [1.5]), [1])
        expectEqual(DeviceControl.volume(.nan).volumes(changing: [1, 1]), [0, 0])
        expectEqual(DeviceControl.volume(1).volumes(changing: []), nil)
    }

    @Test("concern one channel, if it exists") func channel() {
        expectEqual(
            DeviceControl.channelVolume(channel: 1, 0.75).volumes(changing: [0.5, 0.25]), [0.5, 0.75])
        for channel in [-1, 2, .max] {
            expectEqual(DeviceControl.channelVolume(channel: channel, 1).volumes(changing: [1, 1]), nil)
        }
    }

    @Test("of the balance keep the louder channel's volume", arguments: [0, 0.25, 0.5, 0.75, 1])
    func balance(value: Double) throws {
        let volumes = try #require(DeviceControl.balance(value).volumes(changing: [0.3, 0.8]))
        expectEqual(volumes.max(), 0.8)
        expectEqual(DeviceControl.balance(of: volumes), value)
        expectEqual(DeviceControl.balance(value).volumes(changing: [1]), nil)
        expectEqual(DeviceControl.balance(of: [1, 1, 1]), nil)
    }
}
