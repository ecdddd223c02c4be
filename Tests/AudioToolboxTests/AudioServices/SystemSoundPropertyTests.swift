// SPDX-License-Identifier: MIT

import AQExpectations
import CAQAudioToolbox
import AQTestSupport
import Testing

@testable import AQToolboxFunctions

/// The properties of system sounds.
@Suite("Properties of system sounds") struct SystemSoundPropertyTests {
    @Test(
        "a property is a settable UInt32 of each sound, with its initial value",
        arguments: [
            (kAudioServicesPropertyIsUISound, 1), (kAudioServicesPropertyCompletePlaybackIfAppDies, 0),
        ] as [(AudioServicesPropertyID, UInt32)])
    func properties(property: AudioServicesPropertyID, initial: UInt32) throws {
        let folder = ScratchFolder()
        let sound = SystemSoundCalls(try folder.write(RIFFBytes.wave([1, 2, 3]), to: "sound.wav"))
        var number = sound.number
        var size: UInt32 = 0
        var isWritable = false
        unsafe expectEqual(audioServicesGetPropertyInfo(property, 4, &number, &size, &isWritable), noErr)
        #expect(size == 4 && isWritable)
        unsafe expectEqual(audioServicesGetPropertyInfo(property, 4, &number, nil, nil), noErr)
        var value: UInt32 = 9
        size = 8
        unsafe expectEqual(audioServicesGetProperty(property, 4, &number, &size, &value), noErr)
        #expect(value == initial && size == 4)
        value = 7 * (1 - initial)
        unsafe expectEqual(audioServicesSetProperty(property, 4, &number, 4, &value), noErr)
        unsafe expectEqual(audioServicesGetProperty(property, 4, &number, &size, &value), noErr)
        expectEqual(value, 1 - initial)
        size = 0
        unsafe expectEqual(audioServicesGetProperty(property, 4, &number, &size, nil), noErr)
        expectEqual(size, 4)
    }

    @Test("wrong properties, sizes, specifiers and sounds have their results") func badProperties() throws {
        var number = kSystemSoundID_UserPreferredAlert
        var value: UInt32 = 1
        var size: UInt32 = 4
        let property = kAudioServicesPropertyIsUISound
        let unknown: AudioServicesPropertyID = 0x6162_6364
        let unsupported = kAudioServicesUnsupportedPropertyError
        unsafe expectEqual(audioServicesGetPropertyInfo(unknown, 4, &number, nil, nil), unsupported)
        unsafe expectEqual(audioServicesGetProperty(unknown, 4, &number, &size, &value), unsupported)
        unsafe expectEqual(audioServicesSetProperty(unknown, 4, &number, 4, &value), unsupported)
        let badSpecifier = kAudioServicesBadSpecifierSizeError
        unsafe expectEqual(audioServicesGetPropertyInfo(property, 3, &number, nil, nil), badSpecifier)
        unsafe expectEqual(audioServicesGetProperty(property, 0, nil, &size, &value), badSpecifier)
        unsafe expectEqual(audioServicesSetProperty(property, 4, nil, 4, &value), badSpecifier)
        unsafe expectEqual(audioServicesSetProperty(property, 8, &number, 4, &value), badSpecifier)
        let badSize = kAudioServicesBadPropertySizeError
        size = 3
        unsafe expectEqual(audioServicesGetProperty(property, 4, &number, &size, &value), badSize)
        expectEqual(size, 3)
        unsafe expectEqual(audioServicesSetProperty(property, 4, &number, 1, &value), badSize)
        unsafe expectEqual(audioServicesSetProperty(property, 4, &number, .max, &value), badSize)
        unsafe expectEqual(audioServicesGetProperty(property, 4, &number, nil, &value), kAudio_ParamError)
        unsafe expectEqual(audioServicesSetProperty(property, 4, &number, 4, nil), kAudio_ParamError)
        size = 4
        number = 77_777
        let noSound = kAudioServicesSystemSoundUnspecifiedError
        unsafe expectEqual(audioServicesGetProperty(property, 4, &number, &size, &value), noSound)
        unsafe expectEqual(audioServicesSetProperty(property, 4, &number, 4, &value), noSound)
    }
}
