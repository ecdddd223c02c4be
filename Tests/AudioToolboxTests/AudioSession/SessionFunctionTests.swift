// SPDX-License-Identifier: MIT

import AQDevices
import AQExpectations
import AQSessions
import CAQAudioToolbox
import CoreFoundation
import AQTestSupport
import Testing

@testable import AQToolboxFunctions

/// The C functions for the audio session. They have one client in a process, so one test runs at a time.
@Suite("Functions of AudioSession.h", .serialized) struct SessionFunctionTests {
    /// The properties with listeners.
    let listened: [AudioSessionPropertyID] = [
        kAudioSessionProperty_AudioRouteChange, kAudioSessionProperty_CurrentHardwareInputNumberChannels,
        kAudioSessionProperty_CurrentHardwareOutputNumberChannels,
        kAudioSessionProperty_CurrentHardwareOutputVolume, kAudioSessionProperty_AudioInputAvailable,
        kAudioSessionProperty_ServerDied, kAudioSessionProperty_InputSources,
        kAudioSessionProperty_OutputDestinations, kAudioSessionProperty_InputGainAvailable,
        kAudioSessionProperty_InputGainScalar,
    ]

    /// A rig whose functions are initialized.
    func initialized(_ devices: SessionDevices? = SessionRig.usual) -> SessionRig {
        let rig = SessionRig(devices)
        expectEqual(rig.initialize(), kAudioSessionNoError)
        return rig
    }

    // MARK: Initialization

    @Test("before the initialization every other function fails, and a second one too") func order() {
        let rig = SessionRig()
        let missing = kAudioSessionNotInitialized
        var size: UInt32 = 4
        expectEqual(audioSessionSetActive(true), missing)
        expectEqual(audioSessionSetActiveWithFlags(false, 1), missing)
        expectEqual(rig.statusOfGetting(kAudioSessionProperty_AudioCategory), missing)
        unsafe expectEqual(audioSessionGetPropertySize(kAudioSessionProperty_AudioCategory, &size), missing)
        expectEqual(
            rig.set(kAudioSessionProperty_AudioCategory, kAudioSessionCategory_MediaPlayback), missing)
        let route = kAudioSessionProperty_AudioRouteChange
        expectEqual(rig.listen(to: route), missing)
        expectEqual(audioSessionRemovePropertyListener(route), missing)
        let removed = unsafe audioSessionRemovePropertyListenerWithUserData(
            route, recordSessionChange, rig.clientData)
        expectEqual(removed, missing)
        expectEqual(rig.initialize(), kAudioSessionNoError)
        expectEqual(rig.initialize(), kAudioSessionAlreadyInitialized)
        expectEqual(
            rig.get(kAudioSessionProperty_AudioCategory, as: 0 as UInt32),
            kAudioSessionCategory_SoloAmbientSound)
    }

    @Test("a listener and its run loop may be NULL") func nullListener() {
        let rig = SessionRig()
        expectEqual(audioSessionInitialize(nil, nil, nil, nil), kAudioSessionNoError)
        expectEqual(audioSessionSetActive(true), kAudioSessionNoError)
        let flag = kAudioSessionSetActiveFlag_NotifyOthersOnDeactivation
        expectEqual(audioSessionSetActiveWithFlags(false, flag), kAudioSessionNoError)
        expectEqual(audioSessionSetActiveWithFlags(true, .max), kAudioSessionNoError)
        withExtendedLifetime(rig) {}
    }

    // MARK: Settings

    @Test("categories are kept, and the older ones are the newer ones") func categories() {
        let rig = initialized()
        let property = kAudioSessionProperty_AudioCategory
        let pairs = [
            (kAudioSessionCategory_AmbientSound, kAudioSessionCategory_AmbientSound),
            (kAudioSessionCategory_SoloAmbientSound, kAudioSessionCategory_SoloAmbientSound),
            (kAudioSessionCategory_MediaPlayback, kAudioSessionCategory_MediaPlayback),
            (kAudioSessionCategory_RecordAudio, kAudioSessionCategory_RecordAudio),
            (kAudioSessionCategory_PlayAndRecord, kAudioSessionCategory_PlayAndRecord),
            (kAudioSessionCategory_AudioProcessing, kAudioSessionCategory_AudioProcessing),
            (kAudioSessionCategory_UserInterfaceSoundEffects, kAudioSessionCategory_AmbientSound),
            (kAudioSessionCategory_LiveAudio, kAudioSessionCategory_MediaPlayback),
        ]
        for (set, read) in pairs {
            expectEqual(rig.set(property, set), noErr)
            expectEqual(rig.get(property, as: 0 as UInt32), read)
        }
        expectEqual(rig.set(property, 7 as UInt32), kAudioSessionUnsupportedPropertyError)
        expectEqual(rig.get(property, as: 0 as UInt32), kAudioSessionCategory_MediaPlayback)
    }

