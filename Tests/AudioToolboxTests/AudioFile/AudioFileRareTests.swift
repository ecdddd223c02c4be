// SPDX-License-Identifier: MIT

import AQExpectations
import AQFiles
import AudioToolbox
import Foundation
import Testing

@testable import AQToolboxFunctions

/// Rarely used properties, and rare results.
@Suite struct AudioFileRareTests {
    private let fixture = AudioFileFixture()

    @Test("a format has a readable name")
    func namesFormat() throws {
        try fixture.writeRamp("sound.caf", kAudioFileCAFType, frames: 10)
        let file = unsafe try fixture.open("sound.caf")
        let name = unsafe fixture.property(kAudioFilePropertyDataFormatName, of: file, UInt(0))
        expectEqual(name.status, noErr)
        let address = unsafe try #require(unsafe UnsafeRawPointer(bitPattern: name.value))
        #expect(unsafe Unmanaged<NSString>.fromOpaque(address).takeRetainedValue().length > 0)
    }

    @Test("room for the tables of a duration is reserved before the first packet")
    func reservesRoom() throws {
        let file = unsafe try fixture.create("sound.caf", kAudioFileCAFType, AudioFileFixture.packed)
        let property = kAudioFilePropertyReserveDuration
        var seconds = 2.5
        unsafe expectEqual(AudioFileSetProperty(file, property, 8, &seconds), noErr)
        unsafe expectEqual(fixture.property(property, of: file, 0.0).value, 2.5)
        seconds = -1
        unsafe expectEqual(AudioFileSetProperty(file, property, 8, &seconds), kAudio_ParamError)
        unsafe expectEqual(
            AudioFileSetProperty(file, property, 4, &seconds), kAudioFileBadPropertySizeError)
        unsafe expectEqual(fixture.property(property, of: file, 0.0).value, 2.5)
    }

    @Test("the tag of an MP3 is returned as stored, with its offset")
    func givesTag() throws {
        let root = URL(filePath: #filePath)
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        // An empty ID3v2.3 tag with ten bytes of padding.
        let tag = Array("ID3".utf8) + [3, 0, 0, 0, 0, 0, 10] + [UInt8](repeating: 0, count: 10)
        let sound = try Data(contentsOf: root.appending(path: "Fixtures/tune-cbr.mp3"))
        try (Data(tag) + sound).write(to: fixture.url("tagged.mp3"))
        let file = unsafe try fixture.open("tagged.mp3")
        let offset = unsafe fixture.property(kAudioFilePropertyID3TagOffset, of: file, Int64(-1))
        expectEqual(offset.status, noErr)
        expectEqual(offset.value, 0)
        var bytes = [UInt8](repeating: 0xEE, count: 100)
        var byteCount = UInt32(bytes.count)
        unsafe expectEqual(AudioFileGetProperty(file, kAudioFilePropertyID3Tag, &byteCount, &bytes), noErr)
        expectEqual(Array(bytes.prefix(Int(byteCount))), tag)
    }

    @Test("packets with a count of dependencies are written, and packets with specific dependencies refused")
    func writesDependencies() throws {
        let file = unsafe try fixture.createPCM("sound.wav", kAudioFileWAVEType)
        let samples: [UInt8] = [1, 2, 3, 4]
        func write(_ needs: [AudioStreamPacketDependencyDescription]?) -> OSStatus {
            var packets: UInt32 = 2
            guard let needs else {
                return unsafe audioFileWritePacketsWithDependencies(
                    file, false, 4, nil, nil, 0, &packets, samples)
            }
            return unsafe audioFileWritePacketsWithDependencies(
                file, false, 4, nil, needs, 0, &packets, samples)
        }
        let independent = AudioStreamPacketDependencyDescription(
            mIsIndependentlyDecodable: 1, mPreRollCount: 0, mFlags: 0, mReserved: 0)
        var dependent = independent
        dependent.mIsIndependentlyDecodable = 0
        var rolled = independent
        rolled.mPreRollCount = 10
        expectEqual(write(nil), kAudioFileInvalidPacketDependencyError)
        expectEqual(write([independent, dependent]), kAudioFileOperationNotSupportedError)
        expectEqual(write([independent, rolled]), noErr)
    }

    private static func flacWriter(_ path: String, bits: Int = 16) -> AudioFileWriter? {
        guard
            let format = try? AudioFileType.flac.pcmFormat(
                sampleRate: 44100, channels: 1, bits: bits, isFloat: false)
        else { return nil }
        return try? AudioFileWriter.create(path: path, type: .flac, format: format)
    }

    @Test(
        "bytes of audio that is decoded while read are returned from any offset, at its own depth",
        arguments: [8, 16, 24])
    func readsDecodedBytes(bits: Int) throws {
        let writer = try #require(Self.flacWriter(fixture.url("sound.flac").path, bits: bits))
        let all = AudioFileFixture.ramp(frames: 9000, for: kAudioFileWAVEType)
        try unsafe all.withUnsafeBytes { try unsafe writer.append($0) }
        try writer.close()
        let file = unsafe try fixture.open("sound.flac")
        var format = AudioStreamBasicDescription()
        var formatBytes = UInt32(MemoryLayout<AudioStreamBasicDescription>.size)
        unsafe expectEqual(
            AudioFileGetProperty(file, kAudioFilePropertyDataFormat, &formatBytes, &format), noErr)
        #expect(format.mBitsPerChannel == UInt32(bits) && format.mBytesPerPacket == UInt32(bits / 8))
        expectEqual(format.mFormatFlags, kAudioFormatFlagIsSignedInteger | kAudioFormatFlagIsPacked)
        for (place, count) in [(1, 17_000), (3, 1), (2, 100)] {
            var bytes = [UInt8](repeating: 0, count: count)
            var byteCount = UInt32(count)
            unsafe expectEqual(AudioFileReadBytes(file, false, Int64(place), &byteCount, &bytes), noErr)
            expectEqual(bytes, Array(all[place..<place + count]))
        }
    }

    @Test("failures of files have published results")
    func results() {
        func error(_ code: AQFiles.AudioFileError.Code) -> AQFiles.AudioFileError {
            AQFiles.AudioFileError(code, "cannot do it")
        }
        expectEqual(error(.damaged).status, kAudioFileInvalidFileError)
        expectEqual(error(.containerFull).status, kAudioFileDoesNotAllow64BitDataSizeError)
        expectEqual(error(.unwritable).openingStatus, kAudioFilePermissionsError)
    }
}
