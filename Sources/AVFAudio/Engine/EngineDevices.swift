// SPDX-License-Identifier: MIT

import AudioToolbox

/// The devices that a client has chosen for the unit of an engine.
enum EngineDevices {
    /// Makes a new unit use the devices of an earlier one, unless those are the default ones, which a unit follows.
    static func copyChoices(from earlier: AudioUnit, to unit: AudioUnit) {
        let defaults = [
            defaultDevice(kAudioHardwarePropertyDefaultOutputDevice),
            defaultDevice(kAudioHardwarePropertyDefaultInputDevice),
        ]
        for element: AudioUnitElement in [0, 1] {
            var device = AudioDeviceID(kAudioObjectUnknown)
            var size = UInt32(MemoryLayout<AudioDeviceID>.size)
            guard
                unsafe AudioUnitGetProperty(
                    earlier, kAudioOutputUnitProperty_CurrentDevice, kAudioUnitScope_Global, element, &device,
                    &size) == noErr,
                device != kAudioObjectUnknown, !defaults.contains(device)
            else { continue }
            let status = unsafe AudioUnitSetProperty(
                unit, kAudioOutputUnitProperty_CurrentDevice, kAudioUnitScope_Global, element, &device, size)
            if status != noErr {
                MisuseNote.write("the engine does not keep its device: \(AVAudioFailure.text(status))")
            }
        }
    }

    private static func defaultDevice(_ property: AudioObjectPropertySelector) -> AudioDeviceID {
        var address = AudioObjectPropertyAddress(
            mSelector: property, mScope: kAudioObjectPropertyScopeGlobal,
            mElement: kAudioObjectPropertyElementMain)
        var device = AudioDeviceID(kAudioObjectUnknown)
        var size = UInt32(MemoryLayout<AudioDeviceID>.size)
        let status = unsafe AudioObjectGetPropertyData(
            AudioObjectID(kAudioObjectSystemObject), &address, 0, nil, &size, &device)
        return status == noErr ? device : AudioDeviceID(kAudioObjectUnknown)
    }
}
