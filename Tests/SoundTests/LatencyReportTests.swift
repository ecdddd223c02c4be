// SPDX-License-Identifier: MIT

import AQExpectations
import Foundation
import AQSoundHarness
import AQTestTraits
import Testing

/// The output and the exit status of aqlatency.
@Suite("The report of aqlatency", .serialized, .besideOthers, .timeLimit(.minutes(5)))
struct LatencyReportTests {
    private let server: PulseServer

    init() throws { server = try PulseServer() }

    private func run(_ arguments: String..., deadlineSeconds: Double = 60) throws -> ChildProcess.Result {
        try ChildProcess.run(
            ToolPaths.tool("aqlatency"), arguments, environment: server.environment,
            deadlineSeconds: deadlineSeconds)
    }

    @Test("the round trip through the monitor is measured, with a histogram of every callback, and advice")
    func roundTrip() throws {
        let result = try run("--json", "--seconds=1", "--settings=3x480,3x960,3x1920,3x3840")
        expectEqual(result.standardError, "")
        let report = try #require(result.reports().first)
        #expect((report["device"] as? [String: Any])?["name"] as? String == "test")
        #expect((report["server"] as? [String: Any])?["name"] as? String != "")
        let trip = try #require(report["roundTrip"] as? [String: Any])
        let latency = try #require(trip["latency"] as? [String: Any])
        let median = try #require(latency["median"] as? Double)
        // At least a buffer, because one of three is requested late; at most all, and what the server adds.
        #expect((9.0...100).contains(median))
        let histogram = try #require(trip["histogram"] as? [String: Any])
        let bins = try #require(histogram["bins"] as? [[String: Any]]).compactMap { $0["count"] as? Int }
        #expect(bins.reduce(0, +) + (histogram["later"] as? Int ?? 0) == latency["count"] as? Int)
        let settings = try #require(report["settings"] as? [[String: Any]])
        // The search ends at the first setting without a gap.
        #expect(settings.dropLast().allSatisfy { $0["gaps"] as? Int ?? 0 > 0 })
        let isClean = settings.last?["gaps"] as? Int == 0
        expectEqual(result.exitStatus, (isClean ? 0 : 1))
        expectEqual(
            (report["advice"] as? String)?.hasPrefix(isClean ? "use 3 buffers of " : "use more"), true)
    }

    @Test("as text, the report has 80 columns, a histogram in ASCII, and no progress")
    func text() throws {
        let result = try run("--seconds=1", "--settings=3x1920,3x3840")
        expectEqual(result.standardError, "")
        let lines = result.standardOutput.split(separator: "\n")
        #expect(lines.contains("Playing quiet noise on this device, at -46.0 dB."))
        #expect(lines.contains { $0.contains("####") })
        #expect(lines.contains { $0.hasPrefix("Advice: use ") })
        #expect(lines.allSatisfy { $0.count < 80 && !$0.contains("\u{1B}") })
    }

    @Test("silence is reported with advice, and exit status 1")
    func silent() throws {
        try server.setSinkMuted("test", true)
        let result = try run("--loopback", "--source=test.monitor", "--seconds=2")
        expectEqual(result.exitStatus, 1)
        expectEqual(
            result.standardError,
            "aqlatency: cannot find the chirps: 'test.monitor' is silent; connect the cable or the "
                + "microphone, and unmute the source\n")
        let noise = try run("--seconds=1", "--settings=3x960")
        expectEqual(noise.exitStatus, 1)
        #expect(noise.standardError.contains("which is silent; is the device muted?"))
    }

    @Test("Ctrl-C ends a measurement with a report of what was found")
    func interrupt() throws {
        let process = try ChildProcess(
            ToolPaths.tool("aqlatency"), ["--minute", "--json", "--settings=3x960"],
            environment: server.environment)
        #expect(HostClock.poll(upToSeconds: 20) { (try? server.playbackStreams().isEmpty) == false })
        // The first second does not count.
        #expect(!HostClock.poll(upToSeconds: 3) { !process.isRunning })
        process.signal(SIGINT)
        let result = process.wait(deadlineSeconds: 20)
        expectEqual(result.exitStatus, 130)
        let report = try #require(result.reports().first)
        #expect((report["roundTrip"] as? [String: Any])?["latency"] != nil)
    }

    @Test("Ctrl-C in the round trip prints no empty table, and a line about the interruption")
    func interruptedText() throws {
        let process = try ChildProcess(
            ToolPaths.tool("aqlatency"), ["--minute", "--settings=3x960"], environment: server.environment)
        #expect(HostClock.poll(upToSeconds: 20) { (try? server.playbackStreams().isEmpty) == false })
        #expect(!HostClock.poll(upToSeconds: 3) { !process.isRunning })
        process.signal(SIGINT)
        let result = process.wait(deadlineSeconds: 20)
        expectEqual(result.exitStatus, 130)
        #expect(!result.standardOutput.contains("Buffers "))
        #expect(result.standardOutput.hasSuffix("\nInterrupted: the measurement is not complete.\n"))
    }

    @Test("a full disk, no such device and no server have their exit statuses")
    func failures() throws {
        let tool = try ToolPaths.tool("aqlatency")
        let full = try ChildProcess.run(
            "sh", ["-c", "\"$0\" >/dev/full", tool], environment: server.environment)
        expectEqual(full.exitStatus, 74)
        expectEqual(
            full.standardError, "aqlatency: cannot write to standard output: no space left on device\n")
        let missing = try run("--device=nosuch")
        expectEqual(missing.exitStatus, 69)
        expectEqual(
            missing.standardError,
            "aqlatency: cannot find 'nosuch': the sound server has no such sink; '--list-devices' "
                + "shows the devices\n")
        let folder = ScratchFolder()
        let alone = try ChildProcess.run(tool, [], environment: folder.serverlessEnvironment)
        expectEqual(alone.exitStatus, 69)
        #expect(alone.standardError.hasPrefix("aqlatency: cannot measure: no sound server answers at "))
        #expect(alone.standardError.hasSuffix("; start PulseAudio or PipeWire\n"))
        expectEqual(alone.standardOutput, "")
    }
}