    @Test("requests for the hardware are kept, and the I/O buffer is as long as requested") func requests() {
        let rig = initialized()
        let rate = kAudioSessionProperty_PreferredHardwareSampleRate
        let duration = kAudioSessionProperty_PreferredHardwareIOBufferDuration
        let current = kAudioSessionProperty_CurrentHardwareIOBufferDuration
        expectEqual(rig.get(rate, as: 9.0), 0)
        expectEqual(rig.set(rate, 22_050.0), noErr)
        expectEqual(rig.get(rate, as: 0.0), 22_050)
        expectEqual(rig.get(kAudioSessionProperty_CurrentHardwareSampleRate, as: 0.0), 48_000)
        expectEqual(rig.get(duration, as: 9 as Float32), 0)
        expectEqual(rig.get(current, as: 0 as Float32), Float32(1024.0 / 48_000))
        expectEqual(rig.set(duration, 0.005 as Float32), noErr)
        expectEqual(rig.get(duration, as: 0 as Float32), 0.005)
        expectEqual(rig.get(current, as: 0 as Float32), 0.005)
        expectEqual(rig.set(duration, 1 as Float32), noErr)
        expectEqual(rig.get(current, as: 0 as Float32), Float32(4096.0 / 48_000))
        for bad in [-1, Float32.nan, .infinity] {
            expectEqual(rig.set(duration, bad), kAudioSessionUnsupportedPropertyError)
            expectEqual(rig.set(rate, Float64(bad)), kAudioSessionUnsupportedPropertyError)
        }
        expectEqual(SessionClient.shared.session.settings.ioBufferFrames(sampleRate: 48_000), 4096)
    }

    @Test("options are kept in the categories that have them, and end with the category") func options() {
        let rig = initialized()
        let category = kAudioSessionProperty_AudioCategory
        let options = [
            kAudioSessionProperty_OverrideCategoryMixWithOthers,
            kAudioSessionProperty_OverrideCategoryDefaultToSpeaker,
            kAudioSessionProperty_OverrideCategoryEnableBluetoothInput,
        ]
        for option in options {
            expectEqual(rig.set(option, 1 as UInt32), kAudioSessionIncompatibleCategory)
            expectEqual(rig.set(option, 0 as UInt32), noErr)
        }
        expectEqual(rig.set(category, kAudioSessionCategory_PlayAndRecord), noErr)
        for option in options {
            expectEqual(rig.set(option, 5 as UInt32), noErr)
            expectEqual(rig.get(option, as: 9 as UInt32), 1)
        }
        expectEqual(rig.set(category, kAudioSessionCategory_MediaPlayback), noErr)
        for option in options { expectEqual(rig.get(option, as: 9 as UInt32), 0) }
        let duck = kAudioSessionProperty_OtherMixableAudioShouldDuck
        expectEqual(rig.get(duck, as: 9 as UInt32), 0)
        expectEqual(rig.set(duck, 1 as UInt32), noErr)
        expectEqual(rig.get(duck, as: 9 as UInt32), 1)
        expectEqual(rig.get(options[0], as: 9 as UInt32), 1, "ducked audio is mixed")
    }

