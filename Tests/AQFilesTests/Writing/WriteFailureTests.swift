// SPDX-License-Identifier: MIT

import AQExpectations
import AQFiles
import CoreAudioTypes
import Glibc
import Testing
import AQTestSupport

@Suite("Failures of writing")
struct WriteFailureTests {
    private static let format = AudioStreamBasicDescription.signedInteger(
        bits: 16, isBigEndian: true, channels: 3, sampleRate: 44100)

    private func createAIFF(_ path: String, options: AudioFileWriter.Options = []) throws -> AudioFileWriter {
        try AudioFileWriter.create(path: path, type: .aiff, format: Self.format, options: options)
    }

    @Test("an existing file is kept unless overwriting is requested")
    func exists() throws {
        let folder = ScratchFolder()
        let path = folder.file("new")
        let first = try createAIFF(path)
        try first.append(noise(count: 600))
        try first.close()
        let error = #expect(throws: AudioFileError.self) { try createAIFF(path) }
        expectEqual(error, AudioFileError(.exists, "cannot create '\(path)': it exists already"))
        try expectEqual(AudioFile.open(path: path).frameCount, 100)
        let second = try createAIFF(path, options: .overwrite)
        try second.append(noise(count: 60))
        try second.close()
        try expectEqual(AudioFile.open(path: path).frameCount, 10)
        expectEqual(bytes(ofFile: path).count, Int(second.byteCount))
    }

    @Test("a path that cannot be a file is refused by name")
    func impossiblePaths() throws {
        let folder = ScratchFolder()
        let wrong: [(String, AudioFileError.Code)] = [
            (folder.path, .isDirectory), (folder.path + "/", .isDirectory),
            (folder.file("missing/new"), .notFound), ("/dev/null/new", .notFound), ("", .notFound),
            (folder.file(String(repeating: "x", count: 300)), .unwritable),
        ]
        for (path, code) in wrong {
            for options in [AudioFileWriter.Options(), .overwrite] {
                let error = #expect(throws: AudioFileError.self) { try createAIFF(path, options: options) }
                expectEqual(error?.code, code, "\(path)")
                expectEqual(error?.message.hasPrefix("cannot create '\(path)': "), true)
            }
        }
    }

    @Test("an invalid call changes nothing and can be followed by a valid one")
    func wrongCalls() throws {
        let folder = ScratchFolder()
        let writer = try createAIFF(folder.file("new"))
        try writer.append(noise(count: 6))
        let error = #expect(throws: AudioFileError.self) { try writer.append(noise(count: 7)) }
        expectEqual(error?.code, .unsupported)
        #expect(throws: AudioFileError.self) { try writer.setMagicCookie([1]) }
        #expect(throws: AudioFileError.self) {
            try writer.setPacketTable(PacketTable(primingFrames: 0, validFrames: 1, remainderFrames: 0))
        }
        try writer.append(noise(count: 6))
        expectEqual(writer.frameCount, 2)
        try writer.close()
        try writer.close()
        #expect(throws: AudioFileError.self) { try writer.append(noise(count: 6)) }
        expectEqual(writer.frameCount, 2)
        try expectEqual(AudioFile.open(path: folder.file("new")).frameCount, 2)
        #expect(throws: AudioFileError.self) {
            try AudioFileWriter.create(
                path: folder.file("other"), type: .aiff, format: Self.format,
                channelLabels: [kAudioChannelLabel_Mono])
        }
        expectEqual(folder.names, ["new"])
    }

    @Test("a full device is reported at the first append, and again at the next, but not on closing")
    func fullDevice() throws {
        let writer = try createAIFF("/dev/full")
        for _ in 0..<2 {
            let error = #expect(throws: AudioFileError.self) { try writer.append(noise(count: 600)) }
            expectEqual(
                error,
                AudioFileError(
                    .diskFull,
                    "cannot write '/dev/full': no space left on device; the file is whole up to frame 0"))
        }
        try writer.close()
    }

    /// With a file-size limit inside a frame.
    @Test("at the size limit all whole frames are kept", arguments: [77, 78, 1000, 4096, 60_001])
    func sizeLimit(limit: Int) async throws {
        let folder = ScratchFolder()
        let path = folder.file("new")
        await #expect(processExitsWith: .success) { [path = path as String, limit = limit as Int] in
            FileSizeLimit.set(bytes: limit)
            let format = AudioStreamBasicDescription.signedInteger(
                bits: 16, isBigEndian: true, channels: 3, sampleRate: 44100)
            let writer = try AudioFileWriter.create(path: path, type: .aiff, format: format)
            let data = noise(count: 200_004)
            let frames = (limit - 74) / 6
            var failures: [AudioFileError] = []
            for start in stride(from: 0, to: data.count, by: 20_000 - 2) {
                do {
                    try writer.append(Array(data[start..<min(start + 19_998, data.count)]))
                } catch let error as AudioFileError {
                    failures.append(error)
                }
            }
            let expected = AudioFileError(
                .fileTooLarge,
                "cannot write '\(path)': file too large; the file is whole up to frame \(frames)")
            #expect(failures.count > 1 && failures.allSatisfy { $0 == expected })
            #expect(writer.frameCount == frames)
            try writer.close()
        }
        let frames = (limit - 74) / 6
        let file = try AudioFile.open(path: path)
        expectEqual(file.frameCount, Int64(frames))
        try expectEqual(Contents(of: file).bytes, Array(noise(count: 200_004)[..<(frames * 6)]))
        expectEqual(bytes(ofFile: path).count, 74 + frames * 6)
    }

    @Test("a header that does not fit leaves no new file")
    func noRoomForHeader() async throws {
        let folder = ScratchFolder()
        let path = folder.file("new")
        await #expect(processExitsWith: .success) { [path = path as String] in
            FileSizeLimit.set(bytes: 20)
            let format = AudioStreamBasicDescription.signedInteger(
                bits: 16, isBigEndian: true, channels: 3, sampleRate: 44100)
            let error = #expect(throws: AudioFileError.self) {
                try AudioFileWriter.create(path: path, type: .aiff, format: format)
            }
            expectEqual(error, AudioFileError(.fileTooLarge, "cannot create '\(path)': file too large"))
        }
        #expect(folder.names.isEmpty)
    }
}
