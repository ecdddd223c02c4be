// SPDX-License-Identifier: MIT

import CAudioToolbox

struct StreamSubject: Sendable {
    var uid: String
    var endpoint: HardwareEndpoint
}

/// The properties of an existing stream: those of every object, and the name. All other properties are its device's.
enum StreamProperties {
    static let all: [HardwareProperty<StreamSubject>] = [
        HardwareProperty(kAudioObjectPropertyBaseClass) { _, _ in .number(kAudioObjectClassID) },
        HardwareProperty(kAudioObjectPropertyClass) { _, _ in .number(kAudioStreamClassID) },
        HardwareProperty(kAudioObjectPropertyOwner) { stream, _ in .object(.device(uid: stream.uid)) },
        HardwareProperty(kAudioObjectPropertyName) { stream, _ in .text(stream.endpoint.name) },
        HardwareProperty(kAudioObjectPropertyOwnedObjects) { _, _ in .objects([]) },
    ]
}
