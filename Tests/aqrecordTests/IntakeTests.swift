// SPDX-License-Identifier: MIT

import AQDevices
import AQExpectations
import AQFiles
import AudioQueues
import CoreAudioTypes
import Testing
import AQTestSupport
import AQToolSupport

@testable import aqrecord

@Suite("Captured frames on their path to the file")
struct IntakeTests {
    private let folder: ScratchFolder
    private let outbox: Outbox

    init() throws {
        folder = ScratchFolder()
        outbox = try Outbox()
    }

    private func intake(
        _ name: String = "a.wav", split: RecordOptions.Split? = nil, length: Int64? = nil,
        overwrites: Bool = false,
        gate: LevelGate = LevelGate(startLevel: nil, preRollFrames: 0, silence: nil), preRollFrames: Int = 0
    ) throws -> Intake {
        let target = try RecordingTarget.operand(FilePath(folder.file(name)))
        let format = RecordingFormat(
            try target.type.pcmFormat(sampleRate: 1000, channels: 2, bits: 16, isFloat: false))
        let plan = FileSequence.Plan(
            target: target, format: format.description, split: split, overwrites: overwrites,
            scanner: format.scanner)
        let outbox = outbox
        let files = FileSequence(
            plan, onWarning: { outbox.post(.warning($0)) }, onFileEnd: { outbox.post(.fileEnded($0)) })
        return Intake(
            files: files, format: format, gate: gate, preRollFrames: preRollFrames, length: length,
            bufferCount: 1, outbox: outbox)
    }

    /// Passes frames of the sequence, as captured one millisecond each from the host time 0 on.
    private func give(_ intake: Intake, _ frames: Range<Int>, lost: Int64 = 0, isBigEndian: Bool = false) {
        let info = InputBufferInfo(
            sampleTime: Double(frames.lowerBound), hostTime: UInt64(frames.lowerBound) * 1_000_000,
            packetCount: frames.count, lostFramesBefore: lost)
        let samples = sequence(frames).map { isBigEndian ? $0.byteSwapped : $0 }
        unsafe samples.withUnsafeBytes { unsafe intake.take($0, info) }
    }

    private var reports: (files: [FileReport], warnings: [String], end: RecordingEnd?) {
        var result: (files: [FileReport], warnings: [String], end: RecordingEnd?) = ([], [], nil)
        for message in outbox.take() {
            switch message {
            case .fileEnded(let report): result.files.append(report)
            case .warning(let text): result.warnings.append(text)
            case .ended(let end): result.end = end
            case .deviceStarted, .deviceChanged: break
            }
        }
        return result
    }

    @Test("ends after the requested frames, in the middle of a buffer", arguments: [1, 99, 100, 101, 250])
    func length(frames: Int) throws {
        let intake = try intake(length: Int64(frames))
        for start in stride(from: 0, to: 400, by: 100) { give(intake, start..<start + 100) }
        expectEqual(firstDifference(try folder.samples(of: "a.wav"), sequence(0..<frames)), nil)
        let (files, warnings, end) = reports
        expectEqual(files.map(\.frames), [Int64(frames)])
        expectEqual(files.first?.ending, .length)
        #expect(warnings.isEmpty)
        expectEqual(end, RecordingEnd(ending: .length, error: nil, totalFrames: Int64(frames), lostFrames: 0))
    }

    @Test("lost frames are silent, reported, and counted")
    func loss() throws {
        let intake = try intake(length: 9300)
        give(intake, 0..<100)
        // More than one block of silence, and the end of the recording after it.
        give(intake, 9100..<9200, lost: 9000)
        give(intake, 9200..<9400)
        expectEqual(
            firstDifference(
                try folder.samples(of: "a.wav"),
                sequence(0..<100) + [Int16](repeating: 0, count: 18_000) + sequence(9100..<9300)), nil)
        let (files, warnings, end) = reports
        expectEqual(files.first?.faults, .init(overruns: 1, lostFrames: 9000))
        expectEqual(
            warnings,
            [
                "9000 frames (9.000 s) were lost at 0:00 because writing took too long; silence replaces them"
            ])
        expectEqual(end?.lostFrames, 9000)
    }

    @Test(
        "the next file begins with the frame captured at its request",
        arguments: [100, 150, 199, 200, 240])
    func nextFile(frame: Int) throws {
        let intake = try intake(length: 400)
        give(intake, 0..<100)
        intake.requestNextFile(atHostTime: UInt64(frame) * 1_000_000)
        for start in [100, 200, 300] { give(intake, start..<start + 100) }
        expectEqual(folder.names, ["a-002.wav", "a.wav"])
        expectEqual(firstDifference(try folder.samples(of: "a.wav"), sequence(0..<frame)), nil)
        expectEqual(firstDifference(try folder.samples(of: "a-002.wav"), sequence(frame..<400)), nil)
        let files = reports.files
        expectEqual(files.map(\.ending), [.nextFile, .length])
        expectEqual(files.map(\.firstFrameHostTime), [0, UInt64(frame) * 1_000_000])
    }

    @Test("a file that is requested before any frame is the first")
    func nextFileTooEarly() throws {
        let intake = try intake(length: 10)
        intake.queueStarted()
        intake.requestNextFile(atHostTime: 1)
        give(intake, 5..<20)
        expectEqual(folder.names, ["a.wav"])
        expectEqual(reports.files.map(\.frames), [10])
    }

