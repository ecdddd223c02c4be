// SPDX-License-Identifier: MIT

import AQExpectations
import CAQAudioToolbox
import Testing

/// The older names act like the newer ones: here, without a server.
@Suite("Functions of AudioHardwareService.h") struct AudioHardwareServiceTests {
    private let unknownObject: AudioObjectID = 31
    private let volume = AudioObjectPropertyAddress(
        mSelector: kAudioHardwareServiceDeviceProperty_VirtualMainVolume,
        mScope: kAudioObjectPropertyScopeOutput, mElement: kAudioObjectPropertyElementMain)

    @Test("return the same result for an unknown object as the newer functions") func badObject() {
        var address = volume
        var (size, value, isSettable): (UInt32, Float, Bool) = (4, 0, false)
        let bad = kAudioHardwareBadObjectError
        let listener: AudioObjectPropertyListenerProc = { _, _, _, _ in 0 }
        unsafe expectEqual(AudioHardwareServiceHasProperty(unknownObject, &address), false)
        unsafe expectEqual(AudioHardwareServiceIsPropertySettable(unknownObject, &address, &isSettable), bad)
        unsafe expectEqual(
            AudioHardwareServiceGetPropertyDataSize(unknownObject, &address, 0, nil, &size), bad)
        unsafe expectEqual(
            AudioHardwareServiceGetPropertyData(unknownObject, &address, 0, nil, &size, &value), bad)
        unsafe expectEqual(
            AudioHardwareServiceSetPropertyData(unknownObject, &address, 0, nil, 4, &value), bad)
        unsafe expectEqual(
            AudioHardwareServiceAddPropertyListener(unknownObject, &address, listener, nil), bad)
        unsafe expectEqual(
            AudioHardwareServiceRemovePropertyListener(unknownObject, &address, listener, nil), bad)
        expectEqual(size, 4)
    }

    @Test("the older names of properties are the same properties") func names() {
        expectEqual(
            kAudioHardwareServiceDeviceProperty_VirtualMasterVolume,
            kAudioHardwareServiceDeviceProperty_VirtualMainVolume)
        expectEqual(
            kAudioHardwareServiceDeviceProperty_VirtualMasterBalance,
            kAudioHardwareServiceDeviceProperty_VirtualMainBalance)
    }
}
