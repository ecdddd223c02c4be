// SPDX-License-Identifier: MIT

import AQExpectations
import AQToolboxFunctions
import CAQAudioToolbox
import CoreAudioTypes
import CoreFoundation
import Testing

/// The properties of a stream.
@Suite struct StreamPropertyTests {
    /// A WAVE file of 100 frames, parsed to its end.
    private static func waveProbe() -> StreamProbe {
        let probe = StreamProbe()
        probe.parse(StreamBytes.wave(frames: 100))
        probe.finish()
        return probe
    }

    @Test("a WAVE stream returns the published values")
    func waveValues() throws {
        let probe = Self.waveProbe()
        try expectEqual(probe.value(kAudioFileStreamProperty_ReadyToProducePackets, 0 as UInt32).get(), 1)
        try expectEqual(
            probe.value(kAudioFileStreamProperty_FileFormat, 0 as UInt32).get(), kAudioFileWAVEType)
        let format = try probe.value(
            kAudioFileStreamProperty_DataFormat, AudioStreamBasicDescription()
        ).get()
        let expected = AudioStreamBasicDescription.signedInteger(
            bits: 16, isBigEndian: false, channels: 2, sampleRate: 44_100)
        #expect(format.isSame(as: expected))
        try expectEqual(probe.value(kAudioFileStreamProperty_DataOffset, 0 as Int64).get(), 44)
        try expectEqual(probe.value(kAudioFileStreamProperty_AudioDataByteCount, 0 as UInt64).get(), 400)
        try expectEqual(probe.value(kAudioFileStreamProperty_AudioDataPacketCount, 0 as UInt64).get(), 100)
        try expectEqual(probe.value(kAudioFileStreamProperty_MaximumPacketSize, 0 as UInt32).get(), 4)
        try expectEqual(probe.value(kAudioFileStreamProperty_PacketSizeUpperBound, 0 as UInt32).get(), 4)
        try expectEqual(probe.value(kAudioFileStreamProperty_AverageBytesPerPacket, 0 as Float64).get(), 4)
        try expectEqual(probe.value(kAudioFileStreamProperty_BitRate, 0 as UInt32).get(), 1_411_200)
        try expectEqual(probe.value(kAudioFileStreamProperty_RestrictsRandomAccess, 9 as UInt32).get(), 0)
        let table = try probe.value(
            kAudioFileStreamProperty_PacketTableInfo, AudioFilePacketTableInfo()
        ).get()
        expectEqual(table.mNumberValidFrames, 100)
        expectEqual(table.mPrimingFrames, 0)
        expectEqual(table.mRemainderFrames, 0)
    }

    @Test("the layout is as long as the struct, and by tag if there is one")
    func layout() throws {
        let probe = Self.waveProbe()
        expectEqual(probe.size(kAudioFileStreamProperty_ChannelLayout).bytes, 32)
        let layout = try probe.value(kAudioFileStreamProperty_ChannelLayout, AudioChannelLayout()).get()
        expectEqual(layout.mChannelLayoutTag, kAudioChannelLayoutTag_Stereo)
        expectEqual(layout.mNumberChannelDescriptions, 0)
    }

    @Test("the list of formats of a plain stream is its format")
    func formatList() throws {
        let probe = Self.waveProbe()
        let item = try probe.value(kAudioFileStreamProperty_FormatList, AudioFormatListItem()).get()
        expectEqual(item.mASBD.mFormatID, kAudioFormatLinearPCM)
        expectEqual(item.mChannelLayoutTag, kAudioChannelLayoutTag_Stereo)
        let itemBytes = UInt32(MemoryLayout<AudioFormatListItem>.stride)
        expectEqual(probe.size(kAudioFileStreamProperty_FormatList).bytes, itemBytes)
    }

    @Test("the magic cookie of an ADTS stream can be read completely, or not at all")
    func cookie() throws {
        let probe = StreamProbe(typeHint: kAudioFileAAC_ADTSType)
        expectEqual(probe.parse(try StreamBytes.adts(0..<10)), noErr)
        let size = probe.size(kAudioFileStreamProperty_MagicCookieData)
        expectEqual(size.status, noErr)
        #expect(size.bytes > 2)
        expectEqual(probe.status(kAudioFileStreamProperty_MagicCookieData, roomBytes: Int(size.bytes)), noErr)
        expectEqual(
            probe.status(kAudioFileStreamProperty_MagicCookieData, roomBytes: Int(size.bytes) - 1),
            kAudioFileStreamError_BadPropertySize)
    }

