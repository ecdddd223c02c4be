// SPDX-License-Identifier: MIT

import AQExpectations
import AudioToolbox
import Foundation
import Testing
import AQTestSupport

@Suite struct AudioFileWritingTests {
    private let fixture = AudioFileFixture()

    static let kinds = [
        kAudioFileWAVEType, kAudioFileAIFFType, kAudioFileAIFCType, kAudioFileCAFType, kAudioFileRF64Type,
        kAudioFileWave64Type,
    ]

    @Test("a file returns the packets that were written to it", arguments: kinds)
    func givesBackPackets(type: AudioFileTypeID) throws {
        let file = unsafe try fixture.openRamp(type, frames: 1000)
        let read = unsafe fixture.read(file, from: 0, packets: 1000)
        expectEqual(read.status, noErr)
        expectEqual(read.bytes, AudioFileFixture.ramp(frames: 1000, for: type))
        unsafe expectEqual(fixture.property(kAudioFilePropertyFileFormat, of: file, UInt32(0)).value, type)
        let packets = unsafe fixture.property(kAudioFilePropertyAudioDataPacketCount, of: file, UInt64(0))
        expectEqual(packets.value, 1000)
    }

    @Test("written packets can be read before the file is closed")
    func readsWhileItIsWritten() throws {
        let file = unsafe try fixture.createPCM("sound", kAudioFileCAFType)
        let ramp = AudioFileFixture.ramp(frames: 20, for: kAudioFileCAFType)
        unsafe expectEqual(fixture.append(Array(ramp[..<20]), to: file, at: 0), noErr)
        unsafe expectEqual(fixture.read(file, from: 0, packets: 10).bytes, Array(ramp[..<20]))
        unsafe expectEqual(fixture.append(Array(ramp[20...]), to: file, at: 10), noErr)
        unsafe expectEqual(fixture.read(file, from: 0, packets: 20).bytes, ramp)
    }

    @Test("an existing file is replaced only on request")
    func refusesToReplace() throws {
        try fixture.writeRamp("sound", kAudioFileWAVEType, frames: 10)
        var format = AudioFileFixture.pcm(for: kAudioFileWAVEType)
        var file: AudioFileID?
        let status = unsafe AudioFileCreateWithURL(
            fixture.url("sound") as CFURL, kAudioFileWAVEType, &format, [], &file)
        expectEqual(status, kAudioFilePermissionsError)
        unsafe expectEqual(file, nil)
        let kept = unsafe try fixture.open("sound")
        unsafe expectEqual(fixture.read(kept, from: 0, packets: 10).packets, 10)
        unsafe _ = AudioFileClose(kept)
    }

    @Test("formats that a file type cannot contain are refused")
    func refusesFormats() throws {
        func status(_ type: AudioFileTypeID, _ format: AudioStreamBasicDescription) -> OSStatus {
            var (format, file): (AudioStreamBasicDescription, AudioFileID?) = (format, nil)
            return unsafe AudioFileCreateWithURL(
                fixture.url("other") as CFURL, type, &format, .eraseFile, &file)
        }
        let little = AudioFileFixture.pcm(for: kAudioFileWAVEType)
        expectEqual(status(kAudioFileAIFFType, little), kAudioFileUnsupportedDataFormatError)
        expectEqual(status(kAudioFileMP3Type, little), kAudioFileUnsupportedDataFormatError)
        expectEqual(status(kAudioFileWAVEType, AudioFileFixture.packed), kAudioFileUnsupportedDataFormatError)
        expectEqual(status(kAudioFileAMRType, little), kAudioFileUnsupportedFileTypeError)
        expectEqual(status(0, little), kAudioFileUnsupportedFileTypeError)
        #expect(!FileManager.default.fileExists(atPath: fixture.url("other").path))
    }

    @Test("packets follow the previous ones without a gap")
    func leavesNoGap() throws {
        let file = unsafe try fixture.createPCM("sound", kAudioFileWAVEType)
        let bytes = [UInt8](repeating: 1, count: 20)
        unsafe expectEqual(fixture.append(bytes, to: file, at: 1), kAudioFileInvalidPacketOffsetError)
        unsafe expectEqual(fixture.append(bytes, to: file, at: -1), kAudioFileInvalidPacketOffsetError)
        unsafe expectEqual(fixture.append(bytes, to: file, at: 0), noErr)
        unsafe expectEqual(fixture.append(bytes, to: file, at: 11), kAudioFileInvalidPacketOffsetError)
        unsafe expectEqual(fixture.append(bytes, to: file, at: 10), noErr)
    }

    @Test("a file that was opened for reading accepts no packets, bytes and properties")
    func refusesWithoutPermission() throws {
        let file = unsafe try fixture.openRamp(kAudioFileWAVEType, frames: 10)
        let bytes: [UInt8] = [1, 2]
        unsafe expectEqual(fixture.append(bytes, to: file, at: 10), kAudioFilePermissionsError)
        var byteCount: UInt32 = 2
        unsafe expectEqual(
            AudioFileWriteBytes(file, false, 20, &byteCount, bytes), kAudioFilePermissionsError)
        expectEqual(byteCount, 0)
        unsafe expectEqual(
            AudioFileSetProperty(file, kAudioFilePropertyMagicCookieData, 2, bytes),
            kAudioFilePermissionsError)
        unsafe expectEqual(AudioFileSetUserData(file, 1, 0, 2, bytes), kAudioFilePermissionsError)
        unsafe expectEqual(AudioFileOptimize(file), kAudioFilePermissionsError)
    }

