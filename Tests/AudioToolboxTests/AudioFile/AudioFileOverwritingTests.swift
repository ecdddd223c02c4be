// SPDX-License-Identifier: MIT

import AQExpectations
import AudioToolbox
import Foundation
import Testing

/// Overwriting earlier data.
@Suite struct AudioFileOverwritingTests {
    private let fixture = AudioFileFixture()

    @Test(
        "packets of one size are overwritten, and those after the last are appended",
        arguments: AudioFileWritingTests.kinds)
    func overwritesPackets(type: AudioFileTypeID) throws {
        let file = unsafe try fixture.createPCM("sound", type)
        var expected = AudioFileFixture.ramp(frames: 100, for: type)
        unsafe expectEqual(fixture.append(expected, to: file, at: 0), noErr)
        func put(_ byte: UInt8, packets: Int, at packet: Int) -> OSStatus {
            let bytes = [UInt8](repeating: byte, count: packets * 2)
            let known = min(packets * 2, expected.count - packet * 2)
            expected.replaceSubrange(packet * 2..<packet * 2 + known, with: bytes)
            return unsafe fixture.append(bytes, to: file, at: Int64(packet))
        }
        expectEqual(put(1, packets: 5, at: 0), noErr)
        // Also after it was read, which must not return the old data.
        unsafe expectEqual(fixture.read(file, from: 0, packets: 100).bytes, expected)
        expectEqual(put(2, packets: 10, at: 50), noErr)
        expectEqual(put(3, packets: 20, at: 90), noErr)
        expectEqual(expected.count, 220)
        unsafe expectEqual(fixture.read(file, from: 0, packets: 110).bytes, expected)
        expectEqual(put(4, packets: 1, at: 110), noErr)
        unsafe expectEqual(AudioFileClose(file), noErr)
        let opened = unsafe try fixture.open("sound")
        unsafe expectEqual(fixture.read(opened, from: 0, packets: 111).bytes, expected)
        let packets = unsafe fixture.property(kAudioFilePropertyAudioDataPacketCount, of: opened, UInt64(0))
        expectEqual(packets.value, 111)
    }

    @Test("bytes are overwritten at any offset, and new ones end with a whole packet")
    func overwritesBytes() throws {
        let file = unsafe try fixture.createPCM("sound", kAudioFileCAFType)
        func put(_ bytes: [UInt8], at place: Int64) -> (status: OSStatus, bytes: UInt32) {
            var byteCount = UInt32(bytes.count)
            return unsafe (AudioFileWriteBytes(file, false, place, &byteCount, bytes), byteCount)
        }
        #expect(put([1, 2, 3, 4, 5, 6], at: 0) == (noErr, 6))
        #expect(put([9, 8, 7], at: 1) == (noErr, 3))
        #expect(put([0, 1, 2], at: 5) == (noErr, 3))
        #expect(put([0, 0], at: 7) == (kAudioFileOperationNotSupportedError, 0))
        unsafe expectEqual(fixture.read(file, from: 0, packets: 4).bytes, [1, 9, 8, 7, 5, 0, 1, 2])
    }

    @Test("packets of varying size are appended, and not overwritten")
    func refusesOtherPackets() throws {
        let file = unsafe try fixture.create("sound.caf", kAudioFileCAFType, AudioFileFixture.packed)
        func put(at packet: Int64) -> OSStatus {
            var place = AudioStreamPacketDescription(
                mStartOffset: 0, mVariableFramesInPacket: 0, mDataByteSize: 10)
            var packets: UInt32 = 1
            let bytes = [UInt8](repeating: 9, count: 10)
            return unsafe AudioFileWritePackets(file, false, 10, &place, packet, &packets, bytes)
        }
        expectEqual(put(at: 0), noErr)
        expectEqual(put(at: 0), kAudioFileInvalidPacketOffsetError)
        var byteCount: UInt32 = 5
        let bytes = [UInt8](repeating: 9, count: 5)
        unsafe expectEqual(
            AudioFileWriteBytes(file, false, 0, &byteCount, bytes), kAudioFileOperationNotSupportedError)
    }

    @Test(
        "packets of one size at the end are removed by byte count, and others are appended there",
        arguments: AudioFileWritingTests.kinds)
    func shortens(type: AudioFileTypeID) throws {
        let file = unsafe try fixture.createPCM("sound", type)
        let ramp = AudioFileFixture.ramp(frames: 100, for: type)
        let property = kAudioFilePropertyAudioDataByteCount
        var isWritable: UInt32 = 0
        unsafe expectEqual(AudioFileGetPropertyInfo(file, property, nil, &isWritable), noErr)
        expectEqual(isWritable, 1)
        unsafe expectEqual(fixture.append(ramp, to: file, at: 0), noErr)
        func shorten(to bytes: UInt64) -> OSStatus {
            var bytes = bytes
            return unsafe AudioFileSetProperty(file, property, 8, &bytes)
        }
        // Neither more nor a part of a packet.
        for bytes: UInt64 in [202, 151, .max] {
            expectEqual(shorten(to: bytes), kAudioFileOperationNotSupportedError)
        }
        for bytes: UInt64 in [200, 150] { expectEqual(shorten(to: bytes), noErr) }
        unsafe expectEqual(fixture.property(property, of: file, UInt64(0)).value, 150)
        unsafe expectEqual(fixture.append(ramp, to: file, at: 76), kAudioFileInvalidPacketOffsetError)
        unsafe expectEqual(fixture.append([1, 2], to: file, at: 75), noErr)
        unsafe expectEqual(AudioFileClose(file), noErr)
        let opened = unsafe try fixture.open("sound")
        unsafe expectEqual(fixture.property(property, of: opened, UInt64(0)).value, 152)
        unsafe expectEqual(fixture.read(opened, from: 0, packets: 76).bytes, ramp.prefix(150) + [1, 2])
    }

    @Test("packets of varying size are not removed, nor those of an existing file")
    func refusesToShorten() throws {
        let property = kAudioFilePropertyAudioDataByteCount
        func check(_ file: AudioFileID) {
            var isWritable: UInt32 = 1
            unsafe expectEqual(AudioFileGetPropertyInfo(file, property, nil, &isWritable), noErr)
            expectEqual(isWritable, 0)
            var bytes: UInt64 = 2
            unsafe expectEqual(
                AudioFileSetProperty(file, property, 8, &bytes), kAudioFileOperationNotSupportedError
            )
        }
        let packed = unsafe try fixture.create("sound.caf", kAudioFileCAFType, AudioFileFixture.packed)
        unsafe check(packed)
        unsafe expectEqual(AudioFileClose(packed), noErr)
        try fixture.writeRamp("ramp.wav", kAudioFileWAVEType, frames: 10)
        let opened = unsafe try fixture.open("ramp.wav", .readWritePermission)
        unsafe check(opened)
        unsafe expectEqual(AudioFileClose(opened), noErr)
    }
}
