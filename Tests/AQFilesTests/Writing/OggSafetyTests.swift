// SPDX-License-Identifier: MIT

import AQExpectations
import CoreAudioTypes
import Glibc
import Testing
import AQTestSupport

@testable import AQFiles

@Suite("Ogg files that are not complete")
struct OggSafetyTests {
    private static func format(_ type: AudioFileType) throws -> AudioStreamBasicDescription {
        try type.pcmFormat(sampleRate: type.encodedRate, channels: 2, bits: 16, isFloat: false)
    }

    private static func tones(_ type: AudioFileType, frames: Int) -> [UInt8] {
        Tones(sampleRate: type.encodedRate, channels: 2, frames: frames).bytes(bits: 16, isFloat: false)
    }

    @Test(
        "have after each append all but a third of a second, also of silence", arguments: Encoders.ogg,
        [false, true])
    func snapshots(type: AudioFileType, isSilent: Bool) throws {
        let folder = ScratchFolder()
        let path = folder.file("new")
        let frames = 60_000
        let data =
            isSilent ? [UInt8](repeating: 0, count: 4 * frames) : Self.tones(type, frames: frames)
        let writer = try AudioFileWriter.create(path: path, type: type, format: try Self.format(type))
        let empty = TemporaryFile(bytes(ofFile: path))
        // libsndfile does not open Opus without audio.
        if type == .oggVorbis { try expectEqual(AudioFile.open(path: empty.path).countFrames(), 0) }
        var saved: [(frames: Int64, file: TemporaryFile)] = []
        for start in stride(from: 0, to: frames, by: 2000) {
            try writer.append(Array(data[4 * start..<4 * (start + 2000)]))
            expectEqual(writer.frameCount, Int64(start + 2000))
            let now = bytes(ofFile: path)
            expectEqual(now.count, Int(writer.byteCount))
            saved.append((Int64(start + 2000), TemporaryFile(now)))
        }
        try writer.close()
        let whole = try floats(of: AudioFile.open(path: path))
        expectEqual(whole.count, 2 * frames)
        for (appended, copy) in saved {
            let file = try AudioFile.open(path: copy.path)
            let counted = try #require(file.frameCount)
            #expect(0...Int64(type.encodedRate / 3) ~= appended - counted, "\(appended)")
            // The first frames are in the file soon.
            #expect(appended < 6000 || counted > 0)
            try expectEqual(floats(of: file)[...], whole.prefix(2 * Int(counted)), "\(appended)")
            #expect(file.warnings.isEmpty)
        }
    }

    /// A file whose writer is killed before one of its writes.
    private final class KilledFile: OutputFile {
        struct Killed: Error {}

        var writesLeft = Int.max

        private func write(_ change: () throws(AudioFileError) -> Void) throws(AudioFileError) {
            guard writesLeft > 0 else { throw AudioFileError(.unwritable, "killed") }
            writesLeft -= 1
            try change()
        }

        override func append(_ bytes: UnsafeRawBufferPointer) throws(AudioFileError) {
            try write { () throws(AudioFileError) in try unsafe super.append(bytes) }
        }

        override func patch(_ bytes: UnsafeRawBufferPointer, at offset: Int64) throws(AudioFileError) {
            try write { () throws(AudioFileError) in try unsafe super.patch(bytes, at: offset) }
        }

        override func truncate(to bytes: Int64) throws(AudioFileError) {
            try write { () throws(AudioFileError) in try super.truncate(to: bytes) }
        }
    }

