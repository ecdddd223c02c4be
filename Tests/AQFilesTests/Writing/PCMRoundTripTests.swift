// SPDX-License-Identifier: MIT

import AQExpectations
import AQFiles
import CoreAudioTypes
import Testing
import AQTestSupport

@Suite("Writing PCM files")
struct PCMRoundTripTests {
    @Test(
        "returns the same bytes in the same format", arguments: AudioFileType.containers, SampleKind.all)
    func roundTrip(type: AudioFileType, kind: SampleKind) throws {
        for channels in [1, 2, 6] {
            let folder = ScratchFolder()
            let path = folder.file("new")
            let format = try type.pcmFormat(
                sampleRate: 48000, channels: channels, bits: kind.bits, isFloat: kind.isFloat)
            let frameBytes = Int(format.mBytesPerFrame)
            // An odd number of frames, so that some files need a byte of padding.
            let data = noise(count: 333 * frameBytes)
            let writer = try AudioFileWriter.create(path: path, type: type, format: format)
            var next = 0
            for frames in [1, 0, 32, 300] {
                try writer.append(Array(data[next..<next + frames * frameBytes]))
                next += frames * frameBytes
            }
            expectEqual(writer.frameCount, 333)
            try writer.close()
            let file = try AudioFile.open(path: path)
            #expect(file.format.isSame(as: format))
            expectEqual(file.containerName, type.containerName(of: kind))
            expectEqual(file.frameCount, 333)
            #expect(file.warnings.isEmpty)
            try expectEqual(Contents(of: file).bytes, data)
            expectEqual(bytes(ofFile: path).count, Int(writer.byteCount))
        }
    }

    @Test(
        "keeps the role of each channel",
        arguments: [AudioFileType.wave, .rf64, .aiff, .aiffC, .caf, .wave64])
    func labels(type: AudioFileType) throws {
        let orders: [[AudioChannelLabel]] = [
            [kAudioChannelLabel_Left, kAudioChannelLabel_Right, kAudioChannelLabel_CenterSurround],
            [kAudioChannelLabel_LeftSurround, kAudioChannelLabel_RightSurround],
            ChannelLabels.defaults(channels: 6),
        ]
        // QUIRK: libsndfile reads no layouts of Wave64.
        for labels in type == .wave64 ? [] : orders {
            let folder = ScratchFolder()
            let format = try type.pcmFormat(
                sampleRate: 48000, channels: labels.count, bits: 16, isFloat: false)
            let writer = try AudioFileWriter.create(
                path: folder.file("new"), type: type, format: format, channelLabels: labels)
            try writer.append(noise(count: 4 * Int(format.mBytesPerFrame)))
            try writer.close()
            try expectEqual(AudioFile.open(path: folder.file("new")).channelLabels, labels)
        }
    }

    @Test("is empty at first", arguments: AudioFileType.containers)
    func empty(type: AudioFileType) throws {
        let folder = ScratchFolder()
        let format = try type.pcmFormat(sampleRate: 8000, channels: 1, bits: 16, isFloat: false)
        let writer = try AudioFileWriter.create(path: folder.file("new"), type: type, format: format)
        for isClosed in [false, true] {
            if isClosed { try writer.close() }
            let file = try AudioFile.open(path: folder.file("new"))
            expectEqual(file.frameCount, 0)
            #expect(file.format.isSame(as: format))
        }
    }

    @Test("stores samples of either byte order if a container has both")
    func byteOrders() throws {
        for (type, isBigEndian) in [
            (AudioFileType.caf, true), (.caf, false), (.aiffC, true), (.aiffC, false),
        ] {
            let folder = ScratchFolder()
            let format = AudioStreamBasicDescription.signedInteger(
                bits: 16, isBigEndian: isBigEndian, channels: 2, sampleRate: 44100)
            let writer = try AudioFileWriter.create(path: folder.file("new"), type: type, format: format)
            try writer.append(noise(count: 40))
            try writer.close()
            let file = try AudioFile.open(path: folder.file("new"))
            #expect(file.format.isSame(as: format))
            try expectEqual(Contents(of: file).bytes, noise(count: 40))
        }
    }

    @Test("keeps fractional rates if the container can")
    func fractionalRate() throws {
        let folder = ScratchFolder()
        let rate = 44_100.0 * 1000 / 1001
        for type in [AudioFileType.aiff, .caf] {
            let format = try type.pcmFormat(sampleRate: rate, channels: 1, bits: 16, isFloat: false)
            try AudioFileWriter.create(path: folder.file(type.name), type: type, format: format).close()
        }
        expectEqual(
            bytes(ofFile: folder.file("AIFF"))[28..<38],
            [
                0x40, 0x0E, 0xAC, 0x17, 0xF1, 0xAD, 0xA6, 0x7D, 0x50, 0,
            ])
        let format = try AudioFileType.wave.pcmFormat(sampleRate: rate, channels: 1, bits: 16, isFloat: false)
        let refused = #expect(throws: AudioFileError.self) {
            try AudioFileWriter.create(path: folder.file("WAVE"), type: .wave, format: format)
        }
        expectEqual(refused?.code, .unsupported)
        expectEqual(folder.names.sorted(), ["AIFF", "CAF"])
    }

    @Test("refuses formats that a container does not support, and leaves no file")
    func unsupported() throws {
        let refused: [(AudioFileType, AudioStreamBasicDescription)] = [
            (.wave, .signedInteger(bits: 16, isBigEndian: true, channels: 2, sampleRate: 44100)),
            (.wave, .signedInteger(bits: 8, channels: 2, sampleRate: 44100)),
            (.rf64, .unsignedInteger(bits: 16, isBigEndian: false, channels: 2, sampleRate: 44100)),
            (.wave64, .float(isBigEndian: true, channels: 2, sampleRate: 44100)),
            (.aiff, .signedInteger(bits: 16, isBigEndian: false, channels: 2, sampleRate: 44100)),
            (.aiffC, .signedInteger(bits: 24, isBigEndian: false, channels: 2, sampleRate: 44100)),
            (.aiff, .unsignedInteger(bits: 8, channels: 2, sampleRate: 44100)),
            (.caf, .unsignedInteger(bits: 8, channels: 2, sampleRate: 44100)),
            (.caf, .signedInteger(bits: 24, containerBytes: 4, channels: 2, sampleRate: 44100)),
            (.caf, .signedInteger(bits: 16, isInterleaved: false, channels: 2, sampleRate: 44100)),
            (.wave, .encoded(kAudioFormatMPEG4AAC, framesPerPacket: 1024, channels: 2, sampleRate: 44100)),
            (.caf, .encoded(0xFF, framesPerPacket: 1024, channels: 2, sampleRate: 44100)),
            (.aiff, .signedInteger(bits: 16, isBigEndian: true, channels: 0, sampleRate: 44100)),
            (.aiff, .signedInteger(bits: 16, isBigEndian: true, channels: 2, sampleRate: .nan)),
        ]
        for (type, format) in refused {
            let folder = ScratchFolder()
            let error = #expect(throws: AudioFileError.self) {
                try AudioFileWriter.create(path: folder.file("new"), type: type, format: format)
            }
            expectEqual(error?.code, .unsupported)
            expectEqual(error?.message.hasPrefix("cannot create '\(folder.path)/new': "), true)
            #expect(folder.names.isEmpty)
        }
    }
}
