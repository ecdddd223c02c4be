// SPDX-License-Identifier: MIT

import AQExpectations
import AudioToolbox
import Testing

/// The functions of AudioServices.h and AudioSession.h, with their original types.
extension SwiftFunctionTests {
    @Test("AudioServices.h has 11 functions of the published types") func audioServices() {
        let _: (CFURL, Out<SystemSoundID>) -> OSStatus = unsafe AudioServicesCreateSystemSoundID
        let _: (SystemSoundID) -> OSStatus = AudioServicesDisposeSystemSoundID
        let _: (SystemSoundID) -> Void = AudioServicesPlaySystemSound
        let _: (SystemSoundID) -> Void = AudioServicesPlayAlertSound
        let _: (SystemSoundID, (() -> Void)?) -> Void = AudioServicesPlaySystemSoundWithCompletion
        let _: (SystemSoundID, (() -> Void)?) -> Void = AudioServicesPlayAlertSoundWithCompletion
        let _:
            (
                SystemSoundID, CFRunLoop?, CFString?, AudioServicesSystemSoundCompletionProc,
                UnsafeMutableRawPointer?
            ) -> OSStatus = unsafe AudioServicesAddSystemSoundCompletion
        let _: (SystemSoundID) -> Void = AudioServicesRemoveSystemSoundCompletion
        let _:
            (
                AudioServicesPropertyID, UInt32, UnsafeRawPointer?, Out<UInt32>?, Out<DarwinBoolean>?
            ) -> OSStatus = unsafe AudioServicesGetPropertyInfo
        let _:
            (
                AudioServicesPropertyID, UInt32, UnsafeRawPointer?, Out<UInt32>, UnsafeMutableRawPointer?
            ) -> OSStatus = unsafe AudioServicesGetProperty
        let _: (AudioServicesPropertyID, UInt32, UnsafeRawPointer?, UInt32, UnsafeRawPointer) -> OSStatus =
            unsafe AudioServicesSetProperty
    }

    @Test("AudioSession.h has 9 functions of the published types") func audioSession() {
        let _:
            (CFRunLoop?, CFString?, AudioSessionInterruptionListener?, UnsafeMutableRawPointer?) -> OSStatus =
                unsafe AudioSessionInitialize
        let _: (Bool) -> OSStatus = AudioSessionSetActive
        let _: (Bool, UInt32) -> OSStatus = AudioSessionSetActiveWithFlags
        let _: (AudioSessionPropertyID, Out<UInt32>, UnsafeMutableRawPointer) -> OSStatus =
            unsafe AudioSessionGetProperty
        let _: (AudioSessionPropertyID, Out<UInt32>) -> OSStatus = unsafe AudioSessionGetPropertySize
        let _: (AudioSessionPropertyID, UInt32, UnsafeRawPointer) -> OSStatus =
            unsafe AudioSessionSetProperty
        let _: (AudioSessionPropertyID, AudioSessionPropertyListener, UnsafeMutableRawPointer?) -> OSStatus =
            unsafe AudioSessionAddPropertyListener
        let _: (AudioSessionPropertyID) -> OSStatus = AudioSessionRemovePropertyListener
        let _: (AudioSessionPropertyID, AudioSessionPropertyListener, UnsafeMutableRawPointer?) -> OSStatus =
            unsafe AudioSessionRemovePropertyListenerWithUserData
    }

    @Test("sounds and sessions are written as on Apple's systems") func servicesAsWritten() {
        var number: SystemSoundID = 0
        let url = URL(fileURLWithPath: "/missing.wav")
        let created = unsafe AudioServicesCreateSystemSoundID(url as CFURL, &number)
        expectEqual(created, kAudioServicesSystemSoundUnspecifiedError)
        let status = unsafe AudioServicesAddSystemSoundCompletion(
            kSystemSoundID_Vibrate, nil, nil, { _, _ in }, nil)
        expectEqual(status, kAudioServicesNoError)
        AudioServicesRemoveSystemSoundCompletion(kSystemSoundID_Vibrate)
        AudioServicesPlaySystemSound(kSystemSoundID_Vibrate)
        AudioServicesPlayAlertSoundWithCompletion(SystemSoundID(kSystemSoundID_Vibrate)) {}
        expectEqual(CFStringGetLength(kAudioSessionOutputRoute_Headphones), 10)
        expectEqual(kAudioSession_AudioRouteChangeKey_Reason, "OutputDeviceDidChange_Reason")
    }
}
