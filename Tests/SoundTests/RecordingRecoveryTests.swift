// SPDX-License-Identifier: MIT

import AQExpectations
import Glibc
import AQSoundHarness
import AQTestTraits
import Testing

/// Servers that crash, and sources that disappear, while `aqrecord` records.
@Suite("Recording through faults of the server", .serialized, .besideOthers, .timeLimit(.minutes(5)))
struct RecordingRecoveryTests {
    private let folder: ScratchFolder
    private let server: PulseServer

    init() throws {
        folder = ScratchFolder()
        server = try PulseServer()
    }

    private func record(_ arguments: [String], as name: String) throws -> ChildProcess {
        let recorder = try ChildProcess(
            ToolPaths.tool("aqrecord"), arguments + ["\(folder.path)/\(name)"],
            environment: server.environment)
        // It records once the server lists its stream, besides the keeper's.
        let isRecording = try HostClock.poll(upToSeconds: 10, every: 0.02) {
            try server.control("list", "short", "source-outputs").split(separator: "\n").count >= 2
        }
        try #require(isRecording, "it does not record: \(recorder.standardError)")
        return recorder
    }

    /// Plays, and returns once the recorder has the audio: as long after as the server keeps frames for a recorder.
    ///
    /// PipeWire delivers half a second at once, and a crash loses its buffer.
    private func play(_ range: Range<Int>, sink: String = "test") throws {
        let capture = try MonitorCapture(
            source: "\(sink).monitor", sampleRate: 48_000, channels: 2, environment: server.environment)
        let player = try server.playSignal(range, sink: sink)
        expectEqual(player.wait(deadlineSeconds: 10).exitStatus, 0)
        #expect(capture.waitForSilence(ofSeconds: server.kind == .pipeWire ? 0.8 : 0.2))
    }

    private func waitForResumption(_ recorder: ChildProcess) throws {
        try #require(HostClock.poll(upToSeconds: 10) { recorder.standardError.contains("capture resumes") })
    }

    /// The tolerance of a recording's length, in seconds: PipeWire's half second includes a coarse clock.
    private var lengthTolerance: Double { server.kind == .pipeWire ? 0.2 : HostClock.bound(0.05) }
    /// The time without a server or source, in seconds, besides the time that its return takes.
    private static let awaySeconds = 1.0

    /// Ends a recording that was interrupted once, and expects both complete parts of the signal, with silence between
    /// them, in a file of the elapsed time.
    private func expectBothParts(
        _ recorder: ChildProcess, _ name: String, interruptedAtMost longest: Double,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let endedAt = HostClock.now
        recorder.signal(SIGINT)
        let result = recorder.wait(deadlineSeconds: 10)
        #expect(result.exitStatus == 1, sourceLocation: sourceLocation)
        let lines = result.standardError.split(separator: "\n")
        let isReported =
            lines.count == 2 && lines[0].contains("is unavailable; waiting up to 5.0 s")
            && lines[1].contains("capture resumes: ") && lines[1].hasSuffix(" s of silence are inserted")
        #expect(isReported, "\(result.standardError)", sourceLocation: sourceLocation)
        let away = try #require(
            number(after: "\"interruptedSeconds\":", in: result.standardOutput),
            sourceLocation: sourceLocation)
        let tellsOnce = result.standardOutput.contains("\"interruptions\":1,")
        #expect(tellsOnce, "\(result.standardOutput)", sourceLocation: sourceLocation)
        // PipeWire has up to half a second of audio that a crash loses.
        let bounds =
            RecordingRecoveryTests.awaySeconds - 0.1...longest + (server.kind == .pipeWire ? 0.8 : 0.1)
        #expect(bounds.contains(away), "\(away) s, not \(bounds)", sourceLocation: sourceLocation)

        let file = try RecordedFile("\(folder.path)/\(name)", sourceLocation: sourceLocation)
        try file.expectReadable(sourceLocation: sourceLocation)
        let runs = TestSignal.runs(in: file.sound)
        #expect(runs.map(\.position) == [0, 100_000], "\(runs)", sourceLocation: sourceLocation)
        #expect(runs.map(\.frames) == [24_000, 24_000], "\(runs)", sourceLocation: sourceLocation)
        try #require(runs.count == 2, sourceLocation: sourceLocation)
        let between = file.sound.slice(runs[0].startFrame + 24_000..<runs[1].startFrame)
        #expect(between.peak == 0, sourceLocation: sourceLocation)
        #expect(between.frames > Int(away * 48_000), sourceLocation: sourceLocation)

