// SPDX-License-Identifier: MIT

import AQUnits
import CAQAudioToolbox

/// The properties of an existing device.
///
/// Names and rates belong to the device: if it has no endpoint in the requested scope, its other endpoint
/// states them. Streams and channels belong to the scope.
enum DeviceProperties {
    static let all: [HardwareProperty<HardwareDevice>] =
        identity + streams + clock + cycles + volume + state + events

    private static let identity: [HardwareProperty<HardwareDevice>] = [
        HardwareProperty(kAudioObjectPropertyBaseClass) { _, _ in .number(kAudioObjectClassID) },
        HardwareProperty(kAudioObjectPropertyClass) { _, _ in .number(kAudioDeviceClassID) },
        HardwareProperty(kAudioObjectPropertyOwner) { _, _ in .object(.system) },
        HardwareProperty(kAudioObjectPropertyName) { device, address in
            device.mainEndpoint(address.directions).map { .text($0.name) }
        },
        HardwareProperty(kAudioObjectPropertyManufacturer) { device, address in
            // COMPAT: programs print the manufacturer without checking the result, so an unknown one is empty.
            .text(device.mainEndpoint(address.directions)?.manufacturer ?? "")
        },
        HardwareProperty(kAudioDevicePropertyDeviceUID) { device, _ in .text(device.uid) },
        HardwareProperty(kAudioDevicePropertyTransportType) { device, address in
            .number(device.mainEndpoint(address.directions)?.transport ?? kAudioDeviceTransportTypeUnknown)
        },
        HardwareProperty(kAudioDevicePropertyIsHidden) { _, _ in .number(0) },
    ]

    private static let streams: [HardwareProperty<HardwareDevice>] = [
        HardwareProperty(kAudioObjectPropertyOwnedObjects) { device, address in device.streams(address) },
        HardwareProperty(kAudioDevicePropertyStreams) { device, address in device.streams(address) },
        HardwareProperty(kAudioDevicePropertyStreamConfiguration) { device, address in
            // One interleaved stream for each direction; in the global scope that of the output, or else of the
            // input.
            .bufferList(channels: device.endpoints(address.directions).prefix(1).map(\.channels))
        },
        // The server converts other formats, so the format can only be set to itself.
        HardwareProperty(kAudioDevicePropertyStreamFormat, isSettable: true, ofChannels: true) {
            device, address in
            device.format(at: address)
        },
        // The nearest format is this one, whatever format the program has passed.
        HardwareProperty(kAudioDevicePropertyStreamFormatMatch, ofChannels: true) { device, address in
            device.format(at: address)
        },
        HardwareProperty(kAudioDevicePropertyPreferredChannelsForStereo) { device, address in
            device.mainEndpoint(address.directions).map { .numbers([1, $0.channels > 1 ? 2 : 1]) }
        },
    ]

    private static let clock: [HardwareProperty<HardwareDevice>] = [
        // The server's devices keep their rate, and streams of other rates are converted: the rate can only
        // be set to itself.
        HardwareProperty(kAudioDevicePropertyNominalSampleRate, isSettable: true) { device, address in
            device.mainEndpoint(address.directions).map { .real($0.sampleRate) }
        },
        HardwareProperty(kAudioDevicePropertyAvailableNominalSampleRates) { device, address in
            device.mainEndpoint(address.directions).map { .singleValueRanges([$0.sampleRate]) }
        },
        // COMPAT: programs add the latency to the host times of callbacks, which include it here.
        HardwareProperty(kAudioDevicePropertyLatency) { _, _ in .number(0) },
        // Programs do not write into the device's own buffer here, so no distance from its read position is
        // needed.
        HardwareProperty(kAudioDevicePropertySafetyOffset) { _, _ in .number(0) },
    ]

    /// The cycles of procedures and units, which are this process's own.
    private static let cycles: [HardwareProperty<HardwareDevice>] = [
        HardwareProperty(kAudioDevicePropertyBufferFrameSize, isSettable: true) { device, _ in
            .number(UInt32(clamping: device.bufferFrames))
        },
        HardwareProperty(kAudioDevicePropertyBufferFrameSizeRange) { _, _ in
            .range(
                Float64(IOUnit.bufferFramesRange.lowerBound), Float64(IOUnit.bufferFramesRange.upperBound))
        },
        HardwareProperty(kAudioDevicePropertyBufferSize, isSettable: true) { device, address in
            device.endpoints(address.directions).first.map {
                .number(UInt32(clamping: device.bufferFrames * $0.channels * MemoryLayout<Float32>.size))
            }
        },
    ]

    private static let state: [HardwareProperty<HardwareDevice>] = [
        HardwareProperty(kAudioDevicePropertyDeviceIsAlive) { _, _ in .number(1) },
        // Process number -1: no process uses a device exclusively.
        HardwareProperty(kAudioDevicePropertyHogMode) { _, _ in .number(.max) },
        HardwareProperty(kAudioDevicePropertyDeviceIsRunning) { device, _ in
            device.hasUnits ? .number(1) : device.isRunning(\.isRunningHere).map { .number($0 ? 1 : 0) }
        },
        HardwareProperty(kAudioDevicePropertyDeviceIsRunningSomewhere) { device, _ in
            device.isRunning(\.isRunningSomewhere).map { .number($0 ? 1 : 0) }
        },
        HardwareProperty(kAudioDevicePropertyDeviceCanBeDefaultDevice) { device, address in
            .number(device.endpoints(address.directions).isEmpty ? 0 : 1)
        },
    ]

    /// The properties for listeners, whose values have no meaning.
    private static let events: [HardwareProperty<HardwareDevice>] = [
        HardwareProperty(kAudioDevicePropertyDeviceHasChanged) { _, _ in .number(0) },
        HardwareProperty(kAudioDeviceProcessorOverload) { _, _ in .number(0) },
    ]
}

extension HardwareDevice {
    fileprivate func streams(_ address: AudioObjectPropertyAddress) -> HardwareValue {
        .objects(address.directions.filter { endpoint($0) != nil }.map { .stream(uid: uid, $0) })
    }

    /// The format of the stream of the scope, which all of its channels share.
    fileprivate func format(at address: AudioObjectPropertyAddress) -> HardwareValue? {
        guard let direction = address.directions.first(where: { endpoint($0) != nil }),
            let endpoint = endpoint(direction), Int(address.mElement) <= endpoint.channels
        else { return nil }
        return format(direction)
    }
}
