// SPDX-License-Identifier: MIT

import AQExpectations
import AudioToolbox
import Foundation
import AQMagicCookies
import Testing

/// Lists and objects with given contents, and their memory layout.
@Suite struct AudioFileContentsTests {
    private let fixture = AudioFileFixture()

    @Test("a region has a name, possibly empty, and a marker has no time of day")
    func regions() throws {
        let description = fields(
            (44100.0.bitPattern, 8), (UInt64(kAudioFormatLinearPCM), 4), (2, 4), (2, 4), (1, 4), (1, 4),
            (16, 4))
        let region = fields((0, 4), (1, 4), (7, 4), (2, 4), (1, 4))
        let marker = fields((0, 4), (5.5.bitPattern, 8), (9, 4), (.max, 8), (0, 4))
        var file = Array("caff".utf8) + fields((1, 2), (0, 2))
        file += chunk("desc", description)
        file += chunk("regn", region + marker)
        file += chunk("data", [UInt8](repeating: 0, count: 4 + 20))
        try Data(file).write(to: fixture.url("sound.caf"))
        let opened = unsafe try fixture.open("sound.caf")
        var list = [UInt8](repeating: 0, count: 8 + 24 + 40)
        var byteCount = UInt32(list.count)
        unsafe expectEqual(
            AudioFileGetProperty(opened, kAudioFilePropertyRegionList, &byteCount, &list), noErr)
        expectEqual(byteCount, 72)
        func field<Field: FixedWidthInteger & BitwiseCopyable>(_ offset: Int, _ type: Field.Type) -> Field {
            unsafe list.withUnsafeBytes { unsafe $0.loadUnaligned(fromByteOffset: offset, as: type) }
        }
        expectEqual(field(4, UInt32.self), 1)
        expectEqual(field(8, UInt32.self), 7)
        let name = unsafe try #require(unsafe UnsafeRawPointer(bitPattern: field(16, UInt.self)))
        unsafe expectEqual(Unmanaged<NSString>.fromOpaque(name).takeRetainedValue().length, 0)
        expectEqual(field(24, UInt32.self), 2)
        expectEqual(field(28, UInt32.self), 1)
        expectEqual(Double(bitPattern: field(32, UInt64.self)), 5.5)
        expectEqual(field(40, UInt.self), 0)
        expectEqual(field(48, UInt32.self), 9)
        expectEqual(field(52, UInt64.self), .max)
    }

    @Test("audio that can be decoded with and without its extension has a format for each, the richest first")
    func formatList() throws {
        var config = try AudioSpecificConfig(sampleRate: 22_050, channels: 2)
        (config.extensionObjectType, config.extensionSampleRate) = (5, 44_100)
        let cookie = AACCookie.cookie(for: config)
        var format = AudioFileFixture.packed
        format.mFormatID = kAudioFormatMPEG4AAC_HE
        format.mFramesPerPacket = 2048
        format.mChannelsPerFrame = 2
        let file = unsafe try fixture.create("sound.caf", kAudioFileCAFType, format)
        unsafe expectEqual(
            AudioFileSetProperty(
                file, kAudioFilePropertyMagicCookieData, UInt32(cookie.count), cookie), noErr)
        var place = AudioStreamPacketDescription(
            mStartOffset: 0, mVariableFramesInPacket: 0, mDataByteSize: 10)
        var packets: UInt32 = 1
        let bytes = [UInt8](repeating: 9, count: 10)
        unsafe expectEqual(AudioFileWritePackets(file, false, 10, &place, 0, &packets, bytes), noErr)
        unsafe expectEqual(AudioFileClose(file), noErr)

        let opened = unsafe try fixture.open("sound.caf")
        var reported: UInt32 = 0
        unsafe expectEqual(
            AudioFileGetPropertyInfo(opened, kAudioFilePropertyFormatList, &reported, nil), noErr)
        expectEqual(Int(reported), 2 * MemoryLayout<AudioFormatListItem>.stride)
        var items = [AudioFormatListItem](repeating: AudioFormatListItem(), count: 3)
        var got = UInt32(3 * MemoryLayout<AudioFormatListItem>.stride)
        unsafe expectEqual(AudioFileGetProperty(opened, kAudioFilePropertyFormatList, &got, &items), noErr)
        expectEqual(got, reported)
        expectEqual(items.prefix(2).map(\.mASBD.mFormatID), [kAudioFormatMPEG4AAC_HE, kAudioFormatMPEG4AAC])
        expectEqual(items.prefix(2).map(\.mASBD.mSampleRate), [44_100, 22_050])
        #expect(items.prefix(2).allSatisfy { $0.mChannelLayoutTag == kAudioChannelLayoutTag_Stereo })
    }

    @Test("an object of another type than requested is refused, and not accessed")
    func otherObjects() throws {
        let file = unsafe try fixture.createPCM("sound.caf", kAudioFileCAFType)
        let (text, list) = ("wav" as NSString, ["wav"] as NSArray)
        var reference = unsafe UInt(bitPattern: Unmanaged.passUnretained(text).toOpaque())
        unsafe expectEqual(
            AudioFileSetProperty(file, kAudioFilePropertyInfoDictionary, 8, &reference), kAudio_ParamError)
        reference = unsafe UInt(bitPattern: Unmanaged.passUnretained(list).toOpaque())
        var byteCount: UInt32 = 0
        unsafe expectEqual(
            AudioFileGetGlobalInfoSize(
                kAudioFileGlobalInfo_TypesForExtension, 8, &reference, &byteCount), kAudio_ParamError)
        withExtendedLifetime((text, list)) {}
    }

    private func chunk(_ type: String, _ contents: [UInt8]) -> [UInt8] {
        Array(type.utf8) + fields((UInt64(contents.count), 8)) + contents
    }

    /// Numbers of a number of bytes each, big-endian.
    private func fields(_ fields: (value: UInt64, bytes: Int)...) -> [UInt8] {
        fields.flatMap { field in
            (0..<field.bytes).reversed().map { UInt8(truncatingIfNeeded: field.value >> UInt64($0 * 8)) }
        }
    }
}