    @Test("before its bytes have arrived, a property is unavailable; one that never arrives is unknown")
    func availability() throws {
        let probe = StreamProbe()
        let properties = [
            kAudioFileStreamProperty_DataFormat, kAudioFileStreamProperty_FormatList,
            kAudioFileStreamProperty_MagicCookieData, kAudioFileStreamProperty_PacketToFrame,
        ]
        for property in properties {
            expectEqual(probe.size(property).status, kAudioFileStreamError_DataUnavailable)
            expectEqual(probe.status(property), kAudioFileStreamError_DataUnavailable)
        }
        try expectEqual(probe.value(kAudioFileStreamProperty_ReadyToProducePackets, 9 as UInt32).get(), 0)
        probe.parse(StreamBytes.wave(frames: 10))
        expectEqual(
            probe.status(kAudioFileStreamProperty_MagicCookieData), kAudioFileStreamError_ValueUnknown)
        expectEqual(probe.status(kAudioFileStreamProperty_InfoDictionary), kAudioFileStreamError_ValueUnknown)
    }

    @Test("no property can be set, and an invalid one is unknown")
    func setting() {
        let probe = Self.waveProbe()
        var value: UInt32 = 1
        expectEqual(probe.size(kAudioFileStreamProperty_BitRate).isWritable, false)
        unsafe expectEqual(
            audioFileStreamSetProperty(probe.handle, kAudioFileStreamProperty_BitRate, 4, &value),
            kAudioFileStreamError_IllegalOperation)
        unsafe expectEqual(
            audioFileStreamSetProperty(probe.handle, 0x6E6F_6E65, 4, &value),
            kAudioFileStreamError_UnsupportedProperty)
        expectEqual(probe.size(0x6E6F_6E65).status, kAudioFileStreamError_UnsupportedProperty)
        expectEqual(probe.status(0x6E6F_6E65), kAudioFileStreamError_UnsupportedProperty)
    }

    @Test(
        "memory that is too small for a value is not changed",
        arguments: [
            kAudioFileStreamProperty_DataFormat, kAudioFileStreamProperty_FormatList,
            kAudioFileStreamProperty_ChannelLayout, kAudioFileStreamProperty_PacketToFrame,
            kAudioFileStreamProperty_AudioDataByteCount,
        ])
    func tooSmall(property: AudioFileStreamPropertyID) {
        let probe = Self.waveProbe()
        expectEqual(probe.status(property, roomBytes: 3), kAudioFileStreamError_BadPropertySize)
    }

    @Test("a tag at the start becomes a dictionary, which belongs to the client")
    func dictionary() throws {
        let probe = StreamProbe(typeHint: kAudioFileAAC_ADTSType)
        let frame = Array("TIT2".utf8) + [0, 0, 0, 6, 0, 0, 0] + Array("Title".utf8)
        let tag = Array("ID3".utf8) + [3, 0, 0, 0, 0, 0, UInt8(frame.count)] + frame
        expectEqual(probe.parse(tag + (try StreamBytes.adts(0..<10))), noErr)
        let address = try probe.value(kAudioFileStreamProperty_InfoDictionary, 0 as UInt).get()
        let pointer = unsafe try #require(unsafe UnsafeRawPointer(bitPattern: address))
        let dictionary = unsafe Unmanaged<CFDictionary>.fromOpaque(pointer).takeRetainedValue()
        expectEqual(CFDictionaryGetCount(dictionary), 1)
    }

    #if HAVE_MPEG_AUDIO
    @Test("each layer of MPEG audio is a file type of its own, reported with the format")
    func layers() throws {
        // 128 kbit/s at 44.1 kHz, silence: a header of layer II, and zeros up to the next.
        let packet = [0xFF, 0xFD, 0x80, 0] + [UInt8](repeating: 0, count: 413)
        let probe = StreamProbe(typeHint: kAudioFileMP2Type)
        expectEqual(probe.parse((0..<20).flatMap { _ in packet }), noErr)
        try expectEqual(
            probe.value(kAudioFileStreamProperty_FileFormat, 0 as UInt32).get(), kAudioFileMP2Type)
        expectEqual(
            probe.properties.prefix(2),
            [
                kAudioFileStreamProperty_FileFormat, kAudioFileStreamProperty_DataFormat,
            ])
    }
    #endif
}

/// Translations between packets, frames and bytes.
extension StreamPropertyTests {
    @Test("packets and frames are translated both ways")
    func frames() throws {
        let probe = StreamProbe(typeHint: kAudioFileAAC_ADTSType)
        expectEqual(probe.parse(try StreamBytes.adts(0..<10)), noErr)
        let packet = AudioFramePacketTranslation(mFrame: 0, mPacket: 3, mFrameOffsetInPacket: 0)
        try expectEqual(probe.value(kAudioFileStreamProperty_PacketToFrame, packet).get().mFrame, 3072)
        let frame = AudioFramePacketTranslation(mFrame: 3100, mPacket: 0, mFrameOffsetInPacket: 0)
        let found = try probe.value(kAudioFileStreamProperty_FrameToPacket, frame).get()
        expectEqual(found.mPacket, 3)
        expectEqual(found.mFrameOffsetInPacket, 28)
    }

