// SPDX-License-Identifier: MIT

import AQExpectations
import CAQAudioToolbox
import CoreAudioTypes
import Testing

@Suite struct FormatLayoutTests {
    private typealias Ask = FormatQuestion

    @Test("ChannelLayoutForTag describes each channel")
    func layoutForTag() throws {
        let bytes = try Ask.bytes(
            kAudioFormatProperty_ChannelLayoutForTag, Ask.specifier(kAudioChannelLayoutTag_MPEG_5_1_A))
        expectEqual(
            bytes,
            Ask.layout([
                kAudioChannelLabel_Left, kAudioChannelLabel_Right, kAudioChannelLabel_Center,
                kAudioChannelLabel_LFEScreen, kAudioChannelLabel_LeftSurround,
                kAudioChannelLabel_RightSurround,
            ]))
    }

    private static let tagsWithoutLayout: [AudioChannelLayoutTag] = [
        kAudioChannelLayoutTag_UseChannelBitmap, kAudioChannelLayoutTag_UseChannelDescriptions, 99 << 16 | 2,
    ]

    @Test("tags with another meaning, and invalid ones, have no layout", arguments: tagsWithoutLayout)
    func noLayout(tag: AudioChannelLayoutTag) {
        expectEqual(
            Ask.status(kAudioFormatProperty_ChannelLayoutForTag, Ask.specifier(tag)),
            kAudioFormatUnknownFormatError)
    }

    @Test("TagForChannelLayout finds the tag for labels, a bitmap and a tag")
    func tagForLayout() throws {
        let property = kAudioFormatProperty_TagForChannelLayout
        let stereo = Ask.layout([kAudioChannelLabel_Left, kAudioChannelLabel_Right])
        try expectEqual(Ask.value(property, stereo), kAudioChannelLayoutTag_Stereo)
        let bitmap = Ask.layout(tag: kAudioChannelLayoutTag_UseChannelBitmap, bitmap: 0x3F)
        try expectEqual(Ask.value(property, bitmap), kAudioChannelLayoutTag_MPEG_5_1_A)
        let tag = Ask.layout(tag: kAudioChannelLayoutTag_Quadraphonic)
        try expectEqual(Ask.value(property, tag), kAudioChannelLayoutTag_Quadraphonic)
        let strange = Ask.layout([kAudioChannelLabel_LFEScreen, kAudioChannelLabel_Left])
        expectEqual(Ask.status(property, strange), kAudioFormatUnsupportedDataFormatError)
    }

    @Test("BitmapForLayoutTag supports orders that bitmaps have")
    func bitmapForTag() throws {
        let property = kAudioFormatProperty_BitmapForLayoutTag
        #expect(try Ask.value(property, Ask.specifier(kAudioChannelLayoutTag_Stereo)) == 3 as UInt32)
        #expect(try Ask.value(property, Ask.specifier(kAudioChannelLayoutTag_MPEG_5_1_A)) == 0x3F as UInt32)
        #expect(try Ask.value(property, Ask.specifier(kAudioChannelLayoutTag_Mono)) == 4 as UInt32)
        // Left and right follow the centre here, and precede it in a bitmap.
        expectEqual(
            Ask.status(property, Ask.specifier(kAudioChannelLayoutTag_MPEG_5_1_D)),
            kAudioFormatUnsupportedDataFormatError)
        expectEqual(
            Ask.status(property, Ask.specifier(99 << 16 | 2 as UInt32)), kAudioFormatUnknownFormatError)
    }

    @Test("ChannelLayoutForBitmap describes the speakers of the bits")
    func layoutForBitmap() throws {
        let bytes = try Ask.bytes(kAudioFormatProperty_ChannelLayoutForBitmap, Ask.specifier(0x0B as UInt32))
        expectEqual(
            bytes,
            Ask.layout([
                kAudioChannelLabel_Left, kAudioChannelLabel_Right, kAudioChannelLabel_LFEScreen,
            ]))
    }

    @Test("NumberOfChannelsForLayout counts, and uses the count of an unknown tag")
    func numberOfChannels() throws {
        let property = kAudioFormatProperty_NumberOfChannelsForLayout
        #expect(try Ask.value(property, Ask.layout(tag: kAudioChannelLayoutTag_DTS_8_1_A)) == 9 as UInt32)
        #expect(try Ask.value(property, Ask.layout(tag: kAudioChannelLayoutTag_CICP_13)) == 24 as UInt32)
        let bitmap = Ask.layout(tag: kAudioChannelLayoutTag_UseChannelBitmap, bitmap: 0x107)
        #expect(try Ask.value(property, bitmap) == 4 as UInt32)
        #expect(try Ask.value(property, Ask.layout([1, 2, 3])) == 3 as UInt32)
    }