    @Test("modes are kept in their categories") func modes() {
        let rig = initialized()
        let mode = kAudioSessionProperty_Mode
        expectEqual(rig.get(mode, as: 0 as UInt32), kAudioSessionMode_Default)
        expectEqual(rig.set(mode, kAudioSessionMode_VoiceChat), kAudioSessionIncompatibleCategory)
        expectEqual(rig.set(mode, 1 as UInt32), kAudioSessionUnsupportedPropertyError)
        expectEqual(rig.set(kAudioSessionProperty_AudioCategory, kAudioSessionCategory_PlayAndRecord), noErr)
        for value in [
            kAudioSessionMode_VoiceChat, kAudioSessionMode_VideoRecording, kAudioSessionMode_Measurement,
            kAudioSessionMode_GameChat, kAudioSessionMode_Default,
        ] {
            expectEqual(rig.set(mode, value), noErr)
            expectEqual(rig.get(mode, as: 0 as UInt32), value)
        }
    }

    @Test("the speaker may be selected, and cannot be read back") func override() {
        let rig = initialized()
        let property = kAudioSessionProperty_OverrideAudioRoute
        expectEqual(rig.set(property, kAudioSessionOverrideAudioRoute_Speaker), noErr)
        expectEqual(rig.set(property, kAudioSessionOverrideAudioRoute_None), noErr)
        expectEqual(rig.set(property, 3 as UInt32), kAudioSessionUnsupportedPropertyError)
        expectEqual(rig.statusOfGetting(property), kAudioSessionUnsupportedPropertyError)
    }

    // MARK: Hardware

    @Test("the hardware is that of the default devices") func hardware() throws {
        let rig = initialized()
        expectEqual(rig.get(kAudioSessionProperty_CurrentHardwareOutputNumberChannels, as: 0 as UInt32), 2)
        expectEqual(rig.get(kAudioSessionProperty_CurrentHardwareInputNumberChannels, as: 0 as UInt32), 1)
        expectEqual(rig.get(kAudioSessionProperty_CurrentHardwareOutputVolume, as: 0 as Float32), 0.5)
        expectEqual(rig.get(kAudioSessionProperty_CurrentHardwareOutputLatency, as: 0 as Float32), 0.01)
        expectEqual(rig.get(kAudioSessionProperty_CurrentHardwareInputLatency, as: 0 as Float32), 0.01)
        expectEqual(rig.get(kAudioSessionProperty_AudioInputAvailable, as: 9 as UInt32), 1)
        expectEqual(rig.get(kAudioSessionProperty_OtherAudioIsPlaying, as: 9 as UInt32), 0)
        expectEqual(rig.get(kAudioSessionProperty_InputGainAvailable, as: 9 as UInt32), 0)
        rig.table.set(SessionDevices())
        expectEqual(rig.get(kAudioSessionProperty_AudioInputAvailable, as: 9 as UInt32), 0)
        expectEqual(rig.get(kAudioSessionProperty_CurrentHardwareOutputNumberChannels, as: 9 as UInt32), 0)
        let none = kAudioServicesNoHardwareError
        expectEqual(rig.statusOfGetting(kAudioSessionProperty_CurrentHardwareSampleRate), none)
        expectEqual(rig.statusOfGetting(kAudioSessionProperty_CurrentHardwareOutputVolume), none)
        expectEqual(rig.routeName, "")
    }

    @Test("without a server the hardware is unknown, and the settings are kept") func noServer() {
        let rig = initialized(nil)
        for property in [
            kAudioSessionProperty_CurrentHardwareSampleRate, kAudioSessionProperty_AudioInputAvailable,
            kAudioSessionProperty_AudioRoute, kAudioSessionProperty_AudioRouteDescription,
            kAudioSessionProperty_CurrentHardwareOutputVolume,
        ] {
            expectEqual(rig.statusOfGetting(property), kAudioServicesNoHardwareError)
        }
        expectEqual(rig.set(kAudioSessionProperty_PreferredHardwareIOBufferDuration, 0.01 as Float32), noErr)
        expectEqual(rig.get(kAudioSessionProperty_CurrentHardwareIOBufferDuration, as: 0 as Float32), 0.01)
        expectEqual(audioSessionSetActive(true), noErr)
    }