    @Test("packets and bytes are translated both ways, exactly where packets have one size")
    func bytes() throws {
        let probe = Self.waveProbe()
        let packet = AudioBytePacketTranslation(mByte: 0, mPacket: 25, mByteOffsetInPacket: 7, mFlags: [])
        let place = try probe.value(kAudioFileStreamProperty_PacketToByte, packet).get()
        expectEqual(place.mByte, 100)
        expectEqual(place.mByteOffsetInPacket, 0)
        expectEqual(place.mFlags, [])
        for byte in [0, 1, 102, 399] as [Int64] {
            let question = AudioBytePacketTranslation(
                mByte: byte, mPacket: 0, mByteOffsetInPacket: 0, mFlags: [])
            let found = try probe.value(kAudioFileStreamProperty_ByteToPacket, question).get()
            expectEqual(found.mPacket, byte / 4)
            expectEqual(Int64(found.mByteOffsetInPacket), byte % 4)
        }
    }

    @Test("an estimate of bytes from the packets so far is flagged as one")
    func estimates() throws {
        let probe = StreamProbe(typeHint: kAudioFileAAC_ADTSType)
        expectEqual(probe.parse(try StreamBytes.adts(0..<40)), noErr)
        let question = AudioBytePacketTranslation(
            mByte: 100_000, mPacket: 0, mByteOffsetInPacket: 0, mFlags: [])
        let found = try probe.value(kAudioFileStreamProperty_ByteToPacket, question).get()
        expectEqual(found.mFlags, .bytePacketTranslationFlag_IsEstimate)
        #expect(700...900 ~= found.mPacket)
    }

    @Test("offsets that no stream has are refused", arguments: [-1, 100, Int64.max, Int64.min])
    func outside(place: Int64) {
        let probe = Self.waveProbe()
        let frames = AudioFramePacketTranslation(mFrame: place, mPacket: place, mFrameOffsetInPacket: 0)
        let failure = ProbeFailure(status: kAudioFileStreamError_InvalidPacketOffset)
        for property in [kAudioFileStreamProperty_PacketToFrame, kAudioFileStreamProperty_FrameToPacket] {
            #expect(throws: failure) { try probe.value(property, frames).get() }
        }
        let byte = place == 100 ? 400 : place
        let bytes = AudioBytePacketTranslation(
            mByte: byte, mPacket: place, mByteOffsetInPacket: 0, mFlags: [])
        for property in [kAudioFileStreamProperty_PacketToByte, kAudioFileStreamProperty_ByteToPacket] {
            #expect(throws: failure) { try probe.value(property, bytes).get() }
        }
    }

    @Test("the largest byte of an endless stream does not overflow the packet number")
    func largestByte() throws {
        let probe = StreamProbe(typeHint: kAudioFileAAC_ADTSType)
        expectEqual(probe.parse(try StreamBytes.adts(0..<10)), noErr)
        let question = AudioBytePacketTranslation(
            mByte: .max, mPacket: 0, mByteOffsetInPacket: 0, mFlags: [])
        #expect(try probe.value(kAudioFileStreamProperty_ByteToPacket, question).get().mPacket > 0)
    }

    @Test("AAC needs a packet before the one to be decoded; PCM needs none")
    func rolling() throws {
        let probe = StreamProbe(typeHint: kAudioFileAAC_ADTSType)
        expectEqual(probe.parse(try StreamBytes.adts(0..<10)), noErr)
        for (packet, distance) in [(0, 0), (1, 1), (5, 1)] as [(Int64, Int64)] {
            let roll = AudioPacketRollDistanceTranslation(mPacket: packet, mRollDistance: 99)
            try expectEqual(
                probe.value(kAudioFileStreamProperty_PacketToRollDistance, roll).get().mRollDistance, distance
            )
            let dependency = AudioPacketDependencyInfoTranslation(
                mPacket: packet, mIsIndependentlyDecodable: 0, mNumberPrerollPackets: 99)
            let found = try probe.value(kAudioFileStreamProperty_PacketToDependencyInfo, dependency).get()
            expectEqual(found.mIsIndependentlyDecodable, 1)
            expectEqual(Int64(found.mNumberPrerollPackets), distance)
        }
        let roll = AudioPacketRollDistanceTranslation(mPacket: 9, mRollDistance: 99)
        let samples = Self.waveProbe()
        let first = try samples.value(kAudioFileStreamProperty_PacketToRollDistance, roll).get()
        expectEqual(first.mRollDistance, 0)
    }

    @Test("the packets beside a packet are independent, and none exists before the first or after the last")
    func neighbours() throws {
        let probe = Self.waveProbe()
        let cases: [(packet: Int64, previous: Int64, next: Int64)] = [(0, -1, 1), (50, 49, 51), (99, 98, -1)]
        for (packet, previous, next) in cases {
            let question = AudioIndependentPacketTranslation(
                mPacket: packet, mIndependentlyDecodablePacket: 0)
            let before = try probe.value(kAudioFileStreamProperty_PreviousIndependentPacket, question).get()
            let after = try probe.value(kAudioFileStreamProperty_NextIndependentPacket, question).get()
            expectEqual(before.mIndependentlyDecodablePacket, previous)
            expectEqual(after.mIndependentlyDecodablePacket, next)
        }
    }
}
