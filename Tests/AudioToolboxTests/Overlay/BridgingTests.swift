// SPDX-License-Identifier: MIT

import AudioToolbox
import Foundation
import Testing

/// Programs compile unchanged, and their arguments arrive.
@Suite("Objects of CoreFoundation in Swift") struct BridgingTests {
    @Test("a URL is converted, and the file that it names is opened") func url() {
        var file: AudioFileID?
        let missing = URL(fileURLWithPath: "/no/such/folder/file.caf")
        let status = unsafe AudioFileOpenURL(missing as CFURL, .readPermission, 0, &file)
        #expect(status == kAudioFileFileNotFoundError)
        #expect(unsafe file == nil)
    }

    @Test("a string is converted, and is the same after the conversion back") func string() {
        let string = "Gerät 1" as CFString
        #expect(string as String == "Gerät 1")
        let reference = unsafe Unmanaged<CFString>.passRetained(string)
        #expect(unsafe reference.takeRetainedValue() as String == "Gerät 1")
    }

    @Test("the modes of run loops have their names") func modes() {
        #expect(CFRunLoopMode.commonModes === kCFRunLoopCommonModes)
        #expect(CFRunLoopMode.defaultMode === kCFRunLoopDefaultMode)
        #expect(CFRunLoopMode.defaultMode.rawValue === kCFRunLoopDefaultMode)
    }

    @Test("a block that was not added cannot be removed") func listenerBlock() {
        var address = AudioObjectPropertyAddress(
            mSelector: kAudioHardwarePropertyDefaultOutputDevice, mScope: kAudioObjectPropertyScopeGlobal,
            mElement: kAudioObjectPropertyElementMain)
        let system = kAudioObjectSystemObject
        let other: AudioObjectPropertyListenerBlock = { _, _ in }
        #expect(
            unsafe AudioObjectRemovePropertyListenerBlock(system, &address, .main, other)
                == kAudioHardwareIllegalOperationError)
    }

    @Test("a channel is assigned to a device by Foundation's string") func channelAssignment() {
        let uid = "speakers" as CFString
        let assignment = unsafe AudioQueueChannelAssignment(
            mDeviceUID: Unmanaged<CFString>.passUnretained(uid), mChannelNumber: 2)
        unsafe #expect(assignment.mChannelNumber == 2)
        #expect(unsafe assignment.mDeviceUID.toOpaque() == Unmanaged.passUnretained(uid).toOpaque())
    }
}
