// SPDX-License-Identifier: MIT

import AQExpectations
import CoreAudioTypes
import Glibc
import Testing
import AQTestSupport

@testable import AQFiles

@Suite("Encoded files that are not complete", .enabled(if: !Encoders.all.isEmpty, "no encoder is installed"))
struct EncodedFileSafetyTests {
    private let frames = 44_100

    /// Frames that an encoder may buffer, and that its first packets need.
    private func lag(_ type: AudioFileType) -> Int64 {
        switch type {
        case .mp3: 6000
        case .oggVorbis, .oggOpus: 16_000
        default: 4096
        }
    }

    @Test("count after each append the frames that they contain", arguments: Encoders.all)
    func snapshots(type: AudioFileType) throws {
        let folder = ScratchFolder()
        let path = folder.file("new")
        let format = try type.pcmFormat(sampleRate: 44100, channels: 2, bits: 16, isFloat: false)
        let tones = Tones(sampleRate: 44100, channels: 2, frames: frames).bytes(bits: 16, isFloat: false)
        let writer = try AudioFileWriter.create(path: path, type: type, format: format)
        var saved: [(frames: Int64, file: TemporaryFile)] = []
        for start in stride(from: 0, to: frames, by: 2205) {
            try writer.append(Array(tones[4 * start..<4 * (start + 2205)]))
            expectEqual(writer.frameCount, Int64(start + 2205))
            let now = bytes(ofFile: path)
            expectEqual(now.count, Int(writer.byteCount))
            saved.append((Int64(start + 2205), TemporaryFile(now)))
        }
        try writer.close()
        let whole = type == .mp3 ? try decodedMP3(path) : []
        for (appended, copy) in saved where appended > 2 * lag(type) {
            let file = try AudioFile.open(path: copy.path)
            let counted = try #require(file.frameCount)
            #expect((appended - lag(type))...appended ~= counted)
            if type == .mp3 {
                let decoded = try decodedMP3(copy.path)
                expectEqual(decoded.count, 2 * Int(counted))
                expectEqual(decoded[...], whole.prefix(decoded.count))
            } else {
                try expectEqual(Contents(of: file).bytes[...], tones.prefix(4 * Int(counted)))
            }
            #expect(file.warnings.isEmpty)
        }
    }

    @Test(
        "end with a complete packet after any append", arguments: Encoders.all + Encoders.ogg, [1, 100, 9999])
    func whole(type: AudioFileType, framesPerAppend: Int) throws {
        let folder = ScratchFolder()
        let path = folder.file("new")
        let format = try type.pcmFormat(
            sampleRate: type.encodedRate, channels: 1, bits: 16, isFloat: false)
        let writer = try AudioFileWriter.create(path: path, type: type, format: format)
        let data = noise(count: 2 * 9999)
        for start in stride(from: 0, to: data.count, by: 2 * framesPerAppend) {
            try writer.append(Array(data[start..<min(start + 2 * framesPerAppend, data.count)]))
        }
        let file = try AudioFile.open(path: path)
        let packets = try file.countPackets()
        #expect(packets > 0)
        #expect(file.warnings.isEmpty)
        let counted = try #require(file.frameCount)
        #expect((9999 - lag(type))...9999 ~= counted)
        try writer.close()
    }

    @Test(
        "lose less than a second of silence too", .enabled(if: Encoders.hasMP3, "LAME is not installed"),
        arguments: MP3FileTests.rates
    )
    func silence(rate: Int) throws {
        for channels in [1, 2] {
            let folder = ScratchFolder()
            let format = try AudioFileType.mp3.pcmFormat(
                sampleRate: Double(rate), channels: channels, bits: 16, isFloat: false)
            let writer = try AudioFileWriter.create(path: folder.file("new"), type: .mp3, format: format)
            let tenth = [UInt8](repeating: 0, count: rate / 10 * Int(format.mBytesPerFrame))
            for tenths in 1...40 {
                try writer.append(tenth)
                guard tenths > 4 else { continue }
                let counted = try #require(try AudioFile.open(path: folder.file("new")).frameCount)
                let lost = Double(tenths * (rate / 10)) - Double(counted)
                #expect(0...Double(rate) * 0.35 ~= lost, "\(channels) channels, tenth \(tenths)")
            }
        }
    }

    @Test("keep the complete packets at the size limit", arguments: [50_000, 50_417, 86, 60])
    func fileLimit(limit: Int) async throws {
        let folder = ScratchFolder()
        for type in Encoders.all + Encoders.ogg {
            let path = folder.file(type.rawValue)
            // The limit is that of the process, so the test needs its own.
            await #expect(processExitsWith: .success) {
                [path = path as String, limit = limit as Int, name = type.rawValue as String] in
                try Self.write(
                    untilLimit: limit, path: path, type: try #require(AudioFileType(rawValue: name)))
            }
            guard limit > 100 else { continue }
            let file = try AudioFile.open(path: path)
            let counted = try #require(file.frameCount)
            #expect(counted > 5000)
            _ = try Contents(of: file)
            #expect(file.warnings.isEmpty)
            #expect(bytes(ofFile: path).count <= limit)
            if type == .mp3 { try expectEqual(decodedMP3(path).count, Int(counted)) }
        }
    }