    @Test("files in a row hold every frame once", arguments: [1, 7, 99, 100, 101, 1000])
    func split(bufferFrames: Int) throws {
        let intake = try intake(split: .seconds(0.1), length: 350)
        for start in stride(from: 0, to: 400, by: bufferFrames) { give(intake, start..<start + bufferFrames) }
        expectEqual(folder.names, ["a-001.wav", "a-002.wav", "a-003.wav", "a-004.wav"])
        for (index, name) in folder.names.enumerated() {
            expectEqual(
                firstDifference(
                    try folder.samples(of: name), sequence(index * 100..<min(350, index * 100 + 100))), nil)
        }
        let files = reports.files
        expectEqual(files.map(\.ending), [.split, .split, .split, .length])
        expectEqual(files.map(\.firstFrameHostTime), [0, 100_000_000, 200_000_000, 300_000_000])
    }

    @Test("no empty file follows a split at the very end")
    func splitAtTheEnd() throws {
        let intake = try intake(split: .seconds(0.1), length: 200)
        give(intake, 0..<300)
        expectEqual(folder.names, ["a-001.wav", "a-002.wav"])
    }

    @Test(
        "files of a size limit are no larger, and not much smaller",
        arguments: ["a.wav", "a.aif", "a.caf", "a.w64"])
    func splitBySize(name: String) throws {
        let intake = try intake(name, split: .bytes(65_536), length: 50_000)
        for start in stride(from: 0, to: 50_000, by: 500) {
            give(intake, start..<start + 500, isBigEndian: name == "a.aif")
        }
        let names = folder.names
        var all: [Int16] = []
        for name in names { all += try folder.samples(of: name) }
        expectEqual(firstDifference(all, sequence(0..<50_000)), nil)
        for report in reports.files.dropLast() {
            #expect((65_500...65_536).contains(report.bytes), "\(report.bytes)")
        }
    }

    @Test("a later file that exists already is kept")
    func existingLaterFile() throws {
        let other = try AudioFileWriter.create(
            path: folder.file("a-002.wav"), type: .wave,
            format: .signedInteger(bits: 16, channels: 2, sampleRate: 1000))
        try other.close()
        let intake = try intake(split: .seconds(0.1), length: 150)
        give(intake, 0..<200)
        expectEqual(folder.names, ["a-001.wav", "a-002.wav", "a-003.wav"])
        #expect(try folder.samples(of: "a-002.wav").isEmpty)
        expectEqual(firstDifference(try folder.samples(of: "a-003.wav"), sequence(100..<150)), nil)
        expectEqual(
            reports.warnings,
            [
                "'\(folder.file("a-002.wav"))' exists already; continuing in '\(folder.file("a-003.wav"))'"
            ])
    }

    @Test("the first file that exists already ends the recording, and is kept")
    func existingFile() throws {
        try intake(length: 100).take(frames: 100)
        _ = outbox.take()
        let intake = try intake()
        intake.queueStarted()
        give(intake, 0..<100)
        try expectEqual(folder.samples(of: "a.wav").count, 200)
        let end = reports.end
        expectEqual(end?.ending, .error)
        expectEqual(end?.error, "cannot create '\(folder.file("a.wav"))': it exists already")
    }

    @Test("an empty recording leaves no file")
    func nothing() throws {
        let intake = try intake()
        intake.queueStarted()
        expectEqual(folder.names, ["a.wav"])
        intake.queueFailed()
        #expect(folder.names.isEmpty)
        let (files, _, end) = reports
        #expect(files.isEmpty)
        expectEqual(end, RecordingEnd(ending: .deviceLost, error: nil, totalFrames: 0, lostFrames: 0))
    }

    @Test("audio captured before the first loud frame is recorded with its own time")
    func preRoll() throws {
        // The sequence rises to 0 at its frame 32760, channel 0, and is 0.5 of full scale 16384 frames later.
        let gate = LevelGate(startLevel: 0.9, preRollFrames: 50, silence: nil)
        let intake = try intake(gate: gate, preRollFrames: 50)
        #expect(intake.currentStatus.isWaitingForSound)
        let quiet = [Int16](repeating: 0, count: 2 * 30)
        for block in 0..<4 {
            let info = InputBufferInfo(
                sampleTime: 0, hostTime: UInt64(block) * 30_000_000, packetCount: 30, lostFramesBefore: 0)
            unsafe quiet.withUnsafeBytes { unsafe intake.take($0, info) }
        }
        #expect(intake.currentStatus.isWaitingForSound && folder.names.isEmpty)
        var loud = quiet
        loud[2 * 10] = .min
        let info = InputBufferInfo(sampleTime: 0, hostTime: 120_000_000, packetCount: 30, lostFramesBefore: 0)
        unsafe loud.withUnsafeBytes { unsafe intake.take($0, info) }
        #expect(!intake.currentStatus.isWaitingForSound)
        intake.queueFailed()
        let recorded = try folder.samples(of: "a.wav")
        expectEqual(recorded.count, 2 * 70)
        expectEqual(recorded.firstIndex(of: .min), 2 * 50)
        // 50 frames before the loud one, captured at 130 ms.
        expectEqual(reports.files.first?.firstFrameHostTime, 80_000_000)
    }
}

extension Intake {
    /// Passes frames of the sequence.
    fileprivate func take(frames: Int) {
        let info = InputBufferInfo(sampleTime: 0, hostTime: 0, packetCount: frames, lostFramesBefore: 0)
        unsafe sequence(0..<frames).withUnsafeBytes { unsafe take($0, info) }
    }
}
