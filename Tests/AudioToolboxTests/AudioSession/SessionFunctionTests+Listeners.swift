// SPDX-License-Identifier: MIT

import AQDevices
import AQExpectations
import AQSessions
import CAQAudioToolbox
import CoreFoundation
import Testing

@testable import AQToolboxFunctions

/// Bad arguments and listeners, in the same suite, because there is one client in a process.
extension SessionFunctionTests {
    // MARK: Bad arguments

    @Test("unknown properties, wrong sizes and NULL have their results") func badArguments() {
        let rig = initialized()
        let unknown: AudioSessionPropertyID = 0x6162_6364
        let unsupported = kAudioSessionUnsupportedPropertyError
        var size: UInt32 = 4
        var word: UInt32 = 0
        expectEqual(rig.statusOfGetting(unknown), unsupported)
        expectEqual(rig.set(unknown, word), unsupported)
        unsafe expectEqual(audioSessionGetPropertySize(unknown, &size), unsupported)
        expectEqual(rig.listen(to: unknown), unsupported)
        expectEqual(audioSessionRemovePropertyListener(unknown), unsupported)
        for readOnly in [
            kAudioSessionProperty_CurrentHardwareSampleRate, kAudioSessionProperty_AudioRouteChange,
            kAudioSessionProperty_ServerDied, kAudioSessionProperty_InterruptionType,
        ] {
            expectEqual(rig.set(readOnly, word), unsupported)
        }
        for listenedOnly in [kAudioSessionProperty_AudioRouteChange, kAudioSessionProperty_ServerDied] {
            expectEqual(rig.statusOfGetting(listenedOnly), unsupported)
        }
        expectEqual(rig.statusOfGetting(kAudioSessionProperty_InterruptionType), unsupported)
        let category = kAudioSessionProperty_AudioCategory
        size = 3
        unsafe expectEqual(audioSessionGetProperty(category, &size, &word), kAudioSessionBadPropertySizeError)
        expectEqual(size, 3)
        expectEqual(rig.set(category, 0 as UInt64), kAudioSessionBadPropertySizeError)
        unsafe expectEqual(audioSessionSetProperty(category, .max, &word), kAudioSessionBadPropertySizeError)
        expectEqual(audioSessionSetProperty(category, 4, nil), kAudio_ParamError)
        unsafe expectEqual(audioSessionGetProperty(category, &size, nil), kAudio_ParamError)
        unsafe expectEqual(audioSessionGetProperty(category, nil, &word), kAudio_ParamError)
        expectEqual(audioSessionGetPropertySize(category, nil), kAudio_ParamError)
        let route = kAudioSessionProperty_AudioRouteChange
        expectEqual(audioSessionAddPropertyListener(route, nil, nil), kAudio_ParamError)
        expectEqual(audioSessionRemovePropertyListenerWithUserData(route, nil, nil), kAudio_ParamError)
    }

    @Test("each property has a size, and only some have listeners") func sizes() {
        let rig = initialized()
        for (property, found) in SessionProperty.all {
            var size: UInt32 = 0
            unsafe expectEqual(audioSessionGetPropertySize(property, &size), noErr)
            #expect(size == UInt32(found.byteCount) && (size == 4 || size == 8))
            let expected = listened.contains(property) ? noErr : kAudioSessionUnsupportedPropertyError
            expectEqual(rig.listen(to: property), expected)
            expectEqual(audioSessionRemovePropertyListener(property), expected)
        }
    }

    // MARK: Listeners

    @Test("a plug that is removed changes the route, with both routes and the reason") func routeChange() {
        let rig = initialized(SessionRig.headset)
        expectEqual(rig.listen(to: kAudioSessionProperty_AudioRouteChange), noErr)
        rig.table.set(SessionRig.usual)
        #expect(rig.run(untilCalls: 1))
        expectEqual(
            rig.all,
            [
                SessionRig.Call(
                    property: kAudioSessionProperty_AudioRouteChange,
                    number: kAudioSessionRouteChangeReason_OldDeviceUnavailable, oldRoute: "Headphone",
                    newRoute: "Speaker")
            ])
    }

