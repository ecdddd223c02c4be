import AudioDevices

/// All devices of the server at one moment.
struct HardwareSnapshot: Sendable, Equatable {
    /// Outputs first, then inputs, each in the server's order; monitors of outputs come last, since a program
    /// that takes the first input device expects a microphone.
    private(set) var devices: [HardwareDevice] = []

    /// No devices, for example if no server answers.
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

    func device(_ uid: String) -> HardwareDevice? { devices.first { $0.uid == uid } }

    /// The device of streams that name none; nil if there is no device of the direction.
    func defaultDevice(_ direction: HardwareDirection) -> HardwareDevice? {
        devices.first { $0.endpoint(direction)?.isDefault == true }
    }
}
