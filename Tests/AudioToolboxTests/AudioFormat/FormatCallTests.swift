// SPDX-License-Identifier: MIT

import AQExpectations
import AQToolboxFunctions
import CAQAudioToolbox
import CoreAudioTypes
import CoreFoundation
import Testing

/// The two functions themselves, and ID3 tags.
@Suite struct FormatCallTests {
    private typealias Ask = FormatQuestion

    /// A tag of version 2.3 with a title and padding.
    private static func tag(padding: Int = 0) -> [UInt8] {
        let frame = Array("TIT2".utf8) + [0, 0, 0, 6, 0, 0, 0] + Array("Title".utf8)
        let length = frame.count + padding
        let digits = [21, 14, 7, 0].map { UInt8(length >> $0 & 0x7F) }
        return Array("ID3".utf8) + [3, 0, 0] + digits + frame + [UInt8](repeating: 0, count: padding)
    }

    @Test("an invalid property is unknown")
    func unknownProperty() {
        expectEqual(Ask.status(0x6E6F_6E65), kAudioFormatUnsupportedPropertyError)
    }

    @Test("a required pointer that is NULL gets an error")
    func nulls() {
        let property = kAudioFormatProperty_DecodeFormatIDs
        expectEqual(audioFormatGetPropertyInfo(property, 0, nil, nil), kAudio_ParamError)
        expectEqual(audioFormatGetProperty(property, 0, nil, nil, nil), kAudio_ParamError)
        var value: UInt32 = 0
        unsafe expectEqual(audioFormatGetProperty(property, 0, nil, nil, &value), kAudio_ParamError)
        unsafe expectEqual(
            audioFormatGetProperty(kAudioFormatProperty_Decoders, 4, nil, &value, nil), kAudio_ParamError)
    }

    @Test("a size without memory is returned")
    func sizeAlone() {
        var (reported, asked): (UInt32, UInt32) = (0, 0)
        let property = kAudioFormatProperty_DecodeFormatIDs
        unsafe expectEqual(AudioFormatGetPropertyInfo(property, 0, nil, &reported), noErr)
        unsafe expectEqual(AudioFormatGetProperty(property, 0, nil, &asked, nil), noErr)
        #expect(reported > 0)
        expectEqual(asked, reported)
    }

    @Test("of a list as many elements are copied as fit, and none is an error")
    func shortLists() {
        let property = kAudioFormatProperty_DecodeFormatIDs
        var (ids, bytes): ([AudioFormatID], UInt32) = ([0, 0], 7)
        unsafe expectEqual(AudioFormatGetProperty(property, 0, nil, &bytes, &ids), noErr)
        expectEqual(bytes, 4)
        #expect(ids[0] != 0)
        expectEqual(ids[1], 0)
        bytes = 3
        unsafe expectEqual(
            AudioFormatGetProperty(property, 0, nil, &bytes, &ids), kAudioFormatBadPropertySizeError)
    }

    @Test(
        "a specifier that is too short is refused by every property with one",
        arguments: [
            kAudioFormatProperty_FormatName, kAudioFormatProperty_FormatList,
            kAudioFormatProperty_ASBDFromESDS,
            kAudioFormatProperty_FormatIsVBR, kAudioFormatProperty_FormatIsEncrypted,
            kAudioFormatProperty_Encoders, kAudioFormatProperty_Decoders,
            kAudioFormatProperty_AvailableEncodeBitRates, kAudioFormatProperty_AvailableEncodeNumberChannels,
            kAudioFormatProperty_BitmapForLayoutTag, kAudioFormatProperty_MatrixMixMap,
            kAudioFormatProperty_ChannelMap, kAudioFormatProperty_NumberOfChannelsForLayout,
            kAudioFormatProperty_ChannelLayoutForTag, kAudioFormatProperty_TagForChannelLayout,
            kAudioFormatProperty_ChannelLayoutName, kAudioFormatProperty_ChannelName,
            kAudioFormatProperty_ChannelLayoutForBitmap, kAudioFormatProperty_TagsForNumberOfChannels,
            kAudioFormatProperty_PanningMatrix, kAudioFormatProperty_BalanceFade,
            kAudioFormatProperty_ID3TagSize, kAudioFormatProperty_ID3TagToDictionary,
            kAudioFormatProperty_HardwareCodecCapabilities,
        ])
    func shortSpecifiers(property: AudioFormatPropertyID) {
        expectEqual(Ask.status(property), kAudioFormatBadSpecifierSizeError)
        // Two bytes may be a cookie of another codec, not of this one.
        #expect(Ask.status(property, [0, 0]) != noErr)
    }

    @Test("ID3TagSize counts the header and the padding")
    func tagSize() throws {
        let tag = Self.tag(padding: 1000)
        let size: UInt32 = try Ask.value(kAudioFormatProperty_ID3TagSize, Array(tag.prefix(10)))
        expectEqual(Int(size), tag.count)
        let property = kAudioFormatProperty_ID3TagSize
        expectEqual(
            Ask.status(property, Array("Not a tag.".utf8)), kAudioFormatUnsupportedDataFormatError)
    }

    @Test("ID3TagToDictionary returns the tags; a part of a tag has none")
    func tagToDictionary() throws {
        let property = kAudioFormatProperty_ID3TagToDictionary
        for padding in [0, 3, 50_000] {
            let address: UInt = try Ask.value(property, Self.tag(padding: padding) + [1, 2, 3])
            let pointer = unsafe try #require(unsafe UnsafeRawPointer(bitPattern: address))
            let dictionary = unsafe Unmanaged<CFDictionary>.fromOpaque(pointer).takeRetainedValue()
            expectEqual(CFDictionaryGetCount(dictionary), 1)
        }
        expectEqual(Ask.status(property, Array(Self.tag().dropLast())), kAudioFormatBadSpecifierSizeError)
    }
}
