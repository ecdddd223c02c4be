// SPDX-License-Identifier: MIT

import AQExpectations
import AudioToolbox
import Foundation
import Testing

/// Files of encoded audio that is stored in pieces, and in its own order.
@Suite struct AudioFileMPEG4Tests {
    private let fixture = AudioFileFixture()

    @Test("while it is written, a file counts every packet, although the last ones cannot be read")
    func countsPackets() throws {
        let file = unsafe try fixture.create("sound.m4a", kAudioFileM4AType, AudioFileFixture.packed)
        for (first, count) in [(0, 1), (1, 10), (11, 20), (31, 29)] {
            unsafe expectEqual(append(count, to: file, at: first), noErr)
            let reported = unsafe fixture.property(
                kAudioFilePropertyAudioDataPacketCount, of: file, UInt64(99))
            expectEqual(reported.status, noErr)
            #expect(reported.value == first + count)
            #expect(unsafe read(file, packets: Int(reported.value)) < Int(reported.value))
        }
        unsafe expectEqual(AudioFileClose(file), noErr)
        let opened = unsafe try fixture.open("sound.m4a")
        let reported = unsafe fixture.property(kAudioFilePropertyAudioDataPacketCount, of: opened, UInt64(0))
        expectEqual(reported.value, 60)
    }

    @Test(
        "while it is written, the frames of its packet table are those of its packets, so it can be set from them",
        arguments: [kAudioFileM4AType, kAudioFileCAFType])
    func packetTable(type: AudioFileTypeID) throws {
        let file = unsafe try fixture.create("sound", type, AudioFileFixture.packed)
        unsafe expectEqual(append(47, to: file, at: 0), noErr)
        let property = kAudioFilePropertyPacketTableInfo
        var isWritable: UInt32 = 0
        unsafe expectEqual(AudioFileGetPropertyInfo(file, property, nil, &isWritable), noErr)
        expectEqual(isWritable, 1)
        let reported = unsafe fixture.property(property, of: file, AudioFilePacketTableInfo())
        expectEqual(reported.status, noErr)
        var table = reported.value
        let frames =
            table.mNumberValidFrames + Int64(table.mPrimingFrames) + Int64(table.mRemainderFrames)
        expectEqual(frames, 47 * 1024)
        table.mPrimingFrames = 2112
        table.mRemainderFrames = 16
        table.mNumberValidFrames = frames - 2112 - 16
        let byteCount = UInt32(MemoryLayout<AudioFilePacketTableInfo>.size)
        unsafe expectEqual(AudioFileSetProperty(file, property, byteCount, &table), noErr)
    }

    @Test("a file type without a packet table accepts none")
    func noPacketTable() throws {
        let file = unsafe try fixture.create("sound.aac", kAudioFileAAC_ADTSType, AudioFileFixture.packed)
        unsafe expectEqual(append(4, to: file, at: 0), noErr)
        var isWritable: UInt32 = 9
        let property = kAudioFilePropertyPacketTableInfo
        unsafe expectEqual(AudioFileGetPropertyInfo(file, property, nil, &isWritable), noErr)
        expectEqual(isWritable, 0)
    }

    @Test(
        "a channel order other than that of the packets is refused if the file cannot state it",
        arguments: [
            kAudioFileM4AType, kAudioFileMPEG4Type, kAudioFileAAC_ADTSType,
        ])
    func channelOrder(type: AudioFileTypeID) throws {
        var format = AudioFileFixture.packed
        format.mChannelsPerFrame = 6
        let file = unsafe try fixture.create("sound", type, format)
        let usual = kAudioChannelLayoutTag_MPEG_5_1_A
        unsafe expectEqual(setLayout(usual, of: file), kAudioFileUnsupportedPropertyError)
        let own = kAudioChannelLayoutTag_AAC_5_1
        unsafe expectEqual(setLayout(own, of: file), noErr)
        let found = unsafe fixture.property(kAudioFilePropertyChannelLayout, of: file, AudioChannelLayout())
        expectEqual(found.value.mChannelLayoutTag, own)
    }

    @Test("if the file can state the order, any is accepted, and mono has only one")
    func otherOrders() throws {
        var format = AudioFileFixture.packed
        format.mChannelsPerFrame = 6
        let caf = unsafe try fixture.create("sound.caf", kAudioFileCAFType, format)
        unsafe expectEqual(setLayout(kAudioChannelLayoutTag_MPEG_5_1_A, of: caf), noErr)
        unsafe _ = AudioFileClose(caf)
        let mono = unsafe try fixture.create("sound.m4a", kAudioFileM4AType, AudioFileFixture.packed)
        unsafe expectEqual(setLayout(kAudioChannelLayoutTag_DiscreteInOrder | 1, of: mono), noErr)
        unsafe _ = AudioFileClose(mono)
    }

    private func setLayout(_ tag: AudioChannelLayoutTag, of file: AudioFileID) -> OSStatus {
        var layout = AudioChannelLayout()
        layout.mChannelLayoutTag = tag
        let byteCount = UInt32(MemoryLayout<AudioChannelLayout>.size)
        return unsafe AudioFileSetProperty(file, kAudioFilePropertyChannelLayout, byteCount, &layout)
    }

    private func append(_ count: Int, to file: AudioFileID, at first: Int) -> OSStatus {
        let places = (0..<count).map {
            AudioStreamPacketDescription(
                mStartOffset: Int64($0 * 10), mVariableFramesInPacket: 0, mDataByteSize: 10)
        }
        var packets = UInt32(count)
        let bytes = [UInt8](repeating: 9, count: count * 10)
        return unsafe AudioFileWritePackets(
            file, false, UInt32(bytes.count), places, Int64(first), &packets, bytes)
    }

    /// The number of packets that are read from the first on.
    private func read(_ file: AudioFileID, packets wanted: Int) -> Int {
        var bytes = [UInt8](repeating: 0, count: max(wanted * 10, 1))
        var places = [AudioStreamPacketDescription](
            repeating: AudioStreamPacketDescription(), count: max(wanted, 1))
        var (byteCount, packets) = (UInt32(bytes.count), UInt32(wanted))
        let status = unsafe AudioFileReadPacketData(file, false, &byteCount, &places, 0, &packets, &bytes)
        #expect(status == noErr || status == kAudioFileEndOfFileError)
        return Int(packets)
    }
}
