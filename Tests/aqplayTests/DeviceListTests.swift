// SPDX-License-Identifier: MIT

import AQDevices
import AQDeviceListing
import AQExpectations
import Testing

@Suite("The list of devices")
struct DeviceListTests {
    @Test("is an array of objects as JSON")
    func json() {
        let device = DeviceInfo(
            name: "a", description: "A \"b\"", sampleRate: 48_000, channels: 2, isDefault: true,
            isMonitor: true)
        let virtual =
            #"{"name":"virtual","description":"none","sampleRate":null,"channels":null,"isDefault":false,"#
            + #""isMonitor":false}]"# + "\n"
        expectEqual(
            DeviceList([device], virtual: "none").json,
            #"[{"name":"a","description":"A \"b\"","sampleRate":48000,"channels":2,"isDefault":true,"#
                + #""isMonitor":true},"# + virtual)
        expectEqual(DeviceList([], virtual: "none").json, "[" + virtual)
        expectEqual(DeviceList([], virtual: nil).json, "[]\n")
    }
}
