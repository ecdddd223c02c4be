// SPDX-License-Identifier: MIT

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
        #expect(unsafe AudioHardwareServiceHasProperty(unknownObject, &address) == false)
        #expect(unsafe AudioHardwareServiceIsPropertySettable(unknownObject, &address, &isSettable) == bad)
        #expect(unsafe AudioHardwareServiceGetPropertyDataSize(unknownObject, &address, 0, nil, &size) == bad)
        #expect(
            unsafe AudioHardwareServiceGetPropertyData(unknownObject, &address, 0, nil, &size, &value) == bad)
        #expect(unsafe AudioHardwareServiceSetPropertyData(unknownObject, &address, 0, nil, 4, &value) == bad)
        #expect(unsafe AudioHardwareServiceAddPropertyListener(unknownObject, &address, listener, nil) == bad)
        #expect(
            unsafe AudioHardwareServiceRemovePropertyListener(unknownObject, &address, listener, nil) == bad)
        #expect(size == 4)
    }

    @Test("the older names of properties are the same properties") func names() {
        #expect(
            kAudioHardwareServiceDeviceProperty_VirtualMasterVolume
                == kAudioHardwareServiceDeviceProperty_VirtualMainVolume)
        #expect(
            kAudioHardwareServiceDeviceProperty_VirtualMasterBalance
                == kAudioHardwareServiceDeviceProperty_VirtualMainBalance)
    }
}
