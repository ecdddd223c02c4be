// SPDX-License-Identifier: MIT

import CAQAudioToolbox

struct SystemSubject: Sendable {
    var snapshot: HardwareSnapshot
    /// The string with which the caller qualified the property; nil if there is none.
    var qualifier: String?
}

/// The properties of the system object.
///
/// COMPAT: every scope has the same properties.
enum SystemProperties {
    static let all: [HardwareProperty<SystemSubject>] = [
        HardwareProperty(kAudioObjectPropertyBaseClass) { _, _ in .number(kAudioObjectClassID) },
        HardwareProperty(kAudioObjectPropertyClass) { _, _ in .number(kAudioSystemObjectClassID) },
        HardwareProperty(kAudioObjectPropertyOwner) { _, _ in .object(nil) },
        HardwareProperty(kAudioObjectPropertyOwnedObjects) { system, _ in system.devices },
        HardwareProperty(kAudioHardwarePropertyDevices) { system, _ in system.devices },
        HardwareProperty(kAudioHardwarePropertyDefaultOutputDevice) { system, _ in
            system.defaultDevice(.output)
        },
        HardwareProperty(kAudioHardwarePropertyDefaultSystemOutputDevice) { system, _ in
            system.defaultDevice(.output)
        },
        HardwareProperty(kAudioHardwarePropertyDefaultInputDevice) { system, _ in
            system.defaultDevice(.input)
        },
        HardwareProperty(kAudioHardwarePropertyTranslateUIDToDevice) { system, _ in
            // COMPAT: a name without a device is not an error.
            .object(system.device(system.qualifier))
        },
        // `translateDeviceUID` answers in the property's data.
        HardwareProperty(kAudioHardwarePropertyDeviceForUID) { _, _ in nil },
        // Listeners are called on a thread of the library, which NULL means.
        HardwareProperty(kAudioHardwarePropertyRunLoop, isSettable: true) { _, _ in .null },
    ]
}

extension SystemSubject {
    fileprivate var devices: HardwareValue { .objects(snapshot.devices.map { .device(uid: $0.uid) }) }

    fileprivate func defaultDevice(_ direction: HardwareDirection) -> HardwareValue {
        .object(snapshot.defaultDevice(direction).map { .device(uid: $0.uid) })
    }

    func device(_ uid: String?) -> HardwareObject? {
        uid.flatMap { snapshot.device($0) }.map { .device(uid: $0.uid) }
    }
}
