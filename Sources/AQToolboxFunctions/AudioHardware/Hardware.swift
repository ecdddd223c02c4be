// SPDX-License-Identifier: MIT

import AQDevices
import CAQAudioToolbox

/// The objects of the hardware API, and their properties.
///
/// Every read queries the server again: programs read rarely, and an earlier value may be outdated. May be
/// used from any thread except that of the server's connection, which never calls clients.
final class Hardware: Sendable {
    /// The instance that the C functions use.
    static let shared = Hardware(source: PulseHardware())

    let objects = HardwareObjectTable()
    let listeners: HardwareListeners
    let use = DeviceUse()
    private let source: any HardwareSource

    init(source: any HardwareSource) {
        self.source = source
        listeners = HardwareListeners(source: source)
    }

    func snapshot() throws(StatusError) -> HardwareSnapshot {
        do throws(DeviceError) {
            var snapshot = try source.snapshot()
            use.complete(&snapshot)
            return snapshot
        } catch { throw StatusError(error) }
    }

    /// Changes the volume of a device in the server.
    func control(
        _ change: DeviceControl, of uid: String, _ direction: HardwareDirection
    ) throws(StatusError) {
        do throws(DeviceError) { try source.control(change, of: uid, direction) } catch {
            throw StatusError(error)
        }
    }

    /// Informs listeners of a change that the server does not report, soon.
    func report(_ selector: AudioObjectPropertySelector, of object: HardwareObject) {
        listeners.report(HardwareChange(object, selector))
    }

    func object(numbered number: AudioObjectID) throws(StatusError) -> HardwareObject {
        guard let object = objects.object(numbered: number) else {
            throw StatusError(kAudioHardwareBadObjectError)
        }
        return object
    }

    /// The value of a property.
    ///
    /// - Parameter qualifier: The string that qualifies the property; nil if there is none.
    func value(
        of address: AudioObjectPropertyAddress, of object: HardwareObject, qualifier: String? = nil
    ) throws(StatusError) -> HardwareValue {
        switch object {
        case .system:
            guard let property = HardwareProperty.named(by: address, in: SystemProperties.all) else {
                throw StatusError(kAudioHardwareUnknownPropertyError)
            }
            let subject = SystemSubject(snapshot: try snapshot(), qualifier: qualifier)
            guard let value = property.read(subject, address) else {
                throw StatusError(kAudioHardwareIllegalOperationError)
            }
            return value
        case .device(let uid):
            guard let property = HardwareProperty.named(by: address, in: DeviceProperties.all) else {
                throw StatusError(kAudioHardwareUnknownPropertyError)
            }
            guard let device = try snapshot().device(uid) else {
                return try valueOfMissingDevice(uid, property.selector)
            }
            guard let value = property.read(device, address) else {
                throw StatusError(kAudioHardwareUnknownPropertyError)
            }
            return value
        case .stream(let uid, let direction):
            guard let property = HardwareProperty.named(by: address, in: StreamProperties.all) else {
                throw StatusError(kAudioHardwareUnknownPropertyError)
            }
            guard let found = try snapshot().device(uid), let endpoint = found.endpoint(direction) else {
                throw StatusError(kAudioHardwareBadObjectError)
            }
            let subject = StreamSubject(uid: uid, endpoint: endpoint, sampleRate: found.sampleRate)
            guard let value = property.read(subject, address) else {
                throw StatusError(kAudioHardwareUnknownPropertyError)
            }
            return value
        }
    }

    /// The value of a property of a device that has disappeared: only its UID, and that it is not alive.
    private func valueOfMissingDevice(
        _ uid: String, _ selector: AudioObjectPropertySelector
    ) throws(StatusError) -> HardwareValue {
        switch selector {
        case kAudioDevicePropertyDeviceIsAlive: return .number(0)
        case kAudioDevicePropertyDeviceUID: return .text(uid)
        default: throw StatusError(kAudioHardwareBadObjectError)
        }
    }

    func isSettable(
        _ address: AudioObjectPropertyAddress, of object: HardwareObject
    ) throws(StatusError) -> Bool {
        let isSettable: Bool? =
            switch object {
            case .system: HardwareProperty.named(by: address, in: SystemProperties.all)?.isSettable
            case .device: HardwareProperty.named(by: address, in: DeviceProperties.all)?.isSettable
            case .stream: HardwareProperty.named(by: address, in: StreamProperties.all)?.isSettable
            }
        guard let isSettable else { throw StatusError(kAudioHardwareUnknownPropertyError) }
        return isSettable
    }

    /// Returns whether an object has a property; false also for an object that has disappeared.
    func hasProperty(_ address: AudioObjectPropertyAddress, of object: HardwareObject) -> Bool {
        // The system object has all of its properties, although some have a value only for a caller's data.
        if object == .system { return HardwareProperty.named(by: address, in: SystemProperties.all) != nil }
        do throws(StatusError) {
            _ = try value(of: address, of: object)
            return true
        } catch { return false }
    }
}
