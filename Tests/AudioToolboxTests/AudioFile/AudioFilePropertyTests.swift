// SPDX-License-Identifier: MIT

import AQExpectations
import AudioToolbox
import Foundation
import Testing

@Suite struct AudioFilePropertyTests {
    private let fixture = AudioFileFixture()

    /// The properties of a PCM file of any type.
    static let common = [
        kAudioFilePropertyFileFormat, kAudioFilePropertyDataFormat, kAudioFilePropertyFormatList,
        kAudioFilePropertyIsOptimized, kAudioFilePropertyMagicCookieData,
        kAudioFilePropertyAudioDataByteCount,
        kAudioFilePropertyAudioDataPacketCount, kAudioFilePropertyMaximumPacketSize,
        kAudioFilePropertyDataOffset, kAudioFilePropertyChannelLayout, kAudioFilePropertyDeferSizeUpdates,
        kAudioFilePropertyMarkerList, kAudioFilePropertyRegionList, kAudioFilePropertyPacketToFrame,
        kAudioFilePropertyFrameToPacket, kAudioFilePropertyRestrictsRandomAccess,
        kAudioFilePropertyPacketToRollDistance, kAudioFilePropertyPreviousIndependentPacket,
        kAudioFilePropertyNextIndependentPacket, kAudioFilePropertyPacketToDependencyInfo,
        kAudioFilePropertyPacketToByte, kAudioFilePropertyByteToPacket, kAudioFilePropertyChunkIDs,
        kAudioFilePropertyPacketTableInfo, kAudioFilePropertyPacketSizeUpperBound,
        kAudioFilePropertyPacketRangeByteCountUpperBound, kAudioFilePropertyEstimatedDuration,
        kAudioFilePropertyBitRate, kAudioFilePropertySourceBitDepth, kAudioFilePropertyAudioTrackCount,
    ]

    @Test("a property has as many bytes as reported before", arguments: common)
    func tellsSize(property: AudioFilePropertyID) throws {
        try fixture.writeRamp("sound.caf", kAudioFileCAFType, frames: 10)
        let file = unsafe try fixture.open("sound.caf")
        var (reported, isWritable): (UInt32, UInt32) = (0, 9)
        unsafe expectEqual(AudioFileGetPropertyInfo(file, property, &reported, &isWritable), noErr)
        expectEqual(isWritable, 0)
        var bytes = [UInt8](repeating: 0, count: Int(reported) + 16)
        var got = UInt32(bytes.count)
        unsafe expectEqual(AudioFileGetProperty(file, property, &got, &bytes), noErr)
        expectEqual(got, reported)
        guard reported > 0 else { return }
        got = reported - 1
        // A list is truncated to the numbers that fit.
        let isCutShort = property == kAudioFilePropertyChunkIDs && reported > 4
        let expected = isCutShort ? noErr : kAudioFileBadPropertySizeError
        unsafe expectEqual(AudioFileGetProperty(file, property, &got, &bytes), expected)
    }

    @Test("objects are returned as references, and can be released")
    func givesObjects() throws {
        try fixture.writeRamp("sound.caf", kAudioFileCAFType, frames: 44100)
        let file = unsafe try fixture.open("sound.caf")
        let reference = unsafe fixture.property(kAudioFilePropertyInfoDictionary, of: file, UInt(0))
        expectEqual(reference.status, noErr)
        let address = unsafe try #require(unsafe UnsafeRawPointer(bitPattern: reference.value))
        let dictionary = unsafe Unmanaged<NSDictionary>.fromOpaque(address).takeRetainedValue()
        let tags = try #require(dictionary as? [String: String])
        expectEqual(tags[kAFInfoDictionary_ApproximateDurationInSeconds], "1.0")
        let artwork = unsafe fixture.property(kAudioFilePropertyAlbumArtwork, of: file, UInt(1))
        #expect(artwork.status == noErr && artwork.value == 0)
    }

    @Test("unknown properties, and properties of other files, have a result")
    func refusesUnknown() throws {
        let file = unsafe try fixture.openRamp(kAudioFileWAVEType, frames: 10)
        for property in [0, kAudioFilePropertyUseAudioTrack, kAudioFilePropertyID3Tag] {
            let status = unsafe fixture.property(property, of: file, UInt32(0)).status
            expectEqual(status, kAudioFileUnsupportedPropertyError)
        }
        unsafe expectEqual(AudioFileGetPropertyInfo(file, 0, nil, nil), kAudioFileUnsupportedPropertyError)
        unsafe expectEqual(
            AudioFileGetPropertyInfo(file, kAudioFilePropertyDataFormat, nil, nil), noErr)
    }

