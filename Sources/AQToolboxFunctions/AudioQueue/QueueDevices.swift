// SPDX-License-Identifier: MIT

import AQDevices
import AudioQueues
import AQUnits

/// The source of this process's devices: a sound server, or a replacement in tests.
///
/// A device's UID is its name in the server's list.
struct QueueDevices: Sendable {
    /// The makers of a device by its name; nil follows the server's default.
    var output: @Sendable (_ name: String?) throws(DeviceError) -> any OutputDevice
    var input: @Sendable (_ name: String?) throws(DeviceError) -> any InputDevice
    /// The queries for all devices, which wait for the server.
    var listOutputs: @Sendable () throws(DeviceError) -> [DeviceInfo]
    var listInputs: @Sendable () throws(DeviceError) -> [DeviceInfo]
    /// The maker of echo-cancelled devices, by the names of the loudspeaker and the microphone.
    var voiceProcessor: @Sendable (_ sink: String?, _ source: String?) -> VoiceProcessor = {
        VoiceProcessor.server(sink: $0, source: $1)
    }

    /// The user's sound server.
    static let server = QueueDevices(
        output: { (name: String?) throws(DeviceError) -> any OutputDevice in try PulseDevice(sink: name) },
        input: { (name: String?) throws(DeviceError) -> any InputDevice in try PulseSource(source: name) },
        listOutputs: { () throws(DeviceError) -> [DeviceInfo] in try PulseDevice.list() },
        listInputs: { () throws(DeviceError) -> [DeviceInfo] in try PulseSource.list() })

    /// The devices of the objects that this task makes. An object keeps those it was made with.
    @TaskLocal static var current = QueueDevices.server
}

extension AudioQueueObject {
    struct DeviceFacts {
        var name: String
        var sampleRate: Double
        var channels: Int
    }

    /// The device of this queue, from the server's report on the stream, or else from the list of devices.
    ///
    /// Waits for the server if the stream is not connected.
    ///
    /// - Throws: ``QueueError/Code/invalidDevice`` if there is no device.
    func deviceFacts() throws(QueueError) -> DeviceFacts {
        if let granted = engine.granted, granted.deviceSampleRate > 0 {
            return DeviceFacts(
                name: granted.deviceName, sampleRate: granted.deviceSampleRate,
                channels: granted.deviceChannels)
        }
        let name = settings.withLock { $0.deviceName }
        let all = try listedDevices()
        guard let listed = all.first(where: { name == nil ? $0.isDefault : $0.name == name }) else {
            throw QueueError(.invalidDevice)
        }
        return DeviceFacts(name: listed.name, sampleRate: listed.sampleRate, channels: listed.channels)
    }

    /// Selects another device for the queue; nil follows the server's default.
    ///
    /// - Throws: ``QueueError/Code/invalidDevice`` for a device that is not listed, and the queue's errors.
    func setDevice(named name: String?) throws(QueueError) {
        guard name != settings.withLock({ $0.deviceName }) else { return }
        if let name {
            let listed = try listedDevices()
            guard listed.contains(where: { $0.name == name }) else { throw QueueError(.invalidDevice) }
        }
        switch direction {
        case .output(let queue): try queue.setDevice(devices.makeOutput(named: name))
        case .input(let queue): try queue.setDevice(devices.makeInput(named: name))
        }
        settings.withLock { $0.deviceName = name }
    }

    /// Selects the device of the assigned channels, if the queue uses another or an unknown device.
    ///
    /// - Throws: As ``setDevice(named:)``. Assignments to different devices are left to the queue to refuse.
    func useDevice(of assignments: [ChannelAssignment]) throws(QueueError) {
        guard let name = assignments.first?.deviceName, assignments.allSatisfy({ $0.deviceName == name }),
            engine.granted?.deviceName != name
        else { return }
        try setDevice(named: name)
    }

    private func listedDevices() throws(QueueError) -> [DeviceInfo] {
        do throws(DeviceError) {
            switch direction {
            case .output: return try devices.listOutputs()
            case .input: return try devices.listInputs()
            }
        } catch {
            throw QueueError(.invalidDevice)
        }
    }
}

extension QueueDevices {
    func makeOutput(named name: String?) throws(QueueError) -> any OutputDevice {
        do throws(DeviceError) { return try output(name) } catch {
            throw QueueError(.invalidDevice)
        }
    }

    func makeInput(named name: String?) throws(QueueError) -> any InputDevice {
        do throws(DeviceError) { return try input(name) } catch {
            throw QueueError(.invalidDevice)
        }
    }
}
