// SPDX-License-Identifier: MIT

import AQExpectations
import Testing

@testable import AQDevices

/// The purpose of a device's port, from a server's numbers and properties.
@Suite("Ports of a server's devices") struct PulseDevicePortTests {
    private typealias Port = DeviceFacts.Port

    // The numbers are those of pa_device_port_type.
    @Test(
        "the type of the active port counts",
        arguments: [
            (2, .speaker), (3, .headphones), (4, .line), (5, .microphone), (6, .headset), (7, .receiver),
            (8, .receiver), (9, .digital), (10, .hdmi), (17, .handsFree),
        ] as [(UInt32, DeviceFacts.Port)])
    func types(type: UInt32, port: DeviceFacts.Port) {
        expectEqual(Port(portType: type, formFactor: "tv"), port)
    }

    @Test(
        "otherwise the form of the device counts",
        arguments: [
            ("headphone", .headphones), ("headset", .headset), ("hands-free", .handsFree),
            ("internal", .speaker), ("handset", .receiver), ("webcam", .microphone), ("tv", .hdmi),
            ("", .unknown), ("toaster", .unknown),
        ] as [(String, DeviceFacts.Port)])
    func forms(form: String, port: DeviceFacts.Port) {
        expectEqual(Port(portType: 0, formFactor: form), port)
        expectEqual(Port(portType: 999, formFactor: form), port)
    }

    @Test("a Bluetooth device in a call is for calls, whatever its form")
    func bluetooth() {
        expectEqual(
            Port(portType: 6, formFactor: "headset", bluetoothProfile: "headset_head_unit"), .handsFree)
        expectEqual(Port(portType: 15, formFactor: "headphone", bluetoothProfile: "a2dp_sink"), .headphones)
    }
}