    @Test("the route has the older name of its category") func routeNames() {
        let rig = initialized()
        let category = kAudioSessionProperty_AudioCategory
        let names = [
            (kAudioSessionCategory_MediaPlayback, "Speaker", "Headphone"),
            (kAudioSessionCategory_PlayAndRecord, "SpeakerAndMicrophone", "HeadsetInOut"),
            (kAudioSessionCategory_RecordAudio, "MicrophoneBuiltIn", "MicrophoneWired"),
            (kAudioSessionCategory_AudioProcessing, "", ""),
        ]
        for (value, usual, headset) in names {
            rig.table.set(SessionRig.usual)
            expectEqual(rig.set(category, value), noErr)
            expectEqual(rig.routeName, usual)
            rig.table.set(SessionRig.headset)
            expectEqual(rig.routeName, headset)
        }
    }

    @Test(
        "each pair of ports has a name",
        arguments: [
            (.headphones, .builtInMicrophone, "HeadphonesAndMicrophone"), (.lineOut, .lineIn, "LineInOut"),
            (.builtInReceiver, .builtInMicrophone, "ReceiverAndMicrophone"),
            (.bluetoothHFP, .bluetoothHFP, "HeadsetBT"), (.bluetoothA2DP, .builtInMicrophone, "HeadphonesBT"),
            (.usbAudio, .usbAudio, "USBInput+USBOutput"), (.hdmi, nil, "HDMIOutput"),
            (.airPlay, nil, "AirTunes"), (.lineOut, nil, "LineOut"), (nil, .lineIn, "LineIn"),
        ] as [(SessionPort.Kind?, SessionPort.Kind?, String)])
    func pairs(output: SessionPort.Kind?, input: SessionPort.Kind?, name: String) {
        func port(_ kind: SessionPort.Kind) -> SessionPort {
            var port = SessionPort(output: SessionRig.device("a", .unknown))
            port.kind = kind
            return port
        }
        expectEqual(SessionRoute(output: output.map { port($0) }, input: input.map { port($0) }).name, name)
    }

    @Test("the description of the route has the types of its inputs and outputs") func description() throws {
        let rig = initialized(SessionRig.headset)
        expectEqual(rig.set(kAudioSessionProperty_AudioCategory, kAudioSessionCategory_PlayAndRecord), noErr)
        let bits = try #require(rig.get(kAudioSessionProperty_AudioRouteDescription, as: 0 as UInt))
        let reference = try unsafe #require(UnsafeRawPointer(bitPattern: bits))
        let description = unsafe Unmanaged<CFDictionary>.fromOpaque(reference).takeRetainedValue()
        func type(_ key: CFString) -> String? {
            guard
                let list = unsafe CFDictionaryGetValue(description, Unmanaged.passUnretained(key).toOpaque())
            else { return nil }
            let array = unsafe Unmanaged<CFArray>.fromOpaque(list).takeUnretainedValue()
            guard CFArrayGetCount(array) == 1, let port = unsafe CFArrayGetValueAtIndex(array, 0) else {
                return nil
            }
            let dictionary = unsafe Unmanaged<CFDictionary>.fromOpaque(port).takeUnretainedValue()
            return string(kAudioSession_AudioRouteKey_Type, in: dictionary)
        }
        expectEqual(type(kAudioSession_AudioRouteKey_Outputs), "Headphones")
        expectEqual(
            type(kAudioSession_AudioRouteKey_Outputs),
            AudioFileObject.text(kAudioSessionOutputRoute_Headphones))
        expectEqual(
            type(kAudioSession_AudioRouteKey_Inputs), AudioFileObject.text(kAudioSessionInputRoute_HeadsetMic)
        )
    }

    @Test("there are no sources and destinations to choose") func noChoice() throws {
        let rig = initialized()
        for property in [kAudioSessionProperty_InputSources, kAudioSessionProperty_OutputDestinations] {
            let bits = try #require(rig.get(property, as: 0 as UInt))
            let reference = try unsafe #require(UnsafeRawPointer(bitPattern: bits))
            let list = unsafe Unmanaged<CFArray>.fromOpaque(reference).takeRetainedValue()
            expectEqual(CFArrayGetCount(list), 0)
        }
        for property in [
            kAudioSessionProperty_InputSource, kAudioSessionProperty_OutputDestination,
            kAudioSessionProperty_InputGainScalar,
        ] {
            expectEqual(rig.statusOfGetting(property), kAudioSessionUnsupportedPropertyError)
            expectEqual(rig.set(property, 0 as UInt), kAudioSessionUnsupportedPropertyError)
        }
    }
}
