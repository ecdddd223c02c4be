// SPDX-License-Identifier: MIT

import AQExpectations
import AQFiles
import AudioQueues
import CoreAudioTypes
import Glibc
import Testing
import AQTestSupport
import AQToolSupport

@testable import aqrecord

@Suite("Overwriting an existing file")
struct RecordingOverwriteTests {
    private let folder: ScratchFolder
    private let outbox: Outbox

    init() throws {
        folder = ScratchFolder()
        outbox = try Outbox()
    }

    /// An intake of 1000 frames a second that overwrites.
    private static func intake(
        _ path: String, _ outbox: Outbox, split: RecordOptions.Split? = nil, source: FileIdentity? = nil,
        waitsForSound: Bool = false
    ) throws -> Intake {
        let target = try RecordingTarget.operand(FilePath(path))
        let format = RecordingFormat(
            try target.type.pcmFormat(sampleRate: 1000, channels: 2, bits: 16, isFloat: false))
        let plan = FileSequence.Plan(
            target: target, format: format.description, split: split, overwrites: true, source: source,
            scanner: format.scanner)
        let files = FileSequence(
            plan, onWarning: { outbox.post(.warning($0)) }, onFileEnd: { outbox.post(.fileEnded($0)) })
        let gate = LevelGate(startLevel: waitsForSound ? 0.9 : nil, preRollFrames: 0, silence: nil)
        return Intake(
            files: files, format: format, gate: gate, preRollFrames: 0, length: nil, bufferCount: 1,
            outbox: outbox)
    }

    private static func give(_ intake: Intake, _ samples: [Int16]) {
        let info = InputBufferInfo(
            sampleTime: 0, hostTime: 0, packetCount: samples.count / 2, lostFramesBefore: 0)
        unsafe samples.withUnsafeBytes { unsafe intake.take($0, info) }
    }

    /// Makes a file of the sequence's first frames, and returns its size.
    @discardableResult private func makeFile(_ name: String, frames: Int = 100) throws -> Int {
        let format = try AudioFileType.wave.pcmFormat(
            sampleRate: 1000, channels: 2, bits: 16, isFloat: false)
        let writer = try AudioFileWriter.create(path: folder.file(name), type: .wave, format: format)
        try unsafe sequence(0..<frames).withUnsafeBytes { try unsafe writer.append($0) }
        try writer.close()
        return Int(writer.byteCount)
    }

    /// Whether a file holds exactly these frames of the sequence.
    private func holds(_ name: String, _ frames: Range<Int>) throws -> Bool {
        firstDifference(try folder.samples(of: name), sequence(frames)) == nil
    }

    @Test("an existing file is kept if no frame is recorded", arguments: ["a.wav", "link.wav"])
    func nothingRecorded(name: String) throws {
        try makeFile("a.wav")
        unsafe expectEqual(symlink(folder.file("a.wav"), folder.file("link.wav")), 0)
        let intake = try Self.intake(folder.file(name), outbox, waitsForSound: true)
        intake.queueStarted()
        Self.give(intake, [Int16](repeating: 0, count: 2 * 50))
        #expect(try holds("a.wav", 0..<100))
        expectEqual(intake.currentStatus.path, FilePath(folder.file(name)))
        expectEqual(intake.currentStatus.byteCount, 0)
        intake.queueFailed()
        expectEqual(folder.names, ["a.wav", "link.wav"])
        #expect(try holds("a.wav", 0..<100))
        expectEqual(
            outbox.take(),
            [
                .ended(RecordingEnd(ending: .deviceLost, error: nil, totalFrames: 0, lostFrames: 0))
            ])
    }

    @Test("the first frame replaces the existing contents, and the rest follows")
    func replaced() throws {
        try makeFile("a.wav")
        let intake = try Self.intake(folder.file("a.wav"), outbox)
        intake.queueStarted()
        #expect(try holds("a.wav", 0..<100))
        Self.give(intake, sequence(300..<310))
        #expect(try holds("a.wav", 300..<310))
        Self.give(intake, sequence(310..<340))
        intake.queueFailed()
        expectEqual(folder.names, ["a.wav"])
        #expect(try holds("a.wav", 300..<340))
    }

