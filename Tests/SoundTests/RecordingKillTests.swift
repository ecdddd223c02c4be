// SPDX-License-Identifier: MIT

import AudioCodecs
import AudioFiles
import CoreAudioTypes
import Foundation
import SoundHarness
import TestTraits
import Testing

/// Files of a recorder that is killed while recording, or whose reader stalls.
///
/// The virtual source is recorded, whose samples encode their position; no server is needed.
@Suite("Recording that is killed or blocked", .serialized, .besideOthers, .timeLimit(.minutes(10)))
struct RecordingKillTests {
    /// AQ_LONG=1 kills fifty times, which takes long.
    private static let kills = Environment.isLong ? 50 : 3

    /// Kills recorders at random times, ten in parallel, and checks each one's file.
    private func kill(
        _ options: [String] = [], pathExtension: String,
        then check: (String, ChildProcess.Result) throws -> Void
    ) throws {
        let folder = ScratchFolder()
        for first in stride(from: 0, to: Self.kills, by: 10) {
            let numbers = first..<min(first + 10, Self.kills)
            let recorders = try numbers.map { number in
                let path = "\(folder.path)/\(number).\(pathExtension)"
                return (
                    path: path,
                    process: try ChildProcess(
                        ToolPaths.tool("aqrecord"),
                        options + ["--quiet", "--device=virtual:sequence", path]),
                    seconds: Double.random(in: 0.3...2)
                )
            }
            for recorder in recorders.sorted(by: { $0.seconds < $1.seconds }) {
                HostClock.wait(until: recorder.process.startHostTime + UInt64(recorder.seconds * 1e9))
                recorder.process.signal(SIGKILL)
            }
            for recorder in recorders {
                let result = recorder.process.wait()
                #expect(result.signal == SIGKILL && result.standardError == "")
                try check(recorder.path, result)
            }
        }
    }

    private func expectLittleLost(_ frames: Int, _ result: ChildProcess.Result, _ path: String) {
        let lost = result.wallSeconds - Double(frames) / 48_000
        #expect(lost >= 0 && lost < 1, "\(path) lacks \(lost) s of \(result.wallSeconds) s")
    }

    @Test("a kill at a random time costs less than a second", arguments: ["aif", "wav", "caf"])
    func kill(pathExtension: String) throws {
        try kill(pathExtension: pathExtension) { path, result in
            let file = try RecordedFile(path)
            expectLittleLost(file.frames, result, path)
            file.sound.expectSequence(path)
            try file.expectReadable(uncountedFrames: 24_000)
        }
    }

    @Test(
        "a kill at a random time costs less than a second of encoded audio",
        .enabled(if: CodecAvailability.encoder(of: kAudioFormatAppleLossless).isAvailable),
        arguments: [
            ("caf", "alac"), ("caf", "aac"), ("m4a", "alac"), ("m4a", "aac"), ("caf", "ima4"), ("aac", "aac"),
            ("ogg", "vorbis"), ("opus", "opus"),
        ])
    func kill(pathExtension: String, codec: String) throws {
        try kill(["--codec=\(codec)"], pathExtension: pathExtension) { path, result in
            let file = try AudioFile.open(path: path)
            expectLittleLost(Int(try file.countFrames()), result, path)
            if codec == "alac" { try Recording(ofLosslessFile: path).expectSequence(path) }
            let check = try ChildProcess.run(ToolPaths.tool("aqinfo"), ["--check", path])
            #expect(check.exitStatus == 0, "\(path): \(check.standardOutput)\(check.standardError)")
            if ToolPaths.isInPath("ffprobe") {
                let probe = try ChildProcess.run("ffprobe", ["-v", "error", "-count_packets", path])
                #expect(probe.exitStatus == 0 && probe.standardError == "", "\(path): \(probe.standardError)")
            }
        }
    }

    /// A pipe holds a third of a second, so the queue must bridge the rest of the stall.
    @Test("a reader that stalls for two seconds costs no frame")
    func stalledReader() throws {
        let folder = ScratchFolder()
        let path = "\(folder.path)/stream"
        let result = try ChildProcess.run(
            "sh",
            [
                "-c",
                "\"$0\" --device=virtual:sequence --seconds=3.5 --json --wav=- | { sleep 2.3; cat > \"$1\"; }",
                ToolPaths.tool("aqrecord"), path,
            ])
        #expect(result.exitStatus == 0)
        #expect(result.standardError.contains("\"frames\":168000"), "\(result.standardError)")
        #expect(result.standardError.contains("\"overruns\":0,\"lostFrames\":0"), "\(result.standardError)")
        #expect(result.wallSeconds < 4.3, "took \(result.wallSeconds) s")
        let file = try RecordedFile(path)
        #expect(file.frames == 168_000)
        file.sound.expectSequence(path)
    }

    @Test("a signal that ends a pipeline's reader first ends the recording without an error")
    func signalledPipeline() throws {
        let folder = ScratchFolder()
        let result = try ChildProcess.run(
            "sh",
            [
                "-c",
                "{ \"$0\" --device=virtual:sequence --buffer-duration=10ms --wav=- & echo $! > \"$1/process\"; wait $!; "
                    + "echo $? > \"$1/status\"; } "
                    + "| { head -c 100000 > /dev/null; exec <&-; sleep 0.03; kill -TERM \"$(cat \"$1/process\")\"; }",
                ToolPaths.tool("aqrecord"), folder.path,
            ], deadlineSeconds: 10)
        #expect(!result.isTimedOut && result.standardError == "")
        let status = try String(contentsOfFile: "\(folder.path)/status", encoding: .utf8)
        #expect(status == "0\n")
    }

    @Test("a reader that disconnects ends the recording, and is reported")
    func brokenPipe() throws {
        let folder = ScratchFolder()
        let result = try ChildProcess.run(
            "sh",
            [
                "-c",
                "{ \"$0\" --device=virtual:sequence --buffer-duration=100ms --wav=-; echo $? > \"$1\"; } "
                    + "| head -c 100000 > \"$2\"",
                ToolPaths.tool("aqrecord"), "\(folder.path)/status", "\(folder.path)/stream",
            ], deadlineSeconds: 10)
        #expect(!result.isTimedOut)
        let line = "aqrecord: cannot write standard output: broken pipe"
        #expect(
            result.standardError.hasPrefix(line) && result.standardError.split(separator: "\n").count == 1)
        let status = try String(contentsOfFile: "\(folder.path)/status", encoding: .utf8)
        #expect(status == "74\n")
    }
}
