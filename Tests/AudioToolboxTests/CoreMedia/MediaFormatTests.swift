// SPDX-License-Identifier: MIT

import AQExpectations
import CoreMedia
import Testing

@Suite("Descriptions of audio") struct MediaFormatTests {
    private func make(
        _ format: AudioStreamBasicDescription = .aac, layout: [UInt8] = [], layoutSize: Int? = nil,
        cookie: [UInt8] = [], cookieSize: Int? = nil, extensions: CoreFoundation.CFDictionary? = nil
    ) -> (OSStatus, CMAudioFormatDescription?) {
        var format = format
        var description: CMAudioFormatDescription?
        let status = unsafe layout.withUnsafeBytes { layout in
            unsafe CMAudioFormatDescriptionCreate(
                allocator: kCFAllocatorDefault, asbd: &format, layoutSize: layoutSize ?? layout.count,
                layout: layout.count == 0
                    ? nil : layout.baseAddress?.assumingMemoryBound(to: AudioChannelLayout.self),
                magicCookieSize: cookieSize ?? cookie.count, magicCookie: cookie.isEmpty ? nil : cookie,
                extensions: extensions, formatDescriptionOut: &description)
        }
        return (status, description)
    }

    /// A layout with a number of channel descriptions, which are 0.
    private func layout(channels: UInt8, descriptions: UInt8) -> [UInt8] {
        [1, 0, 100, 0, 0, 0, 0, 0, channels, 0, 0, 0]
            + [UInt8](repeating: 0, count: Int(descriptions) * 20)
    }

    @Test("return copies of what they were made of") func contents() throws {
        let extensions = CFDictionaryCreate(nil, nil, nil, 0, nil, nil)
        let bytes = layout(channels: 1, descriptions: 1)
        let (status, made) = make(layout: bytes, cookie: [1, 2, 3], extensions: extensions)
        expectEqual(status, noErr)
        let description = try #require(made)
        expectEqual(CMFormatDescriptionGetMediaType(description), kCMMediaType_Audio)
        expectEqual(CMFormatDescriptionGetMediaSubType(description), kAudioFormatMPEG4AAC)
        #expect(CMFormatDescriptionGetExtensions(description) === extensions)
        let format = unsafe CMAudioFormatDescriptionGetStreamBasicDescription(description)
        unsafe expectEqual(format?.pointee.mFramesPerPacket, 1024)
        var size = 0
        let cookie = unsafe CMAudioFormatDescriptionGetMagicCookie(description, sizeOut: &size)
        unsafe expectEqual(Array(UnsafeRawBufferPointer(start: cookie, count: size)), [1, 2, 3])
        let layout = unsafe CMAudioFormatDescriptionGetChannelLayout(description, sizeOut: &size)
        unsafe expectEqual(Array(UnsafeRawBufferPointer(start: layout, count: size)), bytes)
    }

    @Test("may have neither layout nor cookie") func plain() throws {
        let description = try #require(make().1)
        var size = 9
        #expect(
            unsafe CMAudioFormatDescriptionGetMagicCookie(description, sizeOut: &size) == nil && size == 0)
        size = 9
        #expect(
            unsafe CMAudioFormatDescriptionGetChannelLayout(description, sizeOut: &size) == nil && size == 0)
        #expect(CMFormatDescriptionGetExtensions(description) == nil)
    }

    @Test("are equal if all of it is") func equality() throws {
        let description = try #require(make(cookie: [1, 2]).1)
        #expect(CMFormatDescriptionEqual(description, otherFormatDescription: make(cookie: [1, 2]).1))
        #expect(!CMFormatDescriptionEqual(description, otherFormatDescription: make(cookie: [1, 3]).1))
        #expect(!CMFormatDescriptionEqual(description, otherFormatDescription: make(.pcm(channels: 1)).1))
        #expect(!CMFormatDescriptionEqual(description, otherFormatDescription: nil))
    }

    @Test("accept formats without sense, which their users check") func senseless() throws {
        var format = AudioStreamBasicDescription.pcm(channels: .max, isInterleaved: false)
        (format.mSampleRate, format.mBytesPerFrame) = (.nan, .max)
        #expect(make(format).1 != nil)
    }

    @Test("reject sizes without bytes, and layouts larger than their size") func badSizes() {
        let invalid = kCMFormatDescriptionError_InvalidParameter
        #expect(make(cookieSize: 5).0 == invalid && make(layoutSize: 32).0 == invalid)
        expectEqual(make(layout: [0, 0, 0]).0, invalid)
        expectEqual(make(layout: layout(channels: 2, descriptions: 1)).0, invalid)
        expectEqual(make(layout: layout(channels: 255, descriptions: 0)).0, invalid)
        let failed = kCMFormatDescriptionError_AllocationFailed
        expectEqual(make(cookie: [1], cookieSize: .max).0, failed)
        expectEqual(make(cookie: [1], cookieSize: -1).0, failed)
    }
}
