// SPDX-License-Identifier: MIT

import AQExpectations
import AudioToolbox
import Foundation
import Testing

/// Programs compile unchanged, and their arguments arrive.
@Suite("Objects of CoreFoundation in Swift") struct BridgingTests {
    @Test("a URL is converted, and the file that it names is opened") func url() {
        var file: AudioFileID?
        let missing = URL(fileURLWithPath: "/no/such/folder/file.caf")
        let status = unsafe AudioFileOpenURL(missing as CFURL, .readPermission, 0, &file)
        expectEqual(status, kAudioFileFileNotFoundError)
        unsafe expectEqual(file, nil)
    }

    @Test("a string is converted, and is the same after the conversion back") func string() {
        let string = "Gerät 1" as CFString
        #expect(string as String == "Gerät 1")
        let reference = unsafe Unmanaged<CFString>.passRetained(string)
        #expect(unsafe reference.takeRetainedValue() as String == "Gerät 1")
    }

    @Test("functions of CoreFoundation take and return the types of Swift's conversions") func functions() {
        let url: CFURL = CFURLCreateWithFileSystemPath(
            nil, "/a/song.mp3" as CFString, .cfurlposixPathStyle, false)
        #expect(url as URL == URL(fileURLWithPath: "/a/song.mp3"))
        #expect(CFURLCopyLastPathComponent(url) as String == "song.mp3")
        #expect(CFURLCopyPathExtension(URL(fileURLWithPath: "/b.wav") as CFURL) as String == "wav")
        #expect(CFURLCopyFileSystemPath(url, .cfurlposixPathStyle) as String == "/a/song.mp3")
        var bytes = [UInt8](repeating: 0, count: 32)
        #expect(unsafe CFURLGetFileSystemRepresentation(url, true, &bytes, 32))
        expectEqual(String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self), "/a/song.mp3")
        let made: CFURL = unsafe CFURLCreateFromFileSystemRepresentation(nil, bytes, 11, false)
        #expect(made as URL == url as URL)
        let string: CFString = unsafe CFStringCreateWithCString(nil, "Gerät", kCFStringEncodingUTF8)
        #expect(string as String == "Gerät" && CFStringGetLength(string) == 5)
        expectEqual(CFStringCompare(string, "Gerät" as CFString, []), .compareEqualTo)
        #expect(CFStringHasPrefix(string, "Ge" as CFString) && !CFStringHasSuffix(string, "x" as CFString))
        var characters = [CChar](repeating: 0, count: 32)
        #expect(unsafe CFStringGetCString(string, &characters, 32, kCFStringEncodingUTF8))
        expectEqual(
            String(decoding: characters.map(UInt8.init(bitPattern:)).prefix { $0 != 0 }, as: UTF8.self),
            "Gerät")
        let key = "k" as CFString
        let dictionary = ["k": "v"] as NSDictionary as CFDictionary
        expectEqual(CFDictionaryGetCount(dictionary), 1)
        #expect(unsafe CFDictionaryGetValue(dictionary, Unmanaged.passUnretained(key).toOpaque()) != nil)
        #expect(CFArrayGetCount([1, 2] as CFArray) == 2 && CFDataGetLength(Data([1, 2, 3]) as CFData) == 3)
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
        unsafe expectEqual(
            AudioObjectRemovePropertyListenerBlock(system, &address, .main, other),
            kAudioHardwareIllegalOperationError)
    }

    @Test("a channel is assigned to a device by Foundation's string") func channelAssignment() {
        let uid = "speakers" as CFString
        let assignment = unsafe AudioQueueChannelAssignment(
            mDeviceUID: Unmanaged<CFString>.passUnretained(uid), mChannelNumber: 2)
        unsafe expectEqual(assignment.mChannelNumber, 2)
        unsafe expectEqual(assignment.mDeviceUID.toOpaque(), Unmanaged.passUnretained(uid).toOpaque())
    }
}