        // Seconds of audio are seconds of time, including the absence.
        let startHostTime = try #require(
            number(after: "\"firstFrameHostTime\":", in: result.standardOutput),
            sourceLocation: sourceLocation)
        let elapsed = HostClock.seconds(from: UInt64(startHostTime), to: endedAt)
        let recorded = Double(file.frames) / 48_000
        #expect(
            abs(recorded - elapsed) < lengthTolerance, "\(recorded) s were recorded in \(elapsed) s",
            sourceLocation: sourceLocation)
    }

    private func number(after key: String, in json: String) -> Double? {
        json.firstRange(of: key).flatMap { range in
            Double(json[range.upperBound...].prefix { $0.isNumber || $0 == "." })
        }
    }

    @Test("a server that dies and returns costs silence of the same length, in the same file")
    func restart() throws {
        let recorder = try record(["--monitor=test", "--json"], as: "a.aif")
        try play(0..<24_000)
        let killedAt = HostClock.now
        server.kill()
        leaveAsIs(seconds: RecordingRecoveryTests.awaySeconds)
        try server.start()
        try waitForResumption(recorder)
        let resumedAt = HostClock.now
        try play(100_000..<124_000)
        try expectBothParts(
            recorder, "a.aif", interruptedAtMost: HostClock.seconds(from: killedAt, to: resumedAt))
    }

    @Test("a source that vanishes and returns costs silence of the same length, in the same file")
    func removal() throws {
        var options = server.options
        options.sinkName = "leaving"
        let module = try server.addSink(options)
        let recorder = try record(["--monitor=leaving", "--json"], as: "a.caf")
        try play(0..<24_000, sink: "leaving")
        let removedAt = HostClock.now
        try server.unloadModule(module)
        leaveAsIs(seconds: RecordingRecoveryTests.awaySeconds)
        _ = try server.addSink(options)
        try waitForResumption(recorder)
        let resumedAt = HostClock.now
        try play(100_000..<124_000, sink: "leaving")
        try expectBothParts(
            recorder, "a.caf", interruptedAtMost: HostClock.seconds(from: removedAt, to: resumedAt))
    }

    @Test("Ctrl-C while the server is away reports that it did not return, and the file is complete")
    func interruptedWait() throws {
        let recorder = try record(["--monitor=test", "--wait-for-server=20", "--verbose"], as: "a.caf")
        try play(0..<24_000)
        server.kill()
        try #require(HostClock.poll(upToSeconds: 10) { recorder.standardError.contains("is unavailable") })
        leaveAsIs(seconds: 1)
        recorder.signal(SIGINT)
        let result = recorder.wait(deadlineSeconds: 10)
        expectEqual(result.exitStatus, 69)
        #expect(!result.standardError.contains("capture resumes"), "\(result.standardError)")
        let lines = result.standardError.split(separator: "\n")
        let report = try #require(lines.firstIndex { $0.contains("did not return") })
        #expect(lines[(report + 1)...].contains { $0.contains(": recorded ") }, "\(result.standardError)")
        let file = try RecordedFile("\(folder.path)/a.caf")
        try file.expectReadable()
        let runs = TestSignal.runs(in: file.sound)
        #expect(runs.map(\.position) == [0] && runs.map(\.frames) == [24_000], "\(runs)")
    }

    @Test(
        "a fault that lasts ends the recording with status 69, and the recorded audio is complete",
        arguments: ["server", "source"])
    func noReturn(what: String) throws {
        var options = server.options
        options.sinkName = "leaving"
        let module = try server.addSink(options)
        let recorder = try record(["--monitor=leaving", "--wait-for-server=0.5"], as: "a.wav")
        try play(0..<24_000, sink: "leaving")
        if what == "server" { server.kill() } else { try server.unloadModule(module) }
        let lostAt = HostClock.now
        let result = recorder.wait(deadlineSeconds: 10)
        expectEqual(result.exitStatus, 69)
        let waited = HostClock.seconds(from: lostAt, to: result.endHostTime)
        #expect(waited > 0.4 && waited < 1.5, "waited \(waited) s")
        #expect(result.standardError.contains("did not return within"), "\(result.standardError)")
        let file = try RecordedFile("\(folder.path)/a.wav")
        try file.expectReadable()
        let runs = TestSignal.runs(in: file.sound)
        #expect(runs.map(\.position) == [0] && runs.map(\.frames) == [24_000], "\(runs)")
    }
}
