// SPDX-License-Identifier: MIT

import AQCodecs
import AQExpectations
import AQFiles
import AudioQueues
import CoreAudioTypes
import Testing
import AQTestSupport
import AQToolSupport

@testable import aqrecord

/// An encoder buffers frames, and a container does until it writes its tables, so a file at its size limit has fewer
/// frames than it was given.
@Suite("Encoded recordings whose file reaches its size limit")
struct EncodedFailureTests {
    struct Case: CustomTestStringConvertible, Sendable {
        var codec: RecordingCodec
        var name: String
        /// The size limit of the file, in bytes.
        var limit: Int
        /// The most frames it is given.
        var frames: Int
        var testDescription: String { "\(codec.rawValue) in \(name), \(frames) frames" }

        var isAvailable: Bool {
            guard let type = try? RecordingTarget.operand(FilePath(name)).type else { return false }
            if [.oggVorbis, .oggOpus].contains(type) { return true }
            guard CodecAvailability.encoder(of: codec.formatID).isAvailable
            else { return false }
            // MP3 depends on a trait of the package.
            guard type == .mp3 else { return true }
            guard
                let format = try? type.pcmFormat(
                    sampleRate: 48_000, channels: 2, bits: 16, isFloat: false)
            else { return false }
            let writer = try? AudioFileWriter.create(path: "/dev/null", type: type, format: format)
            return writer != nil
        }
    }

    static let cases: [Case] = {
        let all = [
            // While frames are appended.
            Case(codec: .pcm, name: "a.flac", limit: 70_000, frames: 48_000),
            Case(codec: .pcm, name: "a.mp3", limit: 70_000, frames: 480_000),
            Case(codec: .vorbis, name: "a.ogg", limit: 70_000, frames: 480_000),
            Case(codec: .opus, name: "a.opus", limit: 70_000, frames: 480_000),
            Case(codec: .aac, name: "a.m4a", limit: 70_000, frames: 480_000),
            Case(codec: .aac, name: "a.caf", limit: 70_000, frames: 480_000),
            Case(codec: .alac, name: "a.m4a", limit: 200_000, frames: 100_000),
            Case(codec: .alac, name: "a.caf", limit: 200_000, frames: 100_000),
            // When it is closed: the last block of 4096 frames, and the last five packets of as many.
            Case(codec: .pcm, name: "a.flac", limit: 70_000, frames: 20_000),
            Case(codec: .alac, name: "a.m4a", limit: 90_000, frames: 30_000),
        ]
        return all.filter(\.isAvailable)
    }()

    private let folder: ScratchFolder

    init() throws { folder = ScratchFolder() }

    @Test("are reported with the frames that it contains", arguments: cases)
    func frames(test: Case) async throws {
        await #expect(processExitsWith: .success) {
            [
                codec = test.codec.rawValue as String, path = folder.file(test.name) as String,
                frames = test.frames as Int, limit = test.limit as Int
            ] in
            try Self.record(
                try #require(RecordingCodec(rawValue: codec)), path: path, frames: frames, limit: limit)
        }
    }

    /// Runs in its own process, because the limit is that of the process.
    private static func record(_ codec: RecordingCodec, path: String, frames: Int, limit: Int) throws {
        let target = try RecordingTarget.operand(FilePath(path))
        let encoding = codec.encoding(
            in: target.type, sampleRate: 48_000, channels: 2, bits: 16, bitRate: 256_000)
        let format: RecordingFormat
        if let encoding {
            format = RecordingFormat(try encoding.makeEncoder().inputFormat)
        } else {
            format = RecordingFormat(
                try target.type.pcmFormat(sampleRate: 48_000, channels: 2, bits: 16, isFloat: false))
        }
        let plan = FileSequence.Plan(
            target: target, format: format.description, encoding: encoding, scanner: format.scanner)
        let outbox = try Outbox()
        let files = FileSequence(
            plan, onWarning: { outbox.post(.warning($0)) }, onFileEnd: { outbox.post(.fileEnded($0)) })
        let intake = Intake(
            files: files, format: format,
            gate: LevelGate(startLevel: nil, preRollFrames: 0, silence: nil), preRollFrames: 0,
            length: Int64(frames), bufferCount: 1, outbox: outbox)
        FileSizeLimit.set(bytes: limit)
        let block = noise(frames: 1000, isFloat: format.description.isFloat)
        let info = InputBufferInfo(sampleTime: 0, hostTime: 0, packetCount: 1000, lostFramesBefore: 0)
        // Once the recording has ended it accepts no more.
        for _ in 0..<frames / 1000 {
            unsafe block.withUnsafeBytes { unsafe intake.take($0, info) }
        }
        try check(outbox.take(), path: path, given: Int64(frames))
    }

    private static func check(_ messages: [Outbox.Message], path: String, given: Int64) throws {
        var reports: [FileReport] = []
        var end: RecordingEnd?
        for message in messages {
            switch message {
            case .fileEnded(let report): reports.append(report)
            case .ended(let ended): end = ended
            case .warning, .deviceStarted, .deviceChanged: break
            }
        }
        let held = try AudioFile.open(path: path).countFrames()
        #expect(held > 0 && held < given)
        expectEqual(reports.map(\.frames), [held])
        expectEqual(reports.first?.ending, .error)
        expectEqual(end?.ending, .error)
        expectEqual(end?.totalFrames, held)
        let reported = "file too large; the file is whole up to frame \(held)"
        expectEqual(reports.first?.error?.hasSuffix(reported), true, "\(reports.first?.error ?? "no error")")
    }

    /// Audio that no codec compresses much.
    private static func noise(frames: Int, isFloat: Bool) -> [UInt8] {
        var state: UInt32 = 1
        let samples = (0..<2 * frames).map { _ in
            state = state &* 1_664_525 &+ 1_013_904_223
            return Int16(truncatingIfNeeded: state >> 16)
        }
        if isFloat {
            let floats = samples.map { Float($0) / 32_768 }
            return unsafe floats.withUnsafeBytes { unsafe Array($0) }
        }
        return unsafe samples.withUnsafeBytes { unsafe Array($0) }
    }
}
