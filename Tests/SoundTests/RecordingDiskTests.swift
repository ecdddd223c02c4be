// SPDX-License-Identifier: MIT

import AQExpectations
import Glibc
import AQSoundHarness
import AQTestTraits
import Testing

extension Trait where Self == ConditionTrait {
    /// For tests that damage their own file system.
    static func needsFileSystem(_ kind: ScratchFileSystem.Kind) -> Self {
        .enabled(
            if: ScratchFileSystem.obstacle(to: kind) == nil,
            Comment(rawValue: ScratchFileSystem.obstacle(to: kind) ?? ""))
    }
}

/// Disks that become full, fail or stall while `aqrecord` writes to them.
///
/// The virtual source is recorded, whose samples encode their position; no server is needed.
@Suite("Recording to a failing disk", .serialized, .besideOthers, .timeLimit(.minutes(2)))
struct RecordingDiskTests {
    /// Containers whose header counts the audio after it.
    static let names = ["a.aif", "a.wav", "a.caf"]

    private func record(_ arguments: [String]) throws -> ChildProcess {
        try ChildProcess(ToolPaths.tool("aqrecord"), arguments)
    }

    /// Records on the disk, one file for each name, and returns once each has a tenth of a second of audio.
    private func recordAll(_ arguments: [String], on disk: ScratchFileSystem) throws -> [ChildProcess] {
        let recorders = try Self.names.map {
            try record(["--device=virtual:sequence"] + arguments + [disk.file($0)])
        }
        let areRecording = HostClock.poll(upToSeconds: 10) {
            Self.names.allSatisfy { SystemFile.byteCount(ofPath: disk.file($0)) > 4 * 4800 + 4096 }
        }
        try #require(areRecording)
        return recorders
    }

    /// Expects that the recorder failed, reported why in one line, and left a file that is whole.
    ///
    /// - Parameters:
    ///   - frames: How many there must be.
    ///   - uncountedFrames: How many there may be behind them.
    private func expect(
        _ reason: String, _ result: ChildProcess.Result, _ path: String, frames: ClosedRange<Int>,
        uncountedFrames: Int = 0, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        #expect(result.exitStatus == 74, sourceLocation: sourceLocation)
        let file = try RecordedFile(path, sourceLocation: sourceLocation)
        #expect(
            result.standardError
                == "aqrecord: cannot write '\(path)': \(reason); the file is whole up to frame \(file.frames)\n",
            sourceLocation: sourceLocation)
        #expect(frames ~= file.frames, "\(file.frames) frames", sourceLocation: sourceLocation)
        file.sound.expectSequence(file.path, sourceLocation: sourceLocation)
        try file.expectReadable(uncountedFrames: uncountedFrames, sourceLocation: sourceLocation)
    }

    @Test("a full disk", .needsFileSystem(.memory), arguments: names)
    func full(name: String) throws {
        let disk = try ScratchFileSystem(.memory, byteCount: 1 << 20)
        let result = try record(["--device=virtual:sequence,fast", "--seconds=60", disk.file(name)]).wait()
        // Four bytes a frame; the header takes a page at most.
        let most = (1 << 20) / 4
        try expect("no space left on device", result, disk.file(name), frames: most - 1100...most)
    }

    @Test("a limit on the size of files", arguments: names)
    func limit(name: String) throws {
        let folder = ScratchFolder()
        let path = "\(folder.path)/\(name)"
        // A shell counts in blocks of 512 bytes, and one with arrays in blocks of 1024.
        let result = try ChildProcess.run(
            "sh",
            [
                "-c", "ulimit -f 1000; exec \"$0\" --device=virtual:sequence,fast --seconds=60 \"$1\"",
                ToolPaths.tool("aqrecord"), path,
            ])
        try expect("file too large", result, path, frames: 126_900...256_000)
    }

    @Test("a quota", .needsFileSystem(.quota), arguments: names)
    func quota(name: String) throws {
        let disk = try ScratchFileSystem(.quota, byteCount: 4 << 20)
        let result = try record(["--device=virtual:sequence,fast", "--seconds=60", disk.file(name)]).wait()
        // At least half of it: the file system's own share varies.
        let most = (4 << 20) / 4
        // This file system never overwrites in place: at the end of the quota the header cannot be changed, nor the
        // file truncated, so a part of the last buffer stays uncounted.
        try expect(
            "disk quota exceeded", result, disk.file(name), frames: most / 2...most, uncountedFrames: 24_000)
    }

    @Test("a disk that becomes read-only", .needsFileSystem(.disk))
    func readOnly() throws {
        let disk = try ScratchFileSystem(.disk)
        let recorders = try recordAll(["--seconds=20", "--buffer-duration=100ms"], on: disk)
        try disk.makeReadOnly()
        for (recorder, name) in zip(recorders, Self.names) {
            let result = recorder.wait(deadlineSeconds: 5)
            #expect(!result.isTimedOut)
            let wholeBuffers = 4800...48_000
            // It may happen between a buffer's write and its count.
            try expect(
                "read-only file system", result, disk.file(name), frames: wholeBuffers, uncountedFrames: 4800)
            #expect(try RecordedFile(disk.file(name)).frames.isMultiple(of: 4800))
        }
    }

    @Test("a disk that does not answer for two seconds costs no frame", .needsFileSystem(.disk))
    func stall() throws {
        let disk = try ScratchFileSystem(.disk)
        let recorders = try recordAll(["--seconds=3.5", "--json"], on: disk)
        let frozenAt = HostClock.now
        try disk.freeze()
        leaveAsIs(seconds: 2)
        // Capture continues.
        let areRunning = recorders.allSatisfy(\.isRunning)
        #expect(areRunning)
        disk.thaw()
        #expect(HostClock.seconds(from: frozenAt, to: HostClock.now) < 3, "it was not frozen but stuck")
        for (recorder, name) in zip(recorders, Self.names) {
            let result = recorder.wait(deadlineSeconds: 10)
            expectEqual(result.exitStatus, 0)
            expectEqual(result.standardError, "")
            #expect(result.standardOutput.contains("\"overruns\":0,\"lostFrames\":0"))
            // Capture did not wait for the disk: it ends on time.
            #expect(result.wallSeconds < 4.3, "took \(result.wallSeconds) s")
            let file = try RecordedFile(disk.file(name))
            expectEqual(file.frames, 168_000)
            file.sound.expectSequence(file.path)
            try file.expectReadable()
        }
    }
}
