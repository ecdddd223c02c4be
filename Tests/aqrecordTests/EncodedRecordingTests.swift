// SPDX-License-Identifier: MIT

import AQCodecs
import AQDevices
import AQExpectations
import AQFiles
import AudioQueues
import CoreAudioTypes
import Testing
import AQTestSupport
import AQToolSupport

@testable import aqrecord

/// The decoded audio of a recording's encoded files.
@Suite("Recordings that are encoded")
struct EncodedRecordingTests {
    struct Case: CustomTestStringConvertible, Sendable {
        var codec: RecordingCodec
        var name: String
        var testDescription: String { "\(codec.rawValue) in \(name)" }
        /// Whether the file states its trims.
        var isExact: Bool { !name.hasSuffix(".aac") }
        var isLossless: Bool { codec == .alac }
    }

    static let cases: [Case] = {
        var cases = [
            Case(codec: .ulaw, name: "a.caf"), Case(codec: .alaw, name: "a.caf"),
            Case(codec: .ulaw, name: "a.wav"), Case(codec: .alaw, name: "a.aifc"),
        ]
        let ours: [Case] = [
            Case(codec: .aac, name: "a.caf"), Case(codec: .alac, name: "a.caf"),
            Case(codec: .ima4, name: "a.caf"), Case(codec: .mp3, name: "a.caf"),
            Case(codec: .aac, name: "a.m4a"), Case(codec: .alac, name: "a.m4a"),
            Case(codec: .aac, name: "a.aac"),
        ]
        cases += ours.filter { CodecAvailability.encoder(of: $0.codec.formatID).isAvailable }
        return cases
    }()

    static let lossless = cases.filter(\.isLossless)

    private let folder: ScratchFolder
    private let outbox: Outbox

    init() throws {
        folder = ScratchFolder()
        outbox = try Outbox()
    }

