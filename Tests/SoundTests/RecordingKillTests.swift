// SPDX-License-Identifier: MIT

import AQCodecs
import AQExpectations
import AQFiles
import CoreAudioTypes
import Foundation
import AQSoundHarness
import AQTestTraits
import Testing

/// Files of a recorder that is killed while recording, or whose reader stalls.
///
/// The virtual source is recorded, whose samples encode their position; no server is needed.
@Suite("Recording that is killed or blocked", .serialized, .besideOthers, .timeLimit(.minutes(10)))
struct RecordingKillTests {
    /// AQ_LONG=1 kills fifty times, which takes long.
    private static let kills = Environment.isLong ? 50 : 3

    /// A recorder that was killed.
    private struct Killed {
        let path: String
        /// The length of the process, and of the part since its file has content.
        let wallSeconds: Double
        let recordingSeconds: Double
    }

    /// Kills recorders at random times, ten in parallel, and checks each one's file.
    ///
    /// The times begin when the file has content, since a busy machine needs long to start a process.
    private func kill(
        _ options: [String] = [], pathExtension: String, then check: (Killed) throws -> Void
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
                    seconds: Double.random(in: 0...1.7)
                )
            }
            var beginTimes: [String: UInt64] = [:]
            let haveBegun = eventually(within: 20) {
                for recorder in recorders where beginTimes[recorder.path] == nil && hasContent(recorder.path)
                {
                    beginTimes[recorder.path] = HostClock.now
                }
                return beginTimes.count == recorders.count
            }
            #expect(haveBegun)
            let begin = HostClock.now
            for recorder in recorders.sorted(by: { $0.seconds < $1.seconds }) {
                HostClock.wait(until: begin + UInt64(recorder.seconds * 1e9))
                recorder.process.signal(SIGKILL)
            }
            for recorder in recorders {
                let result = recorder.process.wait()
                #expect(result.signal == SIGKILL && result.standardError == "")
                let beginTime = try #require(beginTimes[recorder.path])
                let startSeconds = Double(beginTime - recorder.process.startHostTime) / 1e9
                try check(
                    Killed(
                        path: recorder.path, wallSeconds: result.wallSeconds,
                        recordingSeconds: result.wallSeconds - startSeconds))
            }
        }
    }

    private func hasContent(_ path: String) -> Bool {
        let attributes = try? FileManager.default.attributesOfItem(atPath: path)
        return (attributes?[.size] as? Int ?? 0) > 0
    }

    private func expectLittleLost(_ frames: Int, _ killed: Killed) {
        let seconds = Double(frames) / 48_000
        #expect(seconds <= killed.wallSeconds, "\(killed.path) has \(seconds) s of \(killed.wallSeconds) s")
        let lost = killed.recordingSeconds - seconds
        #expect(lost < 1, "\(killed.path) lacks \(lost) s of \(killed.recordingSeconds) s")
    }

    @Test("a kill at a random time costs less than a second", arguments: ["aif", "wav", "caf"])
    func kill(pathExtension: String) throws {
        try kill(pathExtension: pathExtension) { killed in
            let file = try RecordedFile(killed.path)
            expectLittleLost(file.frames, killed)
            file.sound.expectSequence(killed.path)
            try file.expectReadable(uncountedFrames: 24_000)
        }
    }

    @Test(
        "a kill at a random time costs less than a second of encoded audio",
        .enabled(
            if: CodecAvailability.encoder(of: kAudioFormatAppleLossless).isAvailable,
            "no ALAC encoder is installed"),
        arguments: [
            ("caf", "alac"), ("caf", "aac"), ("m4a", "alac"), ("m4a", "aac"), ("caf", "ima4"), ("aac", "aac"),
            ("ogg", "vorbis"), ("opus", "opus"),
        ])
    func kill(pathExtension: String, codec: String) throws {
        try kill(["--codec=\(codec)"], pathExtension: pathExtension) { killed in
            let path = killed.path
            let file = try AudioFile.open(path: path)
            let frames = Int(try file.countFrames())
            expectLittleLost(frames, killed)
            if codec == "alac" { try Recording(ofLosslessFile: path).expectSequence(path) }
            let check = try ChildProcess.run(ToolPaths.tool("aqinfo"), ["--check", path])
            expectEqual(check.exitStatus, 0, "\(path): \(check.standardOutput)\(check.standardError)")
            // libavformat refuses files without a packet.
            if frames > 0, ToolPaths.isInPath("ffprobe") {
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
        expectEqual(result.exitStatus, 0)
        #expect(result.standardError.contains("\"frames\":168000"), "\(result.standardError)")
        #expect(result.standardError.contains("\"overruns\":0,\"lostFrames\":0"), "\(result.standardError)")
        #expect(result.wallSeconds < 4.3, "took \(result.wallSeconds) s")
        let file = try RecordedFile(path)
        expectEqual(file.frames, 168_000)
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
        expectEqual(status, "0\n")
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
        expectEqual(status, "74\n")
    }
}
