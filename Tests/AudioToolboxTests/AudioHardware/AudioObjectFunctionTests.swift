// SPDX-License-Identifier: MIT

import AQExpectations
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
        expectEqual(audioObjectHasProperty(system, nil), false)
        unsafe expectEqual(audioObjectIsPropertySettable(system, &address, nil), kAudio_ParamError)
        unsafe expectEqual(audioObjectGetPropertyDataSize(system, nil, 0, nil, &size), kAudio_ParamError)
        unsafe expectEqual(audioObjectGetPropertyDataSize(system, &address, 0, nil, nil), kAudio_ParamError)
        unsafe expectEqual(
            audioObjectGetPropertyData(system, &address, 0, nil, nil, &word), kAudio_ParamError)
        unsafe expectEqual(
            audioObjectGetPropertyData(system, &address, 0, nil, &size, nil), kAudio_ParamError)
        unsafe expectEqual(audioObjectSetPropertyData(system, &address, 0, nil, 8, nil), kAudio_ParamError)
        unsafe expectEqual(audioObjectAddPropertyListener(system, &address, nil, nil), kAudio_ParamError)
        expectEqual(audioObjectRemovePropertyListener(system, nil, nil, nil), kAudio_ParamError)
        unsafe expectEqual(
            audioObjectAddPropertyListenerBlock(system, nil, nil) { _, _ in }, kAudio_ParamError)
    }

    @Test("a number without an object is a bad object") func badObject() {
        var address = uid
        var size: UInt32 = 8
        var word: UInt64 = 0
        let bad = kAudioHardwareBadObjectError
        #expect(unsafe !audioObjectHasProperty(unknownObject, &address))
        unsafe expectEqual(audioObjectGetPropertyDataSize(unknownObject, &address, 0, nil, &size), bad)
        unsafe expectEqual(audioObjectGetPropertyData(unknownObject, &address, 0, nil, &size, &word), bad)
        unsafe expectEqual(audioObjectSetPropertyData(unknownObject, &address, 0, nil, 8, &word), bad)
        unsafe expectEqual(
            audioObjectAddPropertyListener(unknownObject, &address, { _, _, _, _ in 0 }, nil), bad)
        expectEqual(size, 8)
    }

    @Test("a name that does not fit ends after a whole character") func truncatedName() {
        let name = "Größe 🎧"
        let text = Array(name.utf8) + [0]
        for room in 1...text.count + 3 {
            let shorter = TextProperty.truncated(text, toBytes: room)
            let characters = name.indices.prefix { name[...$0].utf8.count < room }.count
            expectEqual(shorter, Array(name.prefix(characters).utf8) + [0], "\(room) bytes")
        }
    }

    @Test("the default device of the system cannot be set, and its run loop only to NULL") func settable() {
        var address = uid
        var isSettable = true
        address.mSelector = kAudioHardwarePropertyDefaultOutputDevice
        let system = kAudioObjectSystemObject
        unsafe expectEqual(audioObjectIsPropertySettable(system, &address, &isSettable), noErr)
        #expect(!isSettable)
        var word: UInt64 = 0
        let unsupported = kAudioHardwareUnsupportedOperationError
        unsafe expectEqual(audioObjectSetPropertyData(system, &address, 0, nil, 4, &word), unsupported)
        address.mSelector = kAudioHardwarePropertyRunLoop
        unsafe expectEqual(audioObjectIsPropertySettable(system, &address, &isSettable), noErr)
        #expect(isSettable)
        unsafe expectEqual(audioObjectSetPropertyData(system, &address, 0, nil, 8, &word), noErr)
        word = 1
        unsafe expectEqual(audioObjectSetPropertyData(system, &address, 0, nil, 8, &word), unsupported)
        unsafe expectEqual(
            audioObjectSetPropertyData(system, &address, 0, nil, 4, &word), kAudioHardwareBadPropertySizeError
        )
    }

    @Test("a listener that was not added cannot be removed") func unknownListener() {
        var address = uid
        let illegal = kAudioHardwareIllegalOperationError
        let status = unsafe audioObjectRemovePropertyListener(
            kAudioObjectSystemObject, &address, { _, _, _, _ in 0 }, nil)
        expectEqual(status, illegal)
    }
}