    @Test("AreChannelLayoutsEquivalent compares the channels, and ChannelLayoutHash agrees")
    func equivalence() throws {
        let byTag = Ask.layout(tag: kAudioChannelLayoutTag_Stereo)
        let byLabel = Ask.layout([kAudioChannelLabel_Left, kAudioChannelLabel_Right])
        let byBit = Ask.layout(tag: kAudioChannelLayoutTag_UseChannelBitmap, bitmap: 3)
        let swapped = Ask.layout([kAudioChannelLabel_Right, kAudioChannelLabel_Left])
        func areEquivalent(_ one: [UInt8], _ other: [UInt8]) throws -> UInt32 {
            try Ask.pair(one, other) { try Ask.value(kAudioFormatProperty_AreChannelLayoutsEquivalent, $0) }
        }
        func hash(_ layout: [UInt8]) throws -> UInt32 {
            try Ask.value(kAudioFormatProperty_ChannelLayoutHash, layout)
        }
        for same in [byLabel, byBit] {
            try expectEqual(areEquivalent(byTag, same), 1)
            try expectEqual(hash(byTag), hash(same))
        }
        try expectEqual(areEquivalent(byTag, swapped), 0)
        #expect(try hash(byTag) != hash(swapped))
    }

    @Test("ValidateChannelLayout distinguishes contradictory layouts from unknown ones")
    func validation() {
        func validate(_ layout: [UInt8]) -> OSStatus {
            unsafe layout.withUnsafeBytes {
                unsafe AudioFormatGetProperty(
                    kAudioFormatProperty_ValidateChannelLayout, UInt32($0.count), $0.baseAddress, nil, nil)
            }
        }
        expectEqual(validate(Ask.layout(tag: kAudioChannelLayoutTag_Stereo)), noErr)
        expectEqual(validate(Ask.layout(tag: kAudioChannelLayoutTag_CICP_13)), noErr)
        expectEqual(validate(Ask.layout([kAudioChannelLabel_Left, kAudioChannelLabel_Discrete_0])), noErr)
        expectEqual(validate(Ask.layout([kAudioChannelLabel_Left], promised: 2)), kAudio_ParamError)
        expectEqual(validate(Ask.layout([], promised: .max)), kAudio_ParamError)
        expectEqual(validate(Ask.layout([])), kAudio_ParamError)
        expectEqual(validate([1, 2, 3]), kAudio_ParamError)
        expectEqual(validate(Ask.layout(tag: 99 << 16 | 2)), kAudioFormatUnknownFormatError)
        expectEqual(validate(Ask.layout([9999])), kAudioFormatUnknownFormatError)
        let unknownBit = Ask.layout(tag: kAudioChannelLayoutTag_UseChannelBitmap, bitmap: 1 << 30)
        expectEqual(validate(unknownBit), kAudioFormatUnknownFormatError)
    }

    @Test("TagsForNumberOfChannels lists tags of that number, and each can be expanded")
    func tagsForNumber() throws {
        for channels in [1, 2, 6, 8] as [UInt32] {
            let tags: [UInt32] = try Ask.values(
                kAudioFormatProperty_TagsForNumberOfChannels, Ask.specifier(channels))
            #expect(tags.count > 0)
            expectEqual(Set(tags).count, tags.count)
            for tag in tags {
                expectEqual(tag & 0xFFFF, channels)
                expectEqual(Ask.status(kAudioFormatProperty_ChannelLayoutForTag, Ask.specifier(tag)), noErr)
            }
        }
        let none: [UInt32] = try Ask.values(
            kAudioFormatProperty_TagsForNumberOfChannels, Ask.specifier(0 as UInt32))
        expectEqual(none, [])
    }

    @Test("layouts and channels have names")
    func names() throws {
        let surround = Ask.layout(tag: kAudioChannelLayoutTag_MPEG_5_1_A)
        try expectEqual(Ask.text(kAudioFormatProperty_ChannelLayoutSimpleName, surround), "5.1")
        try expectEqual(Ask.text(kAudioFormatProperty_ChannelLayoutName, surround), "5.1 (L R C LFE Ls Rs)")
        let stereo = Ask.layout([kAudioChannelLabel_Left, kAudioChannelLabel_Right])
        try expectEqual(Ask.text(kAudioFormatProperty_ChannelLayoutName, stereo), "Stereo (L R)")
        let high = Ask.layout(tag: kAudioChannelLayoutTag_Atmos_5_1_2)
        try expectEqual(Ask.text(kAudioFormatProperty_ChannelLayoutSimpleName, high), "5.1.2")
        func channel(_ label: AudioChannelLabel) -> [UInt8] {
            [label, 0, 0, 0, 0].flatMap { Ask.specifier($0) }
        }
        let left = channel(kAudioChannelLabel_LeftSurround)
        try expectEqual(Ask.text(kAudioFormatProperty_ChannelName, left), "Left Surround")
        try expectEqual(Ask.text(kAudioFormatProperty_ChannelShortName, left), "Ls")
        let third = channel(kAudioChannelLabel_Discrete_2)
        try expectEqual(Ask.text(kAudioFormatProperty_ChannelName, third), "Discrete 3")
        expectEqual(
            Ask.status(kAudioFormatProperty_ChannelName, channel(9999)), kAudioFormatUnknownFormatError)
    }
}
