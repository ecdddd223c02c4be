import AudioDevices
import AudioQueues

/// Where the queues of this process find their devices: a sound server, or what a test puts in its place.
///
/// A device's UID is the name that the server lists it under.
struct QueueDevices: Sendable {
    /// Makes the device of a name; nil follows the server's default.
    var output: @Sendable (_ name: String?) throws(DeviceError) -> any OutputDevice
    var input: @Sendable (_ name: String?) throws(DeviceError) -> any InputDevice
    /// Lists what there is; waits for the server.
    var listOutputs: @Sendable () throws(DeviceError) -> [DeviceInfo]
    var listInputs: @Sendable () throws(DeviceError) -> [DeviceInfo]

    /// The user's sound server.
    static let server = QueueDevices(
        output: { (name: String?) throws(DeviceError) -> any OutputDevice in try PulseDevice(sink: name) },
        input: { (name: String?) throws(DeviceError) -> any InputDevice in try PulseSource(source: name) },
        listOutputs: { () throws(DeviceError) -> [DeviceInfo] in try PulseDevice.list() },
        listInputs: { () throws(DeviceError) -> [DeviceInfo] in try PulseSource.list() })

    private static let shared = Monitor(QueueDevices.server)

    static var current: QueueDevices { shared.withLock { $0 } }

    /// Puts other devices in place of the server's, for queues that are made from now on.
    static func replace(by devices: QueueDevices) { shared.withLock { $0 = devices } }
}

extension AudioQueueObject {
    /// What a device is called and what it is like.
    struct DeviceFacts {
        var name: String
        var sampleRate: Double
        var channels: Int
    }

    /// The device of this queue: as the server told when it granted the stream, or else as it lists it.
    ///
    /// Waits for the server if the stream is not connected yet.
    ///
    /// - Throws: ``QueueError/Code/invalidDevice`` when there is none.
    func deviceFacts() throws(QueueError) -> DeviceFacts {
        if let granted = engine.granted, granted.deviceSampleRate > 0 {
            return DeviceFacts(
                name: granted.deviceName, sampleRate: granted.deviceSampleRate,
                channels: granted.deviceChannels)
        }
        let name = settings.withLock { $0.deviceName }
        let devices = try listedDevices()
        guard let listed = devices.first(where: { name == nil ? $0.isDefault : $0.name == name }) else {
            throw QueueError(.invalidDevice, "cannot find device '\(name ?? "default")'")
        }
        return DeviceFacts(name: listed.name, sampleRate: listed.sampleRate, channels: listed.channels)
    }

    /// Makes the queue use another device; nil follows the server's default.
    ///
    /// - Throws: ``QueueError/Code/invalidDevice`` for one that is not listed, and what the queue says.
    func setDevice(named name: String?) throws(QueueError) {
        guard name != settings.withLock({ $0.deviceName }) else { return }
        if let name {
            let devices = try listedDevices()
            guard devices.contains(where: { $0.name == name }) else {
                throw QueueError(.invalidDevice, "cannot use device '\(name)': there is none of this name")
            }
        }
        switch direction {
        case .output(let queue): try queue.setDevice(QueueDevices.makeOutput(named: name))
        case .input(let queue): try queue.setDevice(QueueDevices.makeInput(named: name))
        }
        settings.withLock { $0.deviceName = name }
    }

    /// Makes the queue use the device whose channels it is to use, if it uses another or nobody knows yet which.
    ///
    /// - Throws: As ``setDevice(named:)``. Devices that contradict each other are for the queue to complain of.
    func useDevice(of assignments: [ChannelAssignment]) throws(QueueError) {
        guard let name = assignments.first?.deviceName, assignments.allSatisfy({ $0.deviceName == name }),
            engine.granted?.deviceName != name
        else { return }
        try setDevice(named: name)
    }

    private func listedDevices() throws(QueueError) -> [DeviceInfo] {
        let devices = QueueDevices.current
        do throws(DeviceError) {
            switch direction {
            case .output: return try devices.listOutputs()
            case .input: return try devices.listInputs()
            }
        } catch {
            throw QueueError(.invalidDevice, error.message)
        }
    }
}

extension QueueDevices {
    /// Makes an output device, whose error is a queue's then.
    static func makeOutput(named name: String?) throws(QueueError) -> any OutputDevice {
        do throws(DeviceError) { return try current.output(name) } catch {
            throw QueueError(.invalidDevice, error.message)
        }
    }

    /// Makes an input device, whose error is a queue's then.
    static func makeInput(named name: String?) throws(QueueError) -> any InputDevice {
        do throws(DeviceError) { return try current.input(name) } catch {
            throw QueueError(.invalidDevice, error.message)
        }
    }
}
