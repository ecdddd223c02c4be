import AudioDevices
import CAudioToolbox

/// The objects of the hardware API, and what they answer.
///
/// Every question is put to the server anew: programs ask rarely, and what was true a moment ago may not be now.
/// From any thread but that of the server's connection, which calls nobody who could ask.
final class Hardware: Sendable {
    /// The one that the C functions speak for.
    static let shared = Hardware(source: PulseHardware())

    let objects = HardwareObjectTable()
    let listeners: HardwareListeners
    private let source: any HardwareSource

    init(source: any HardwareSource) {
        self.source = source
        listeners = HardwareListeners(source: source)
    }

    func snapshot() throws(StatusError) -> HardwareSnapshot {
        do throws(DeviceError) { return try source.snapshot() } catch { throw StatusError(error) }
    }

    /// The object of a number.
    func object(numbered number: AudioObjectID) throws(StatusError) -> HardwareObject {
        guard let object = objects.object(numbered: number) else {
            throw StatusError(kAudioHardwareBadObjectError)
        }
        return object
    }

    /// The value of a property.
    ///
    /// - Parameter qualifier: The string that the property is qualified with, if it takes one.
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
            guard let endpoint = try snapshot().device(uid)?.endpoint(direction) else {
                throw StatusError(kAudioHardwareBadObjectError)
            }
            let subject = StreamSubject(uid: uid, endpoint: endpoint)
            guard let value = property.read(subject, address) else {
                throw StatusError(kAudioHardwareUnknownPropertyError)
            }
            return value
        }
    }

    /// What can still be said of a device that was there: that it is gone, and which it was.
    private func valueOfMissingDevice(
        _ uid: String, _ selector: AudioObjectPropertySelector
    ) throws(StatusError) -> HardwareValue {
        switch selector {
        case kAudioDevicePropertyDeviceIsAlive: return .number(0)
        case kAudioDevicePropertyDeviceUID: return .text(uid)
        default: throw StatusError(kAudioHardwareBadObjectError)
        }
    }

    /// Whether the property can be set to anything.
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

    /// Whether the object has the property. False, too, of an object that is gone.
    func hasProperty(_ address: AudioObjectPropertyAddress, of object: HardwareObject) -> Bool {
        // The system object has all of its properties always, and some have a value only for a caller's data.
        if object == .system { return HardwareProperty.named(by: address, in: SystemProperties.all) != nil }
        do throws(StatusError) {
            _ = try value(of: address, of: object)
            return true
        } catch { return false }
    }
}