    private func intake(
        _ test: Case, split: RecordOptions.Split? = nil, length: Int64? = nil
    ) throws -> Intake {
        let target = try RecordingTarget.operand(FilePath(folder.file(test.name)))
        let encoding = try #require(
            test.codec.encoding(in: target.type, sampleRate: 48_000, channels: 2, bits: 16, bitRate: 256_000))
        let format = RecordingFormat(try encoding.makeEncoder().inputFormat)
        let plan = FileSequence.Plan(
            target: target, format: format.description, encoding: encoding, split: split,
            scanner: format.scanner)
        let outbox = outbox
        let files = FileSequence(
            plan, onWarning: { outbox.post(.warning($0)) }, onFileEnd: { outbox.post(.fileEnded($0)) })
        return Intake(
            files: files, format: format,
            gate: LevelGate(startLevel: nil, preRollFrames: 0, silence: nil), preRollFrames: 0,
            length: length, bufferCount: 1, outbox: outbox)
    }

    /// A slow swell, which every codec keeps within a few steps, and which has distinct frames for lossless ones.
    static func sound(_ frames: Range<Int>) -> [Int16] {
        frames.flatMap { frame in
            let phase = frame % 400
            let level = phase < 200 ? phase : 400 - phase
            return [Int16(level * 60 - 6000), Int16(6000 - level * 60)]
        }
    }

    /// Passes frames to the intake.
    private func give(_ intake: Intake, _ test: Case, _ frames: Range<Int>, lost: Int64 = 0) {
        let info = InputBufferInfo(
            sampleTime: Double(frames.lowerBound), hostTime: UInt64(frames.lowerBound) * 20_833,
            packetCount: frames.count, lostFramesBefore: lost)
        let samples = Self.sound(frames)
        switch test.codec {
        case .aac, .mp3:
            let floats = samples.map { Float($0) / 32_768 }
            unsafe floats.withUnsafeBytes { unsafe intake.take($0, info) }
        default: unsafe samples.withUnsafeBytes { unsafe intake.take($0, info) }
        }
    }

    /// The frames of a file within its trims, as 16-bit samples.
    private func decode(_ name: String) throws -> [Int16] {
        let file = try AudioFile.open(path: folder.file(name))
        let decoder = try makePacketDecoder(for: file.format, magicCookie: file.magicCookie)
        let converter = try LinearPCMConverter(
            from: decoder.outputFormat,
            to: .signedInteger(bits: 16, channels: 2, sampleRate: file.format.mSampleRate))
        let bytesPerFrame = Int(decoder.outputFormat.mBytesPerFrame)
        var packet = [UInt8](repeating: 0, count: max(1, file.packetSizeUpperBound))
        var descriptions = [AudioStreamPacketDescription](repeating: .init(), count: 1)
        var decoded = [UInt8](repeating: 0, count: decoder.maximumFramesPerPacket * bytesPerFrame)
        var samples: [Int16] = []
        var number: Int64 = 0
        while true {
            let read = try unsafe packet.withUnsafeMutableBytes { bytes in
                try unsafe descriptions.withUnsafeMutableBufferPointer {
                    try unsafe file.readPackets(from: number, into: bytes, descriptions: $0)
                }
            }
            guard read.packets > 0 else { break }
            expectEqual(read.packets, 1)
            let frames = try unsafe packet.prefix(read.bytes).withUnsafeBytes { bytes in
                try unsafe decoded.withUnsafeMutableBytes { try unsafe decoder.decode(bytes, into: $0) }
            }
            var converted = [Int16](repeating: 0, count: frames * 2)
            _ = try unsafe decoded.prefix(frames * bytesPerFrame).withUnsafeBytes { bytes in
                try unsafe converted.withUnsafeMutableBytes { try unsafe converter.convert(bytes, into: $0) }
            }
            samples += converted
            number += 1
        }
        let table = try #require(file.packetTable)
        let played = samples.dropFirst(Int(table.primingFrames) * 2).prefix(Int(table.validFrames) * 2)
        expectEqual(played.count, Int(table.validFrames) * 2)
        return Array(played)
    }

    /// The mean difference of samples, in 16-bit steps.
    private func distance(
        _ played: some Collection<Int16>, _ wanted: some Collection<Int16>
    ) -> Double {
        var sum = 0.0
        for (sample, expected) in zip(played, wanted) { sum += abs(Double(sample) - Double(expected)) }
        return sum / Double(max(1, min(played.count, wanted.count)))
    }

    /// Whether the output is the audio of some frames, exact to a frame.
    private func isInPlace(_ played: [Int16], _ frames: Range<Int>) -> Bool {
        let wanted = Self.sound(frames)
        let inPlace = distance(played, wanted)
        return inPlace < 150 && inPlace < distance(played.dropFirst(2), wanted)
            && inPlace < distance(played, wanted.dropFirst(2))
    }

    private var reports: (files: [FileReport], end: RecordingEnd?) {
        var result: (files: [FileReport], end: RecordingEnd?) = ([], nil)
        for message in outbox.take() {
            switch message {
            case .fileEnded(let report): result.files.append(report)
            case .ended(let end): result.end = end
            case .warning, .deviceStarted, .deviceChanged: break
            }
        }
        return result
    }

    @Test("the file has exactly the requested frames", arguments: cases, [1, 5000, 24_001])
    func exact(test: Case, frames: Int) throws {
        let intake = try intake(test, length: Int64(frames))
        for start in stride(from: 0, to: frames, by: 1000) { give(intake, test, start..<start + 1000) }
        let (files, end) = reports
        expectEqual(end, RecordingEnd(ending: .length, error: nil, totalFrames: Int64(frames), lostFrames: 0))
        expectEqual(files.map(\.frames), [Int64(frames)])
        let played = try decode(test.name)
        guard test.isExact else {
            #expect(played.count >= frames * 2)
            return
        }
        expectEqual(played.count, frames * 2)
        let wanted = Self.sound(0..<frames)
        if test.isLossless {
            expectEqual(firstDifference(played, wanted), nil)
        } else if frames > 1 {
            #expect(isInPlace(played, 0..<frames))
        }
    }

    @Test("consecutive files are each complete, with no frame lost between them", arguments: cases)
    func split(test: Case) throws {
        let intake = try intake(test, split: .seconds(0.1), length: 12_000)
        for start in stride(from: 0, to: 12_000, by: 1000) { give(intake, test, start..<start + 1000) }
        let (files, _) = reports
        expectEqual(files.map(\.frames), [4800, 4800, 2400])
        expectEqual(files.map(\.ending), [.split, .split, .length])
        guard test.isExact else { return }
        for (index, name) in folder.names.enumerated() {
            let played = try decode(name)
            let frames = index * 4800..<min((index + 1) * 4800, 12_000)
            expectEqual(played.count, frames.count * 2)
            #expect(isInPlace(played, frames))
            if test.isLossless { expectEqual(firstDifference(played, Self.sound(frames)), nil) }
        }
    }

    @Test("lost frames are silent", arguments: lossless)
    func loss(test: Case) throws {
        let intake = try intake(test, length: 9000)
        give(intake, test, 0..<3000)
        give(intake, test, 6000..<9000, lost: 3000)
        let played = try decode(test.name)
        let wanted = Self.sound(0..<3000) + [Int16](repeating: 0, count: 6000) + Self.sound(6000..<9000)
        expectEqual(firstDifference(played, wanted), nil)
    }

    @Test("a file that is never closed is complete up to the last packets", arguments: cases)
    func kill(test: Case) throws {
        let intake = try intake(test)
        for start in stride(from: 0, to: 48_000, by: 1000) { give(intake, test, start..<start + 1000) }
        // The frames buffered by an encoder, and by a writer until it updates its tables, are less than a second.
        let played = try decode(test.name)
        #expect(played.count > 0)
        #expect(played.count / 2 <= 48_000 + (test.isExact ? 0 : 2048))
        #expect(played.count / 2 >= 48_000 - 24_000)
        if test.isLossless {
            expectEqual(firstDifference(played, Self.sound(0..<played.count / 2)), nil)
        } else if test.isExact {
            #expect(isInPlace(played, 0..<played.count / 2))
        }
        withExtendedLifetime(intake) {}
    }

    @Test("a missing codec is reported as such")
    func unavailable() {
        let format = AudioStreamBasicDescription.encoded(
            kAudioFormatQDesign2, framesPerPacket: 0, channels: 2, sampleRate: 48_000)
        let plan = FileSequence.Plan(
            target: RecordingTarget(path: FilePath(folder.file("a.caf")), type: .caf),
            format: .signedInteger(bits: 16, channels: 2, sampleRate: 48_000),
            encoding: RecordingEncoding(format: format, settings: CodecSettings()))
        #expect {
            try RecordingFile(path: FilePath(folder.file("a.caf")), plan)
        } throws: {
            "\($0)".contains("cannot record '\(folder.file("a.caf"))': cannot encode")
        }
        #expect(folder.names.isEmpty)
    }
}