    @Test("an existing file is read with write permission, and not changed")
    func opensForBoth() throws {
        let file = unsafe try fixture.openRamp(kAudioFileWAVEType, frames: 10, .readWritePermission)
        unsafe expectEqual(fixture.read(file, from: 0, packets: 10).packets, 10)
        unsafe expectEqual(fixture.append([1, 2], to: file, at: 10), kAudioFileOperationNotSupportedError)
    }

    @Test("bytes are written like packets")
    func writesBytes() throws {
        let file = unsafe try fixture.createPCM("sound", kAudioFileWAVEType)
        func write(_ count: Int, at place: Int64) -> OSStatus {
            var byteCount = UInt32(count)
            return unsafe AudioFileWriteBytes(
                file, false, place, &byteCount, [UInt8](repeating: 7, count: max(count, 1)))
        }
        expectEqual(write(8, at: 0), noErr)
        expectEqual(write(8, at: 8), noErr)
        expectEqual(write(3, at: 16), kAudioFileOperationNotSupportedError)
        expectEqual(write(8, at: 18), kAudioFileOperationNotSupportedError)
        expectEqual(write(8, at: -1), kAudioFilePositionError)
        let bytes = unsafe fixture.property(kAudioFilePropertyAudioDataByteCount, of: file, UInt64(0))
        expectEqual(bytes.value, 16)
    }

    /// With a file-size limit, in its own process.
    @Test("if a full disk takes only some bytes, their number and the failure are reported")
    func tellsOfFullDisk() async {
        await #expect(processExitsWith: .success) {
            FileSizeLimit.set(bytes: 10_000)
            let fixture = AudioFileFixture()
            let file = unsafe try fixture.createPCM("sound", kAudioFileWAVEType)
            let bytes = [UInt8](repeating: 7, count: 20_000)
            var byteCount: UInt32 = 20_000
            var status = unsafe AudioFileWriteBytes(file, false, 0, &byteCount, bytes)
            expectEqual(status, kAudioFileUnspecifiedError)
            let written = byteCount
            #expect(9000..<10_000 ~= written && written % 2 == 0)
            byteCount = 2
            status = unsafe AudioFileWriteBytes(file, false, Int64(written), &byteCount, bytes)
            expectEqual(status, kAudioFileUnspecifiedError)
            expectEqual(byteCount, 0)
            let stored = unsafe fixture.property(kAudioFilePropertyAudioDataByteCount, of: file, UInt64(0))
            expectEqual(stored.value, UInt64(written))
            unsafe _ = AudioFileClose(file)
        }
    }

    @Test("descriptions outside the bytes are refused")
    func refusesWildDescriptions() throws {
        let file = unsafe try fixture.create("sound.caf", kAudioFileCAFType, AudioFileFixture.packed)
        let bytes = [UInt8](repeating: 3, count: 100)
        func write(offset: Int64, byteCount: UInt32) -> OSStatus {
            var description = AudioStreamPacketDescription(
                mStartOffset: offset, mVariableFramesInPacket: 0, mDataByteSize: byteCount)
            var packets: UInt32 = 1
            return unsafe AudioFileWritePackets(file, false, 100, &description, 0, &packets, bytes)
        }
        expectEqual(write(offset: -1, byteCount: 10), kAudioFileInvalidPacketOffsetError)
        expectEqual(write(offset: 91, byteCount: 10), kAudioFileInvalidPacketOffsetError)
        expectEqual(write(offset: .max, byteCount: .max), kAudioFileInvalidPacketOffsetError)
        var packets: UInt32 = 1
        unsafe expectEqual(
            AudioFileWritePackets(file, false, 100, nil, 0, &packets, bytes), kAudio_ParamError)
        expectEqual(packets, 0)
        expectEqual(write(offset: 90, byteCount: 10), noErr)
    }

    @Test(
        "packets of one size are counted by the given number, whatever the number of bytes",
        arguments: [0, 50, 400])
    func ignoresByteCount(byteCount: UInt32) throws {
        let file = unsafe try fixture.createPCM("sound.wav", kAudioFileWAVEType)
        var packets: UInt32 = 50
        let bytes = [UInt8](0..<100)
        unsafe expectEqual(AudioFileWritePackets(file, false, byteCount, nil, 0, &packets, bytes), noErr)
        expectEqual(packets, 50)
        unsafe expectEqual(fixture.read(file, from: 0, packets: 60).bytes, bytes)
    }
}

@Suite struct AudioFileNameTests {
    private let fixture = AudioFileFixture()

    @Test("paths that are not UTF-8 are accepted byte for byte")
    func oddNames() throws {
        var files: [[UInt8]] = []
        for (odd, frames) in [([0xE9], 10), ([0xE8], 20), ([0xFF, 0xFE], 30)] as [([UInt8], Int)] {
            let bytes = Array(fixture.url("x").path.utf8) + odd + Array(".wav".utf8)
            files.append(bytes)
            let url = try #require(
                unsafe CFURLCreateFromFileSystemRepresentation(nil, bytes, bytes.count, false))
            var format = AudioFileFixture.pcm(for: kAudioFileWAVEType)
            var file: AudioFileID?
            unsafe expectEqual(AudioFileCreateWithURL(url, kAudioFileWAVEType, &format, [], &file), noErr)
            let id = unsafe try #require(file)
            let ramp = AudioFileFixture.ramp(frames: frames, for: kAudioFileWAVEType)
            unsafe expectEqual(fixture.append(ramp, to: id, at: 0), noErr)
            unsafe expectEqual(AudioFileClose(id), noErr)
        }
        for bytes in files { unsafe expectEqual(access(bytes.map { CChar(bitPattern: $0) } + [0], R_OK), 0) }
    }
}
