// SPDX-License-Identifier: MIT

import AQDevices
import Testing

@Suite("Changes of a device's volume") struct DeviceControlTests {
    @Test("keep the ratios of the channels") func volume() {
        #expect(DeviceControl.volume(1).volumes(changing: [0.5, 0.25]) == [1, 0.5])
        #expect(DeviceControl.volume(0.5).volumes(changing: [0, 0]) == [0.5, 0.5])
        #expect(DeviceControl.volume(2).volumes(changing: [1.5]) == [1])
        #expect(DeviceControl.volume(.nan).volumes(changing: [1, 1]) == [0, 0])
        #expect(DeviceControl.volume(1).volumes(changing: []) == nil)
    }

    @Test("concern one channel, if it exists") func channel() {
        #expect(
            DeviceControl.channelVolume(channel: 1, 0.75).volumes(changing: [0.5, 0.25]) == [0.5, 0.75])
        for channel in [-1, 2, .max] {
            #expect(DeviceControl.channelVolume(channel: channel, 1).volumes(changing: [1, 1]) == nil)
        }
    }

    @Test("of the balance keep the louder channel's volume", arguments: [0, 0.25, 0.5, 0.75, 1])
    func balance(value: Double) throws {
        let volumes = try #require(DeviceControl.balance(value).volumes(changing: [0.3, 0.8]))
        #expect(volumes.max() == 0.8)
        #expect(DeviceControl.balance(of: volumes) == value)
        #expect(DeviceControl.balance(value).volumes(changing: [1]) == nil)
        #expect(DeviceControl.balance(of: [1, 1, 1]) == nil)
    }
}