    @Test("a channel layout is set before the first packet, and stays")
    func setsChannelLayout() throws {
        var format = AudioFileFixture.pcm(for: kAudioFileCAFType)
        format.mChannelsPerFrame = 6
        format.mBytesPerFrame = 12
        format.mBytesPerPacket = 12
        let file = unsafe try fixture.create("sound.caf", kAudioFileCAFType, format)
        var layout = AudioChannelLayout()
        layout.mChannelLayoutTag = kAudioChannelLayoutTag_MPEG_5_1_A
        let byteCount = UInt32(MemoryLayout<AudioChannelLayout>.size)
        func set() -> OSStatus {
            unsafe AudioFileSetProperty(file, kAudioFilePropertyChannelLayout, byteCount, &layout)
        }
        expectEqual(set(), noErr)
        layout.mChannelLayoutTag = kAudioChannelLayoutTag_Stereo
        expectEqual(set(), kAudio_ParamError)
        var packets: UInt32 = 2
        let bytes = [UInt8](repeating: 1, count: 24)
        unsafe expectEqual(AudioFileWritePackets(file, false, 24, nil, 0, &packets, bytes), noErr)
        layout.mChannelLayoutTag = kAudioChannelLayoutTag_MPEG_5_1_B
        expectEqual(set(), kAudioFileOperationNotSupportedError)
        unsafe expectEqual(AudioFileClose(file), noErr)
        let opened = unsafe try fixture.open("sound.caf")
        let found = unsafe fixture.property(kAudioFilePropertyChannelLayout, of: opened, AudioChannelLayout())
        expectEqual(found.value.mChannelLayoutTag, kAudioChannelLayoutTag_MPEG_5_1_A)
        unsafe _ = AudioFileClose(opened)
    }

    @Test("the same magic cookie may be stored again at the end, a different one may not")
    func setsMagicCookie() throws {
        let file = unsafe try fixture.create("sound.caf", kAudioFileCAFType, AudioFileFixture.packed)
        func set(_ cookie: [UInt8]) -> OSStatus {
            unsafe AudioFileSetProperty(
                file, kAudioFilePropertyMagicCookieData, UInt32(cookie.count), cookie)
        }
        expectEqual(set([1, 2, 3]), noErr)
        var description = AudioStreamPacketDescription(
            mStartOffset: 0, mVariableFramesInPacket: 0, mDataByteSize: 10)
        var packets: UInt32 = 1
        let bytes = [UInt8](repeating: 9, count: 10)
        unsafe expectEqual(AudioFileWritePackets(file, false, 10, &description, 0, &packets, bytes), noErr)
        expectEqual(set([1, 2, 3]), noErr)
        expectEqual(set([3, 2, 1]), kAudioFileOperationNotSupportedError)
        unsafe expectEqual(AudioFileClose(file), noErr)
    }

    @Test("a packet table's sum is the number of written frames")
    func setsPacketTable() throws {
        let file = unsafe try fixture.create("sound.caf", kAudioFileCAFType, AudioFileFixture.packed)
        var description = AudioStreamPacketDescription(
            mStartOffset: 0, mVariableFramesInPacket: 0, mDataByteSize: 10)
        var packets: UInt32 = 1
        let bytes = [UInt8](repeating: 9, count: 10)
        unsafe expectEqual(AudioFileWritePackets(file, false, 10, &description, 0, &packets, bytes), noErr)
        func set(_ valid: Int64, _ priming: Int32, _ remainder: Int32) -> OSStatus {
            var table = AudioFilePacketTableInfo(
                mNumberValidFrames: valid, mPrimingFrames: priming, mRemainderFrames: remainder)
            return unsafe AudioFileSetProperty(file, kAudioFilePropertyPacketTableInfo, 16, &table)
        }
        expectEqual(set(1000, 20, 5), kAudio_ParamError)
        expectEqual(set(1044, -20, 0), kAudio_ParamError)
        expectEqual(set(.max, .max, .max), kAudio_ParamError)
        expectEqual(set(1000, 20, 4), noErr)
        let table = unsafe fixture.property(
            kAudioFilePropertyPacketTableInfo, of: file, AudioFilePacketTableInfo()
        ).value
        #expect(table.mNumberValidFrames == 1000 && table.mPrimingFrames == 20 && table.mRemainderFrames == 4)
    }
}
