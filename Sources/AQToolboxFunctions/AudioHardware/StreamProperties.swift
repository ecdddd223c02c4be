// SPDX-License-Identifier: MIT

import CAQAudioToolbox

struct StreamSubject: Sendable {
    var uid: String
    var endpoint: HardwareEndpoint
    /// The rate of the device.
    var sampleRate: Double

    fileprivate var format: HardwareValue { .format(channels: endpoint.channels, sampleRate: sampleRate) }
}

/// The properties of an existing stream: those of every object, the name, and the formats. All other properties are its
/// device's.
enum StreamProperties {
    static let all: [HardwareProperty<StreamSubject>] = [
        HardwareProperty(kAudioObjectPropertyBaseClass) { _, _ in .number(kAudioObjectClassID) },
        HardwareProperty(kAudioObjectPropertyClass) { _, _ in .number(kAudioStreamClassID) },
        HardwareProperty(kAudioObjectPropertyOwner) { stream, _ in .object(.device(uid: stream.uid)) },
        HardwareProperty(kAudioObjectPropertyName) { stream, _ in .text(stream.endpoint.name) },
        HardwareProperty(kAudioObjectPropertyOwnedObjects) { _, _ in .objects([]) },
        // The server converts to the encoding of the hardware, so both formats can only be set to themselves.
        HardwareProperty(kAudioDevicePropertyStreamFormat, isSettable: true) { stream, _ in stream.format },
        HardwareProperty(kAudioStreamPropertyPhysicalFormat, isSettable: true) { stream, _ in stream.format },
        // Programs add this to host times, which include it.
        HardwareProperty(kAudioDevicePropertyLatency) { _, _ in .number(0) },
    ]
}