    @Test("are readable after a kill between any two writes", arguments: Encoders.ogg)
    func betweenWrites(type: AudioFileType) throws {
        let data = Self.tones(type, frames: 40_000)
        var frames: [Int64] = []
        var warned = 0
        for writes in 1...20 {
            let folder = ScratchFolder()
            let path = folder.file("new")
            let file = try KilledFile(path: FilePath(path), overwrite: false)
            let input = try EncoderInput(format: try Self.format(type), of: type)
            let encoder: any OggEncoder =
                type == .oggOpus
                ? try OpusEncoder(sampleRate: input.sampleRate, channels: 2, bitRate: nil)
                : try VorbisEncoder(sampleRate: input.sampleRate, channels: 2, bitRate: nil)
            let writer = try OggFileWriter(encoder, input: input, to: file)
            file.writesLeft = writes
            for start in stride(from: 0, to: data.count, by: 4 * 1000) {
                let block = Array(data[start..<start + 4 * 1000])
                do {
                    try unsafe block.withUnsafeBytes { try unsafe writer.append($0, packetDescriptions: nil) }
                } catch { break }
            }
            // libsndfile does not open Opus without audio.
            guard let opened = try? AudioFile.open(path: path) else {
                #expect(type == .oggOpus && writes < 3)
                continue
            }
            frames.append(try opened.countFrames())
            try expectEqual(floats(of: opened).count, 2 * Int(frames[frames.count - 1]))
            // The only possible fault: the mark of the end was removed, and the next page is missing.
            #expect(
                opened.warnings.allSatisfy { $0.hasPrefix("no page is marked as the last") },
                "\(opened.warnings)")
            warned += opened.warnings.isEmpty ? 0 : 1
        }
        #expect(frames == frames.sorted() && frames.contains { $0 > 0 })
        #expect(warned > 0)
    }

    @Test(
        "keep their whole pages, marked as the end, if a write fails", arguments: Encoders.ogg,
        [500, 9000, 20_000])
    func failedWrite(type: AudioFileType, limit: Int) async throws {
        let folder = ScratchFolder()
        let path = folder.file("new")
        await #expect(processExitsWith: .success) {
            [path = path as String, limit = limit as Int, name = type.rawValue as String] in
            let type = try #require(AudioFileType(rawValue: name))
            let data = Self.tones(type, frames: 200_000)
            let writer = try AudioFileWriter.create(path: path, type: type, format: try Self.format(type))
            FileSizeLimit.set(bytes: Int(writer.byteCount) + limit)
            try WriteLimit.expectFailure(inCalls: 100) { number in
                try writer.append(Array(data[8000 * number..<8000 * (number + 1)]))
            }
            let counted = writer.frameCount
            try writer.close()
            try #require(writer.frameCount == counted)
            try #require(try AudioFile.open(path: path).countFrames() == counted)
            try #require(Int(writer.byteCount) == bytes(ofFile: path).count)
        }
        let file = try AudioFile.open(path: path)
        _ = try Contents(of: file)
        #expect(file.warnings.isEmpty)
    }

    @Test("have every frame in a pipe too, and are read while they arrive", arguments: Encoders.ogg)
    func pipe(type: AudioFileType) throws {
        let folder = ScratchFolder()
        let fifo = folder.file("fifo")
        try #require(unsafe mkfifo(fifo, 0o600) == 0)
        // With both ends open, opening does not wait; the pipe holds everything written here.
        let reader = unsafe open(fifo, O_RDWR | O_NONBLOCK)
        defer { close(reader) }
        let writer = try AudioFileWriter.create(path: fifo, type: type, format: try Self.format(type))
        try writer.setInformation([AudioFileInformation("title", "Piped")])
        try writer.write(Self.tones(type, frames: 20_000))
        expectEqual(writer.frameCount, 20_000)
        var passed = [UInt8](repeating: 0, count: 1 << 16)
        let count = unsafe passed.withUnsafeMutableBytes { unsafe read(reader, $0.baseAddress, $0.count) }
        #expect(count == writer.byteCount)
        let saved = TemporaryFile(Array(passed.prefix(count)))
        let file = try AudioFile.open(path: saved.path)
        #expect(file.frameCount == 20_000 && file.tags.title == "Piped")
        try expectEqual(Contents(of: file).packets, 20_000)
        #expect(file.warnings.isEmpty)
    }
}
