// SPDX-License-Identifier: MIT

import AQExpectations
import AQFiles
import CoreAudioTypes
import AQTestSupport
import Testing

@Suite("Writing G.711") struct G711WriteTests {
    private static let names: [AudioFileType: String] = [
        .wave: "WAVE", .rf64: "RF64", .wave64: "Wave64", .aiff: "AIFF-C", .aiffC: "AIFF-C", .caf: "CAF",
    ]

    private func format(_ law: AudioFormatID, channels: Int) -> AudioStreamBasicDescription {
        var format = AudioStreamBasicDescription.encoded(
            law, bytesPerPacket: channels, framesPerPacket: 1, channels: channels, sampleRate: 8000)
        (format.mBytesPerFrame, format.mBitsPerChannel) = (UInt32(channels), 8)
        return format
    }

    @Test(
        "returns the same bytes in the same format",
        arguments: [AudioFileType.wave, .rf64, .wave64, .aiff, .aiffC, .caf],
        [kAudioFormatULaw, kAudioFormatALaw])
    func roundTrip(type: AudioFileType, law: AudioFormatID) throws {
        for channels in [1, 2, 6] {
            let folder = ScratchFolder()
            let format = format(law, channels: channels)
            let data = noise(count: 333 * channels)
            let writer = try AudioFileWriter.create(path: folder.file("new"), type: type, format: format)
            try writer.append(Array(data.prefix(100 * channels)))
            try writer.append(Array(data.dropFirst(100 * channels)))
            expectEqual(writer.frameCount, 333)
            try writer.close()
            let file = try AudioFile.open(path: folder.file("new"))
            #expect(file.format.isSame(as: format), "\(file.format)")
            expectEqual(file.containerName, Self.names[type])
            expectEqual(file.frameCount, 333)
            #expect(file.warnings.isEmpty)
            try expectEqual(Contents(of: file).bytes, data)
        }
    }

    @Test("a WAVE file has the tag of the law and the count of frames", arguments: [false, true])
    func header(isALaw: Bool) throws {
        let folder = ScratchFolder()
        let format = format(isALaw ? kAudioFormatALaw : kAudioFormatULaw, channels: 2)
        let writer = try AudioFileWriter.create(path: folder.file("new"), type: .wave, format: format)
        try writer.append(noise(count: 10))
        try writer.close()
        // After RIFF, WAVE and the filler: the tag, 2 channels, 8000 Hz, 16,000 bytes/s, 2 bytes, 8 bits, no extension.
        let head = bytes(ofFile: folder.file("new"))
        let chunk: [UInt8] = [
            isALaw ? 6 : 7, 0, 2, 0, 0x40, 0x1F, 0, 0, 0x80, 0x3E, 0, 0, 2, 0, 8, 0, 0, 0,
        ]
        expectEqual(Array(head[48..<56]), Array("fmt ".utf8) + [18, 0, 0, 0])
        expectEqual(Array(head[56..<74]), chunk)
        expectEqual(Array(head[74..<86]), Array("fact".utf8) + [4, 0, 0, 0, 5, 0, 0, 0])
    }

    @Test("packets of more than a frame, and other containers, are refused")
    func refused() throws {
        let folder = ScratchFolder()
        var double = format(kAudioFormatULaw, channels: 1)
        (double.mBytesPerPacket, double.mFramesPerPacket) = (2, 2)
        #expect(throws: AudioFileError.self) {
            try AudioFileWriter.create(path: folder.file("new"), type: .wave, format: double)
        }
        #expect(throws: AudioFileError.self) {
            try AudioFileWriter.create(
                path: folder.file("new"), type: .flac, format: format(kAudioFormatULaw, channels: 1))
        }
    }
}
