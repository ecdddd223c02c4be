// SPDX-License-Identifier: MIT

import AQDevices
import CAQAudioToolbox

extension DeviceProperties {
    /// The volume and the switch that the server has for the sink or the source of the scope; in the global scope for
    /// the sink, if there is one.
    ///
    /// Element 0 is the loudest channel, and elements from 1 are the channels. A device that amplifies has full volume.
    static let volume: [HardwareProperty<HardwareDevice>] = [
        HardwareProperty(kAudioDevicePropertyVolumeScalar, isSettable: true, ofChannels: true) {
            device, address in
            device.volume(at: address).map { .single(Float32($0)) }
        },
        HardwareProperty(kAudioDevicePropertyVolumeDecibels, isSettable: true, ofChannels: true) {
            device, address in
            device.volume(at: address).map { .single(Float32(VolumeScale.decibels(of: $0))) }
        },
        HardwareProperty(kAudioDevicePropertyMute, isSettable: true) { device, address in
            device.controlled(at: address)?.isMuted.map { .number($0 ? 1 : 0) }
        },
        HardwareProperty(kAudioHardwareServiceDeviceProperty_VirtualMainVolume, isSettable: true) {
            device, address in
            device.volume(at: address).map { .single(Float32($0)) }
        },
        HardwareProperty(kAudioHardwareServiceDeviceProperty_VirtualMainBalance, isSettable: true) {
            device, address in
            device.controlled(at: address).flatMap { DeviceControl.balance(of: $0.channelVolumes) }
                .map { .single(Float32($0)) }
        },
    ]
}

extension HardwareDevice {
    /// The endpoint whose volume belongs to the scope of an address.
    fileprivate func controlled(at address: AudioObjectPropertyAddress) -> HardwareEndpoint? {
        endpoints(address.directions).first
    }

    /// The volume of the element of an address, at most 1; nil if there is none.
    fileprivate func volume(at address: AudioObjectPropertyAddress) -> Double? {
        guard let volumes = controlled(at: address)?.channelVolumes else { return nil }
        let element = Int(address.mElement)
        if element == kAudioObjectPropertyElementMain { return volumes.max().map { min($0, 1) } }
        return volumes.indices.contains(element - 1) ? min(volumes[element - 1], 1) : nil
    }
}
