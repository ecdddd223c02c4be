// SPDX-License-Identifier: MIT

import AQExpectations
import Foundation
import Glibc
import AQSoundHarness
import AQTestTraits
import Testing

@Suite("How aqplay ends", .serialized, .besideOthers, .timeLimit(.minutes(5)))
struct AqplayEndTests {
    private let folder: ScratchFolder

    init() throws { folder = ScratchFolder() }

    /// Runs it without a server.
    private func runServerless(_ arguments: String...) throws -> ChildProcess.Result {
        try ChildProcess.run(
            ToolPaths.tool("aqplay"), arguments, environment: folder.serverlessEnvironment,
            deadlineSeconds: 20)
    }

    private func lines(_ text: String) -> [Substring] { text.split(separator: "\n") }

    @Test("it exits soon after the last audio")
    func timeOfExit() throws {
        var options = PulseServer.Options()
        options.hasRewinds = true
        let server = try PulseServer(options)
        let run = try AqplayRun([folder.writeSignal(frames: 72_000)], on: server)
        run.expectSuccess()
        let last = try #require(run.runs.last)
        expectEqual(last.position + last.frames, 72_000, "the end was cut")
        let lastFrame = try #require(run.played.lastSoundFrame())
        let playedAt = try #require(run.played.hostTime(ofFrame: lastFrame))
        let delay = HostClock.seconds(from: playedAt, to: run.result.endHostTime)
        // A frame reaches the recorder some milliseconds late.
        #expect(delay > -HostClock.bound(0.03), "exited \(-delay) s before the last sound")
        #expect(delay < 0.25, "exited \(delay) s after the last sound")
    }

    @Test("a missing file is named in one line, status 1")
    func missing() throws {
        let result = try runServerless("no-such-file.wav")
        expectEqual(result.exitStatus, 1)
        expectEqual(lines(result.standardError).count, 1)
        #expect(result.standardError.contains("no-such-file.wav"))
    }

    @Test("a directory without audio is named in one line, status 1")
    func emptyDirectory() throws {
        _ = try folder.write(Array("text".utf8), to: "notes.txt")
        let result = try runServerless(folder.path)
        expectEqual(result.exitStatus, 1)
        expectEqual(lines(result.standardError).count, 1)
        #expect(result.standardError.contains(folder.path))
    }

    @Test("without a server, one line names the remedy, status 69")
    func noServer() throws {
        let result = try runServerless(folder.writeSignal(frames: 4800))
        expectEqual(result.exitStatus, 69)
        expectEqual(lines(result.standardError).count, 1)
        #expect(result.standardError.contains("--device virtual"))
        #expect(result.wallSeconds < 5)
    }

    @Test("without a server, the virtual device plays in real time")
    func virtual() throws {
        let result = try runServerless("--device=virtual", "--json", folder.writeSignal(frames: 48_000))
        expectEqual(result.exitStatus, 0)
        expectEqual(result.standardError, "")
        #expect(result.wallSeconds > 0.99)
        #expect(result.wallSeconds < 3)
        #expect(try result.reports().first?["framesPlayed"] as? Int == 48_000)
    }

    @Test(
        "an invalid command line is reported in one line, status 64",
        arguments: ["--no-such-option", "--end=x"])
    func usage(argument: String) throws {
        let result = try runServerless(argument, "x.wav")
        expectEqual(result.exitStatus, 64)
        expectEqual(lines(result.standardError).count, 1)
    }

    @Test("tracks that fail are named, and the others are played, status 1")
    func failedTracks() throws {
        let good = try folder.writeSignal(frames: 24_000)
        let broken = ToolPaths.fixture("broken/png-named.wav")
        let run = try AqplayRun(["missing.wav", good, broken, good], on: PulseServer())
        expectEqual(run.result.exitStatus, 1)
        let errors = lines(run.result.standardError)
        expectEqual(errors.count, 2)
        #expect(errors.contains { $0.contains("missing.wav") })
        #expect(errors.contains { $0.contains("png-named.wav") })
        expectEqual(run.runs.map { [$0.position, $0.frames] }, [[0, 24_000], [0, 24_000]])
    }

    @Test("a signal silences it at once", arguments: [(SIGINT, 130), (SIGTERM, 143)] as [(Int32, Int32)])
    func interruption(signal: Int32, status: Int32) throws {
        let server = try PulseServer()
        let capture = try MonitorCapture(server)
        let player = try ChildProcess(
            ToolPaths.tool("aqplay"), [folder.writeSignal(frames: 480_000)], environment: server.environment)
        #expect(capture.waitForSound(upToSeconds: 10))
        let askedAt = HostClock.now
        player.signal(signal)
        let result = player.wait(deadlineSeconds: 10)
        expectEqual(result.exitStatus, status)
        expectEqual(result.standardError, "")
        #expect(HostClock.seconds(from: askedAt, to: result.endHostTime) < 0.5)
        let played = capture.stop()
        let last = try #require(played.lastSoundFrame())
        let lastAt = try #require(played.hostTime(ofFrame: last))
        #expect(HostClock.seconds(from: askedAt, to: lastAt) < 0.3)
    }

    @Test("--list-devices lists the sinks and marks the default")
    func devices() throws {
        let server = try PulseServer()
        let result = try ChildProcess.run(
            ToolPaths.tool("aqplay"), ["--list-devices"], environment: server.environment)
        expectEqual(result.exitStatus, 0)
        expectEqual(result.standardError, "")
        let rows = lines(result.standardOutput)
        let sink = try #require(rows.first { $0.hasPrefix("test ") })
        #expect(sink.contains("48000 Hz, 2 ch, default"))
        #expect(rows.contains { $0.hasPrefix("virtual ") })
    }

    @Test("a missing device is reported in one line, status 69")
    func noSuchDevice() throws {
        let path = try folder.writeSignal(frames: 4800)
        let run = try AqplayRun(["--device=nowhere", path], on: PulseServer())
        expectEqual(run.result.exitStatus, 69)
        expectEqual(lines(run.result.standardError).count, 1)
        #expect(run.result.standardError.contains("nowhere"))
        expectEqual(run.played.soundFrames(), 0)
    }
}
