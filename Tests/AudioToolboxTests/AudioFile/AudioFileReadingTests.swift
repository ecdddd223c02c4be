// SPDX-License-Identifier: MIT

import AQExpectations
import AudioToolbox
import Foundation
import Testing

@Suite struct AudioFileReadingTests {
    private let fixture = AudioFileFixture()

    @Test("the end of a file is reported with the packets before it, and as an error")
    func tellsTheEnd() throws {
        let file = unsafe try fixture.openRamp(kAudioFileWAVEType, frames: 100)
        let exact = unsafe fixture.read(file, from: 90, packets: 10)
        #expect(exact.status == noErr && exact.packets == 10)
        let short = unsafe fixture.read(file, from: 95, packets: 10)
        #expect(short.status == kAudioFileEndOfFileError && short.packets == 5)
        let none = unsafe fixture.read(file, from: 100, packets: 10)
        #expect(none.status == kAudioFileEndOfFileError && none.packets == 0 && none.bytes.isEmpty)
        let before = unsafe fixture.read(file, from: -1, packets: 10)
        #expect(before.status == kAudioFileInvalidPacketOffsetError && before.packets == 0)
        let beyond = unsafe fixture.read(file, from: .max, packets: 10)
        #expect(beyond.status == kAudioFileEndOfFileError && beyond.packets == 0)
    }

    @Test("the older function reports the end only by fewer packets")
    func tellsTheEndAsBefore() throws {
        let file = unsafe try fixture.openRamp(kAudioFileWAVEType, frames: 100)
        var bytes = [UInt8](repeating: 0, count: 20)
        for (packet, count) in [(Int64(90), 10), (95, 5), (100, 0)] {
            var (byteCount, packets): (UInt32, UInt32) = (0, 10)
            let status = unsafe AudioFileReadPackets(file, false, &byteCount, nil, packet, &packets, &bytes)
            expectEqual(status, noErr)
            #expect(packets == UInt32(count) && byteCount == UInt32(count * 2))
        }
    }

    @Test("no more packets are read than fit")
    func readsWhatFits() throws {
        let file = unsafe try fixture.openRamp(kAudioFileWAVEType, frames: 100)
        var bytes = [UInt8](repeating: 0xEE, count: 8)
        var (byteCount, packets): (UInt32, UInt32) = (7, 100)
        unsafe expectEqual(AudioFileReadPacketData(file, false, &byteCount, nil, 0, &packets, &bytes), noErr)
        #expect(byteCount == 6 && packets == 3)
        expectEqual(bytes, [0, 0, 1, 0, 2, 0, 0xEE, 0xEE])
        (byteCount, packets) = (1, 100)
        unsafe expectEqual(
            AudioFileReadPacketData(file, false, &byteCount, nil, 0, &packets, &bytes), kAudio_ParamError)
        #expect(byteCount == 0 && packets == 0)
    }

    @Test("bytes are read from any offset, even parts of packets")
    func readsBytes() throws {
        let file = unsafe try fixture.openRamp(kAudioFileAIFFType, frames: 100)
        let all = AudioFileFixture.ramp(frames: 100, for: kAudioFileAIFFType)
        for (place, count) in [(0, 200), (1, 2), (3, 1), (7, 100), (0, 0)] {
            var bytes = [UInt8](repeating: 0, count: count + 1)
            var byteCount = UInt32(count)
            unsafe expectEqual(AudioFileReadBytes(file, false, Int64(place), &byteCount, &bytes), noErr)
            expectEqual(byteCount, UInt32(count))
            expectEqual(Array(bytes[..<count]), Array(all[place..<place + count]))
        }
        var bytes = [UInt8](repeating: 0, count: 8)
        var byteCount: UInt32 = 8
        unsafe expectEqual(AudioFileReadBytes(file, false, 197, &byteCount, &bytes), kAudioFileEndOfFileError)
        expectEqual(byteCount, 3)
        byteCount = 8
        unsafe expectEqual(AudioFileReadBytes(file, false, -1, &byteCount, &bytes), kAudioFilePositionError)
    }