    @Test("an existing first numbered file is found by its own name, and kept, before recording")
    func numbered() throws {
        try makeFile("a-001.wav")
        let intake = try Self.intake(folder.file("a.wav"), outbox, split: .seconds(1))
        expectEqual(intake.currentStatus.path, FilePath(folder.file("a-001.wav")))
        intake.queueStarted()
        expectEqual(intake.currentStatus.path, FilePath(folder.file("a-001.wav")))
        #expect(try holds("a-001.wav", 0..<100))
        Self.give(intake, sequence(500..<520))
        intake.queueFailed()
        expectEqual(folder.names, ["a-001.wav"])
        #expect(try holds("a-001.wav", 500..<520))
    }

    @Test("a file without room for a frame is removed, unless it existed before", arguments: [false, true])
    func nothingFits(wasThere: Bool) async throws {
        let headBytes = try makeFile("empty.wav", frames: 0)
        if wasThere { try makeFile("a.wav") }
        await #expect(processExitsWith: .success) {
            [path = folder.file("a.wav") as String, limit = headBytes as Int] in
            try Self.recordNothing(path: path, limit: limit)
        }
        expectEqual(folder.names, (wasThere ? ["a.wav", "empty.wav"] : ["empty.wav"]))
    }

    /// Runs in its own process, because the limit is that of the process.
    private static func recordNothing(path: String, limit: Int) throws {
        FileSizeLimit.set(bytes: limit)
        let outbox = try Outbox()
        let intake = try Self.intake(path, outbox)
        intake.queueStarted()
        give(intake, sequence(0..<10))
        expectEqual(
            outbox.take(),
            [
                .ended(
                    RecordingEnd(
                        ending: .error,
                        error: "cannot write '\(path)': file too large; the file is whole up to frame 0",
                        totalFrames: 0, lostFrames: 0))
            ])
    }

    // MARK: The file of the source

    @Test("the file of the source is refused, under any name", arguments: [false, true])
    func source(overwrites: Bool) throws {
        try makeFile("a.wav")
        try makeFile("other.wav")
        unsafe expectEqual(symlink(folder.file("a.wav"), folder.file("link.wav")), 0)
        unsafe expectEqual(link(folder.file("a.wav"), folder.file("second.wav")), 0)
        let source = try SourceChoice.named(FilePath("virtual:file=\(folder.file("a.wav")),fast")).file
        #expect(source != nil)
        for name in ["a.wav", "link.wav", "second.wav"] {
            let target = try RecordingTarget.operand(FilePath(folder.file(name)))
            #expect(
                throws: ToolFailure(
                    .inputOutput, "cannot create '\(target.path)': it is the input file")
            ) { try target.check(overwrites: overwrites, isNumbered: false, source: source) }
        }
        let other = try RecordingTarget.operand(FilePath(folder.file("other.wav")))
        #expect(throws: Never.self) { try other.check(overwrites: true, isNumbered: false, source: source) }
    }

    @Test("a directory, and a missing file, cannot be overwritten", arguments: ["", ":tone", ":file="])
    func noSource(sound: String) throws {
        let path = sound.hasSuffix("=") ? folder.file("none.wav") : ""
        try expectEqual(SourceChoice.named(FilePath("virtual\(sound)\(path)")).file, nil)
    }

    @Test("a later file that is the source is kept, whatever is overwritten")
    func laterSource() throws {
        try makeFile("a-002.wav")
        let intake = try Self.intake(
            folder.file("a.wav"), outbox, split: .seconds(0.1),
            source: FileIdentity(path: FilePath(folder.file("a-002.wav"))))
        Self.give(intake, sequence(0..<150))
        intake.queueFailed()
        expectEqual(folder.names, ["a-001.wav", "a-002.wav", "a-003.wav"])
        #expect(try holds("a-002.wav", 0..<100))
        #expect(try holds("a-003.wav", 100..<150))
    }

    @Test("a file that is recorded into itself ends the tool, and is unchanged")
    func itself() async throws {
        try makeFile("a.wav")
        await #expect(processExitsWith: .exitCode(74)) { [path = folder.file("a.wav") as String] in
            let status = RecordTool.run([
                "-y", "-q", "--frames=50", "--device=virtual:file=\(path),fast", path,
            ])
            exit(status.rawValue)
        }
        #expect(try holds("a.wav", 0..<100))
    }
}
