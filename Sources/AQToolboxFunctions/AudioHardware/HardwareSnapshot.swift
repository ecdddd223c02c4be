// SPDX-License-Identifier: MIT

import AQDevices

/// All devices of the server at one moment.
struct HardwareSnapshot: Sendable, Equatable {
    /// The devices: outputs, inputs, then monitors of outputs, each in the server's order. A program that takes
    /// the first input device expects a microphone, not a monitor.
    private(set) var devices: [HardwareDevice] = []

    /// Makes a snapshot without devices, for example if no server answers.
    init() {}

    init(sinks: [DeviceInfo], sources: [DeviceInfo]) {
        for sink in sinks { self[sink.name].output = HardwareEndpoint(sink) }
        for source in sources where !source.isMonitor { self[source.name].input = HardwareEndpoint(source) }
        for source in sources where source.isMonitor { self[source.name].input = HardwareEndpoint(source) }
    }

    /// The device of a name, added on first use.
    private subscript(uid: String) -> HardwareDevice {
        get { device(uid) ?? HardwareDevice(uid: uid) }
        set {
            if let index = devices.firstIndex(where: { $0.uid == uid }) {
                devices[index] = newValue
            } else {
                devices.append(newValue)
            }
        }
    }

    /// Changes each device.
    mutating func update(_ body: (inout HardwareDevice) -> Void) {
        for index in devices.indices { body(&devices[index]) }
    }

    func device(_ uid: String) -> HardwareDevice? { devices.first { $0.uid == uid } }

    /// The device of streams that name no device; nil if there is none in this direction.
    func defaultDevice(_ direction: HardwareDirection) -> HardwareDevice? {
        devices.first { $0.endpoint(direction)?.isDefault == true }
    }
}