    @Test("another category changes the route") func categoryChange() {
        let rig = initialized()
        expectEqual(rig.listen(to: kAudioSessionProperty_AudioRouteChange), noErr)
        expectEqual(rig.set(kAudioSessionProperty_AudioCategory, kAudioSessionCategory_PlayAndRecord), noErr)
        expectEqual(rig.all, [], "listeners are called on the run loop")
        #expect(rig.run(untilCalls: 1))
        expectEqual(
            rig.all,
            [
                SessionRig.Call(
                    property: kAudioSessionProperty_AudioRouteChange,
                    number: kAudioSessionRouteChangeReason_CategoryChange, oldRoute: "Speaker",
                    newRoute: "SpeakerAndMicrophone")
            ])
    }

    @Test("values are passed to the listeners of their properties") func values() {
        let rig = initialized()
        for property in listened { expectEqual(rig.listen(to: property), noErr) }
        rig.table.set(
            SessionDevices(sinks: [SessionRig.device("speaker", .speaker, channels: 6, volume: 0.25)]))
        #expect(rig.run(untilCalls: 5))
        let route = rig.all.first { $0.property == kAudioSessionProperty_AudioRouteChange }
        expectEqual(route?.number, kAudioSessionRouteChangeReason_RouteConfigurationChange)
        let others = rig.all.filter { $0.property != kAudioSessionProperty_AudioRouteChange }
        expectEqual(
            others,
            [
                SessionRig.Call(property: kAudioSessionProperty_AudioInputAvailable, number: 0),
                SessionRig.Call(
                    property: kAudioSessionProperty_CurrentHardwareOutputNumberChannels, number: 6),
                SessionRig.Call(
                    property: kAudioSessionProperty_CurrentHardwareInputNumberChannels, number: 0),
                SessionRig.Call(property: kAudioSessionProperty_CurrentHardwareOutputVolume, real: 0.25),
            ])
    }

    @Test("a lost server interrupts an active session, until it is back") func interruption() {
        let rig = initialized()
        expectEqual(rig.listen(to: kAudioSessionProperty_ServerDied), noErr)
        expectEqual(audioSessionSetActive(true), noErr)
        rig.table.set(nil)
        #expect(rig.run(untilCalls: 2))
        rig.table.set(SessionRig.usual)
        #expect(rig.run(untilCalls: 3))
        expectEqual(
            rig.all,
            [
                SessionRig.Call(property: kAudioSessionProperty_ServerDied, number: 1),
                SessionRig.Call(property: 0, number: kAudioSessionBeginInterruption),
                SessionRig.Call(
                    property: 0, number: kAudioSessionEndInterruption,
                    interruptionType: kAudioSessionInterruptionType_ShouldResume),
            ])
    }

    @Test("a removed listener is not called, and one that was added twice is called once") func removal() {
        let rig = initialized()
        let volume = kAudioSessionProperty_CurrentHardwareOutputVolume
        let available = kAudioSessionProperty_AudioInputAvailable
        for _ in 0..<2 { expectEqual(rig.listen(to: available), noErr) }
        expectEqual(rig.listen(to: volume), noErr)
        // Other data is that of another listener.
        let other = unsafe audioSessionRemovePropertyListenerWithUserData(
            available, recordSessionChange, UnsafeMutableRawPointer(bitPattern: 16))
        let removed = unsafe audioSessionRemovePropertyListenerWithUserData(
            volume, recordSessionChange, rig.clientData)
        #expect(other == noErr && removed == noErr)
        rig.table.set(SessionDevices(sinks: [SessionRig.device("speaker", .speaker, volume: 1)]))
        #expect(rig.run(untilCalls: 1))
        expectEqual(rig.all, [SessionRig.Call(property: available, number: 0)])
        expectEqual(audioSessionRemovePropertyListener(available), noErr)
        rig.table.set(SessionRig.usual)
        CFRunLoopRunInMode(kCFRunLoopDefaultMode, 0.2, false)
        expectEqual(rig.all.count, 1)
    }
}
