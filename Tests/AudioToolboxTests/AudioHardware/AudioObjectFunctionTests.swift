// SPDX-License-Identifier: MIT

import CAQAudioToolbox
import Testing

@testable import AQToolboxFunctions

/// The C functions without a server: missing arguments, and unknown objects.
@Suite("Functions of AudioHardware.h") struct AudioObjectFunctionTests {
    private let unknownObject: AudioObjectID = 31
    private let uid = AudioObjectPropertyAddress(
        mSelector: kAudioDevicePropertyDeviceUID, mScope: kAudioObjectPropertyScopeGlobal,
        mElement: kAudioObjectPropertyElementMain)

    @Test("a null pointer is an argument error, and not a property") func nullPointers() {
        var address = uid
        var size: UInt32 = 8
        var word: UInt64 = 0
        let system = kAudioObjectSystemObject
        #expect(audioObjectHasProperty(system, nil) == false)
        #expect(unsafe audioObjectIsPropertySettable(system, &address, nil) == kAudio_ParamError)
        #expect(unsafe audioObjectGetPropertyDataSize(system, nil, 0, nil, &size) == kAudio_ParamError)
        #expect(unsafe audioObjectGetPropertyDataSize(system, &address, 0, nil, nil) == kAudio_ParamError)
        #expect(unsafe audioObjectGetPropertyData(system, &address, 0, nil, nil, &word) == kAudio_ParamError)
        #expect(unsafe audioObjectGetPropertyData(system, &address, 0, nil, &size, nil) == kAudio_ParamError)
        #expect(unsafe audioObjectSetPropertyData(system, &address, 0, nil, 8, nil) == kAudio_ParamError)
        #expect(unsafe audioObjectAddPropertyListener(system, &address, nil, nil) == kAudio_ParamError)
        #expect(audioObjectRemovePropertyListener(system, nil, nil, nil) == kAudio_ParamError)
        #expect(unsafe audioObjectAddPropertyListenerBlock(system, nil, nil) { _, _ in } == kAudio_ParamError)
    }

    @Test("a number without an object is a bad object") func badObject() {
        var address = uid
        var size: UInt32 = 8
        var word: UInt64 = 0
        let bad = kAudioHardwareBadObjectError
        #expect(unsafe !audioObjectHasProperty(unknownObject, &address))
        #expect(unsafe audioObjectGetPropertyDataSize(unknownObject, &address, 0, nil, &size) == bad)
        #expect(unsafe audioObjectGetPropertyData(unknownObject, &address, 0, nil, &size, &word) == bad)
        #expect(unsafe audioObjectSetPropertyData(unknownObject, &address, 0, nil, 8, &word) == bad)
        #expect(
            unsafe audioObjectAddPropertyListener(unknownObject, &address, { _, _, _, _ in 0 }, nil) == bad)
        #expect(size == 8)
    }

    @Test("a name that does not fit ends after a whole character") func truncatedName() {
        let name = "Größe 🎧"
        let text = Array(name.utf8) + [0]
        for room in 1...text.count + 3 {
            let shorter = TextProperty.truncated(text, toBytes: room)
            let characters = name.indices.prefix { name[...$0].utf8.count < room }.count
            #expect(shorter == Array(name.prefix(characters).utf8) + [0], "\(room) bytes")
        }
    }

    @Test("the default device of the system cannot be set, and its run loop only to NULL") func settable() {
        var address = uid
        var isSettable = true
        address.mSelector = kAudioHardwarePropertyDefaultOutputDevice
        let system = kAudioObjectSystemObject
        #expect(unsafe audioObjectIsPropertySettable(system, &address, &isSettable) == noErr)
        #expect(!isSettable)
        var word: UInt64 = 0
        let unsupported = kAudioHardwareUnsupportedOperationError
        #expect(unsafe audioObjectSetPropertyData(system, &address, 0, nil, 4, &word) == unsupported)
        address.mSelector = kAudioHardwarePropertyRunLoop
        #expect(unsafe audioObjectIsPropertySettable(system, &address, &isSettable) == noErr)
        #expect(isSettable)
        #expect(unsafe audioObjectSetPropertyData(system, &address, 0, nil, 8, &word) == noErr)
        word = 1
        #expect(unsafe audioObjectSetPropertyData(system, &address, 0, nil, 8, &word) == unsupported)
        #expect(
            unsafe audioObjectSetPropertyData(system, &address, 0, nil, 4, &word)
                == kAudioHardwareBadPropertySizeError)
    }

    @Test("a listener that was not added cannot be removed") func unknownListener() {
        var address = uid
        let illegal = kAudioHardwareIllegalOperationError
        let status = unsafe audioObjectRemovePropertyListener(
            kAudioObjectSystemObject, &address, { _, _, _, _ in 0 }, nil)
        #expect(status == illegal)
    }
}
