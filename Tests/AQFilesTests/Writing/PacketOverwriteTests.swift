// SPDX-License-Identifier: MIT

import AQExpectations
import AQFiles
import CoreAudioTypes
import Glibc
import Testing
import AQTestSupport

@Suite("Writing over packets")
struct PacketOverwriteTests {
    private let folder = ScratchFolder()

    private static let ima4 = AudioStreamBasicDescription.encoded(
        kAudioFormatAppleIMA4, bytesPerPacket: 34, framesPerPacket: 64, channels: 1, sampleRate: 44100)
    private static let pcm = AudioStreamBasicDescription.signedInteger(
        bits: 16, isBigEndian: false, channels: 1, sampleRate: 44100)

    private func overwrite(_ writer: AudioFileWriter, _ bytes: [UInt8], at offset: Int64) throws {
        try unsafe bytes.withUnsafeBytes { try unsafe writer.overwrite($0, at: offset) }
    }

    private func refusal(_ writer: AudioFileWriter, bytes: Int, at offset: Int64) -> AudioFileError.Code? {
        let error = #expect(throws: AudioFileError.self) {
            try overwrite(writer, noise(count: bytes), at: offset)
        }
        return error?.code
    }

    @Test(
        "packets of one size are overwritten at their offset, and the file continues after the last",
        arguments: [
            (AudioFileType.wave, pcm), (.caf, pcm), (.caf, ima4),
        ])
    func overwrites(type: AudioFileType, format: AudioStreamBasicDescription) throws {
        let path = folder.file("new")
        let writer = try AudioFileWriter.create(path: path, type: type, format: format)
        var expected = noise(count: 340)
        try writer.append(expected)
        let patch = noise(count: 101, seed: 2)
        try overwrite(writer, patch, at: 33)
        expected.replaceSubrange(33..<134, with: patch)
        try writer.append(noise(count: 34, seed: 3))
        expected += noise(count: 34, seed: 3)
        try overwrite(writer, [1, 2, 3], at: 371)
        expected.replaceSubrange(371..., with: [1, 2, 3])
        try writer.close()
        try expectEqual(Contents(of: AudioFile.open(path: path)).bytes, expected)
    }

    @Test(
        "packets that were not appended are not overwritten, and nothing changes",
        arguments: [
            (-1, 2), (340, 1), (339, 2), (.max, 1), (.min, 1), (0, 341),
        ] as [(Int64, Int)])
    func outside(offset: Int64, bytes: Int) throws {
        let path = folder.file("new")
        let writer = try AudioFileWriter.create(path: path, type: .wave, format: Self.pcm)
        try writer.append(noise(count: 340, seed: 2))
        expectEqual(refusal(writer, bytes: bytes, at: offset), .unsupported)
        try writer.close()
        expectEqual(refusal(writer, bytes: 1, at: 0), .unsupported)
        try expectEqual(Contents(of: AudioFile.open(path: path)).bytes, noise(count: 340, seed: 2))
    }

    @Test("written packets are final in streams, and if packets vary in size")
    func refusesOthers() throws {
        let stream = try AudioFileWriter.create(path: "/dev/null", type: .wave, format: Self.pcm)
        try stream.append(noise(count: 10))
        expectEqual(refusal(stream, bytes: 2, at: 0), .unsupported)
        let aac = AudioStreamBasicDescription.encoded(
            kAudioFormatMPEG4AAC, framesPerPacket: 1024, channels: 1, sampleRate: 44100)
        let caf = try AudioFileWriter.create(path: folder.file("new"), type: .caf, format: aac)
        expectEqual(refusal(caf, bytes: 0, at: 0), .unsupported)
    }
}