    @Test("packets of varying size are returned with their descriptions")
    func describesPackets() throws {
        try writePackets()
        let file = unsafe try fixture.open("sound.caf")
        var bytes = [UInt8](repeating: 0, count: 1000)
        var descriptions = [AudioStreamPacketDescription](
            repeating: AudioStreamPacketDescription(), count: 10)
        var (byteCount, packets): (UInt32, UInt32) = (1000, 3)
        unsafe expectEqual(
            AudioFileReadPacketData(file, false, &byteCount, &descriptions, 1, &packets, &bytes), noErr)
        #expect(packets == 3 && byteCount == 90)
        expectEqual(descriptions.prefix(3).map(\.mStartOffset), [0, 20, 50])
        expectEqual(descriptions.prefix(3).map(\.mDataByteSize), [20, 30, 40])
        #expect(bytes[0] == 2 && bytes[20] == 3 && bytes[50] == 4)
        (byteCount, packets) = (1000, 3)
        unsafe expectEqual(
            AudioFileReadPacketData(file, false, &byteCount, nil, 1, &packets, &bytes), kAudio_ParamError)
    }

    @Test("offsets of packets are translated to bytes and frames, and back")
    func translates() throws {
        try writePackets()
        let file = unsafe try fixture.open("sound.caf")
        for (packet, byte) in [(Int64(0), Int64(0)), (1, 10), (4, 100)] {
            var asked = AudioBytePacketTranslation()
            asked.mPacket = packet
            let found = unsafe fixture.property(kAudioFilePropertyPacketToByte, of: file, asked)
            #expect(found.status == noErr && found.value.mByte == byte)
            asked = AudioBytePacketTranslation()
            asked.mByte = byte + 3
            let back = unsafe fixture.property(kAudioFilePropertyByteToPacket, of: file, asked)
            expectEqual(back.status, noErr)
            #expect(back.value.mPacket == packet && back.value.mByteOffsetInPacket == 3)
        }
        var past = AudioBytePacketTranslation()
        past.mPacket = 5
        let status = unsafe fixture.property(kAudioFilePropertyPacketToByte, of: file, past).status
        expectEqual(status, kAudioFileInvalidPacketOffsetError)
        var frames = AudioFramePacketTranslation()
        frames.mFrame = 2050
        let packet = unsafe fixture.property(kAudioFilePropertyFrameToPacket, of: file, frames).value
        #expect(packet.mPacket == 2 && packet.mFrameOffsetInPacket == 2)
        unsafe expectEqual(
            fixture.property(kAudioFilePropertyMaximumPacketSize, of: file, UInt32(0)).value, 50)
    }

    @Test("a file that is not audio, and a missing one, have results of their own")
    func refusesOtherFiles() throws {
        try Data("<html></html>".utf8).write(to: fixture.url("page"))
        try Data().write(to: fixture.url("empty"))
        func status(_ url: URL) -> OSStatus {
            var file: AudioFileID?
            return unsafe AudioFileOpenURL(url as CFURL, .readPermission, 0, &file)
        }
        expectEqual(status(fixture.url("page")), kAudioFileUnsupportedFileTypeError)
        expectEqual(status(fixture.url("empty")), kAudioFileUnsupportedFileTypeError)
        expectEqual(status(fixture.folder), kAudioFileUnsupportedFileTypeError)
        expectEqual(status(fixture.url("none")), kAudioFileFileNotFoundError)
        expectEqual(status(try #require(URL(string: "https://example.org/a.wav"))), kAudio_BadFilePathError)
    }

    /// Five packets of 10 to 50 bytes, whose bytes are their numbers from 1 on.
    private func writePackets() throws {
        let file = unsafe try fixture.create("sound.caf", kAudioFileCAFType, AudioFileFixture.packed)
        var bytes: [UInt8] = []
        var descriptions: [AudioStreamPacketDescription] = []
        for number in 1...5 {
            descriptions.append(
                AudioStreamPacketDescription(
                    mStartOffset: Int64(bytes.count), mVariableFramesInPacket: 0,
                    mDataByteSize: UInt32(number * 10)))
            bytes += [UInt8](repeating: UInt8(number), count: number * 10)
        }
        var packets: UInt32 = 5
        unsafe expectEqual(
            AudioFileWritePackets(
                file, false, UInt32(bytes.count), descriptions, 0, &packets, bytes), noErr)
        expectEqual(packets, 5)
        unsafe expectEqual(AudioFileClose(file), noErr)
    }
}
