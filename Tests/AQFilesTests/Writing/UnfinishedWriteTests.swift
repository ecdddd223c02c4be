// SPDX-License-Identifier: MIT

import AQExpectations
import AQFiles
import CoreAudioTypes
import Glibc
import Testing
import AQTestSupport

/// The disk contents while a file is being written, as a killed process leaves them.
@Suite("Files whose writer died")
struct UnfinishedWriteTests {
    private func copy(_ path: String, to other: String, adding garbage: [UInt8] = []) {
        let all = bytes(ofFile: path) + garbage
        let descriptor = unsafe open(other, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        _ = unsafe all.withUnsafeBytes { unsafe write(descriptor, $0.baseAddress, $0.count) }
        close(descriptor)
    }

    @Test("count every appended frame", arguments: AudioFileType.containers, SampleKind.all)
    func counted(type: AudioFileType, kind: SampleKind) throws {
        let folder = ScratchFolder()
        let format = try type.pcmFormat(
            sampleRate: 44100, channels: 1, bits: kind.bits, isFloat: kind.isFloat)
        let data = noise(count: 91 * Int(format.mBytesPerFrame))
        let writer = try AudioFileWriter.create(path: folder.file("new"), type: type, format: format)
        for frames in 1...13 {
            let from = (frames - 1) * frames / 2 * Int(format.mBytesPerFrame)
            let to = frames * (frames + 1) / 2 * Int(format.mBytesPerFrame)
            try writer.append(Array(data[from..<to]))
            copy(folder.file("new"), to: folder.file("copy"))
            let file = try AudioFile.open(path: folder.file("copy"))
            expectEqual(file.frameCount, writer.frameCount)
            #expect(file.warnings.isEmpty)
            try expectEqual(Contents(of: file).bytes, Array(data[..<to]))
        }
    }

    @Test(
        "are read to the last frame counted, whatever follows",
        arguments: [AudioFileType.wave, .rf64, .aiff, .aiffC, .caf])
    func uncounted(type: AudioFileType) throws {
        let folder = ScratchFolder()
        let format = try type.pcmFormat(sampleRate: 44100, channels: 2, bits: 16, isFloat: false)
        let writer = try AudioFileWriter.create(path: folder.file("new"), type: type, format: format)
        let data = noise(count: 4000)
        try writer.append(data)
        let followers = [1, 7, 8, 400, 4003].flatMap { count in
            [
                [UInt8](repeating: 0, count: count), [UInt8](repeating: 0xFF, count: count),
                noise(count: count),
            ]
        }
        for follower in followers {
            copy(folder.file("new"), to: folder.file("copy"), adding: follower)
            let file = try AudioFile.open(path: folder.file("copy"))
            expectEqual(file.frameCount, 1000)
            try expectEqual(Contents(of: file).bytes, data)
        }
    }

    @Test(
        "keep the uncounted frames of an append if it was the first",
        arguments: AudioFileType.containers)
    func firstAppend(type: AudioFileType) throws {
        let folder = ScratchFolder()
        let format = try type.pcmFormat(sampleRate: 44100, channels: 2, bits: 16, isFloat: false)
        let writer = try AudioFileWriter.create(path: folder.file("new"), type: type, format: format)
        copy(folder.file("new"), to: folder.file("copy"), adding: noise(count: 400))
        // A reader may ignore them, but must open the file.
        let file = try AudioFile.open(path: folder.file("copy"))
        #expect([0, 100].contains(file.frameCount))
        try writer.close()
    }

    @Test("are closed by a writer that is released")
    func released() throws {
        let folder = ScratchFolder()
        let format = try AudioFileType.aiff.pcmFormat(sampleRate: 44100, channels: 1, bits: 8, isFloat: false)
        do {
            let writer = try AudioFileWriter.create(path: folder.file("new"), type: .aiff, format: format)
            try writer.append([1, 2, 3])
        }
        // With the padding byte that only closing adds.
        expectEqual(bytes(ofFile: folder.file("new")).count, 58)
    }
}