    /// Runs in its own process, and ends with an error if the writer misbehaves.
    private static func write(untilLimit limit: Int, path: String, type: AudioFileType) throws {
        FileSizeLimit.set(bytes: limit)
        let format = try type.pcmFormat(sampleRate: type.encodedRate, channels: 1, bits: 16, isFloat: false)
        let writer: AudioFileWriter
        do {
            writer = try AudioFileWriter.create(path: path, type: type, format: format)
        } catch {
            // A limit within the header.
            let isGone = unsafe access(path, F_OK) != 0
            try #require(error.code == .fileTooLarge && isGone)
            return
        }
        let data = noise(count: 2 * 4410)
        var failures: [AudioFileError] = []
        for _ in 0..<200 {
            do { try writer.append(data) } catch { failures.append(try #require(error as? AudioFileError)) }
        }
        let first = try #require(failures.first)
        try #require(first.code == .fileTooLarge)
        try #require(failures.allSatisfy { $0 == first })
        let counted = writer.frameCount
        // It has been reported.
        try writer.close()
        try #require(writer.frameCount == counted)
        if limit > 100 {
            try #require(try AudioFile.open(path: path).frameCount == counted)
            try #require(Int(writer.byteCount) == bytes(ofFile: path).count)
        }
    }

    @Test("contain no more frames than their header can count")
    func full() throws {
        let folder = ScratchFolder()
        let path = folder.file("new")
        let format = try AudioFileType.flac.pcmFormat(
            sampleRate: 44100, channels: 1, bits: 16, isFloat: false)
        expectEqual(FLACHeader.maximumFrameCount, 68_719_476_735)
        let writer = try FLACFileWriter(
            FLACEncoder(sampleRate: 44_100, channels: 1, bits: 16),
            input: EncoderInput(format: format, of: .flac),
            to: OutputFile(path: FilePath(path), overwrite: false), mostFrames: 10_000)
        let data = noise(count: 2 * 6000)
        try unsafe data.withUnsafeBytes { try unsafe writer.append($0, packetDescriptions: nil) }
        for _ in 0..<2 {
            let error = #expect(throws: AudioFileError.self) {
                try unsafe data.withUnsafeBytes { try unsafe writer.append($0, packetDescriptions: nil) }
            }
            expectEqual(error?.code, .containerFull)
        }
        expectEqual(writer.frameCount, 10_000)
        try writer.complete(hasFailed: true)
        try expectEqual(AudioFile.open(path: path).frameCount, 10_000)
        try expectEqual(Contents(of: AudioFile.open(path: path)).bytes, data + data.prefix(2 * 4000))
    }

    @Test("report a full disk as such", arguments: Encoders.all + Encoders.ogg)
    func fullDisk(type: AudioFileType) throws {
        let format = try type.pcmFormat(sampleRate: type.encodedRate, channels: 1, bits: 16, isFloat: false)
        let error = #expect(throws: AudioFileError.self) {
            let writer = try AudioFileWriter.create(path: "/dev/full", type: type, format: format)
            try writer.append(noise(count: 20_000))
        }
        expectEqual(error?.code, .diskFull)
    }

    @Test("can be written into a pipe", arguments: Encoders.all)
    func pipe(type: AudioFileType) throws {
        let folder = ScratchFolder()
        let fifo = folder.file("fifo")
        try #require(unsafe mkfifo(fifo, 0o600) == 0)
        // With both ends open, opening does not wait; the pipe holds everything written here.
        let reader = unsafe open(fifo, O_RDWR | O_NONBLOCK)
        defer { close(reader) }
        let format = try type.pcmFormat(sampleRate: 44100, channels: 1, bits: 16, isFloat: false)
        let data = Tones(sampleRate: 44100, channels: 1, frames: 20_000).bytes(bits: 16, isFloat: false)
        let writer = try AudioFileWriter.create(path: fifo, type: type, format: format)
        try writer.write(data)
        expectEqual(writer.frameCount, 20_000)
        var passed = [UInt8](repeating: 0, count: 1 << 16)
        let count = unsafe passed.withUnsafeMutableBytes { unsafe read(reader, $0.baseAddress, $0.count) }
        #expect(count == writer.byteCount)
        let saved = TemporaryFile(Array(passed.prefix(count)))
        let file = try AudioFile.open(path: saved.path)
        if type == .flac {
            expectEqual(file.frameCount, nil)
            try expectEqual(Contents(of: file).bytes, data)
            try expectEqual(file.countFrames(), 20_000)
            expectEqual(file.frameCount, 20_000)
            try expectEqual(Contents(of: file, from: 15_000).bytes, Array(data[30_000...]))
        } else {
            // The priming remains: the length of the audio is unknown.
            try expectEqual(file.countFrames() % 1152, 0)
            #expect((21_105..<21_105 + 3 * 1152).contains(try file.countFrames()))
            let decoded = try decodedMP3(saved.path)
            let tones = Tones(sampleRate: 44100, channels: 1, frames: 20_000).samples
            #expect(signalToNoise(tones, Array(decoded.dropFirst(1105))) > 25)
        }
        #expect(file.warnings.isEmpty)
    }
}
