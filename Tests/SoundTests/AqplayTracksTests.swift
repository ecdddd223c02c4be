// SPDX-License-Identifier: MIT

import AQExpectations
import Foundation
import AQSoundHarness
import AQTestTraits
import Testing

@Suite("Transitions of aqplay between tracks", .serialized, .besideOthers, .timeLimit(.minutes(5)))
struct AqplayTracksTests {
    private let folder: ScratchFolder

    init() throws { folder = ScratchFolder() }

    @Test("--json reports each track, also one that failed")
    func json() throws {
        let first = try folder.writeSignal(frames: 24_001, name: "a \"quoted\" name.wav")
        let second = try folder.writeSignal(frames: 12_000, name: "2.wav")
        let run = try AqplayRun(["--json", first, "missing.wav", second], on: PulseServer())
        expectEqual(run.result.exitStatus, 1)
        let reports = try run.result.reports()
        let played = reports.filter { $0["error"] is NSNull }
        expectEqual(played.map { $0["framesPlayed"] as? Int }, [24_001, 12_000])
        expectEqual(played.map { $0["file"] as? String }, [first, second])
        expectEqual(played.map { $0["underruns"] as? Int }, [0, 0])
        expectEqual(played.map { $0["device"] as? String }, ["test", "test"])
        for report in played {
            let granted = try #require(report["grantedLatencySeconds"] as? Double)
            #expect(granted > 0 && granted <= 0.6)
        }
    }

    @Test(
        "AQ_LATENCY sets the latency of the server, unless --latency does",
        arguments: [
            ("lowest", [], 0.9...1.6), ("interactive", [], 0.0...0.1), ("least-power", [], 1.5...2.5),
            ("interactive", ["--latency=400ms"], 0.3...0.6), ("some", [], 0.4...0.6),
        ] as [(String, [String], ClosedRange<Double>)])
    func latency(goal: String, options: [String], seconds: ClosedRange<Double>) throws {
        let path = try folder.writeSignal(frames: 96_001)
        let run = try AqplayRun(
            ["--json"] + options + [path], environment: ["AQ_LATENCY": goal], on: PulseServer())
        let report = try #require(run.result.reports().first)
        let granted = try #require(report["grantedLatencySeconds"] as? Double)
        #expect(seconds.contains(granted), "\(granted) s")
        expectEqual(run.runs.map(\.frames), [96_001])
        expectEqual(run.result.standardError.isEmpty, (goal != "some"), "\(run.result.standardError)")
    }

    @Test(
        "files of a long list are open only until they were played, even with no display",
        arguments: [["--quiet"], ["--quiet", "--loop=60"]])
    func openFiles(options: [String]) throws {
        let path = try folder.writeSignal(frames: 960)
        let paths = Array(repeating: path, count: options.count == 1 ? 60 : 1)
        let result = try ChildProcess.run(
            "sh",
            ["-c", "ulimit -n 40; exec \"$0\" \"$@\"", ToolPaths.tool("aqplay"), "--device=virtual"] + options
                + paths,
            environment: folder.serverlessEnvironment, deadlineSeconds: 20)
        expectEqual(result.exitStatus, 0)
        expectEqual(result.standardError, "")
    }

    @Test("a track is reported when it was played, while the next is playing")
    func timeOfReport() throws {
        let short = try folder.writeSignal(frames: 24_000, name: "short.wav")
        let long = try folder.writeSignal(frames: 240_000, name: "long.wav")
        let player = try ChildProcess(
            ToolPaths.tool("aqplay"), ["--device=virtual", "--json", short, long],
            environment: folder.serverlessEnvironment)
        #expect(HostClock.poll(upToSeconds: 5) { player.standardOutput.hasSuffix("\n") })
        // After a kill it reports nothing more.
        player.signal(SIGKILL)
        let reports = try player.wait().reports()
        expectEqual(reports.map { $0["file"] as? String }, [short])
        #expect(reports.first?["framesPlayed"] as? Int == 24_000)
    }

    @Test("reports that cannot be written end it, status 74")
    func fullDisk() throws {
        let path = try folder.writeSignal(frames: 4800)
        let result = try ChildProcess.run(
            "sh",
            [
                "-c", "exec \"$0\" \"$@\" >/dev/full", ToolPaths.tool("aqplay"), "--device=virtual", "--json",
                path, path,
            ],
            environment: folder.serverlessEnvironment, deadlineSeconds: 20)
        expectEqual(result.exitStatus, 74)
        expectEqual(
            result.standardError, "aqplay: cannot write to standard output: no space left on device\n")
    }

    @Test("if the server does not return, each track is reported with the part that was played")
    func reportsWithoutServer() throws {
        let server = try PulseServer()
        let capture = try MonitorCapture(server)
        let first = try folder.writeSignal(frames: 24_000, name: "1.wav")
        let second = try folder.writeSignal(frames: 480_000, name: "2.wav")
        let player = try ChildProcess(
            ToolPaths.tool("aqplay"), ["--json", "--wait-for-server=0.5", first, second],
            environment: server.environment)
        // Only the second track has this position.
        #expect(capture.waitForSignal(48_000))
        server.kill()
        let result = player.wait(deadlineSeconds: 20)
        expectEqual(result.exitStatus, 69)
        let reports = try result.reports()
        expectEqual(reports.map { $0["file"] as? String }, [first, second])
        #expect(reports.first?["error"] is NSNull)
        #expect(reports.first?["framesPlayed"] as? Int == 24_000)
        let error = try #require(reports.last?["error"] as? String)
        #expect(error.contains("did not return within"))
        let frames = try #require(reports.last?["framesPlayed"] as? Int)
        #expect((43_200...96_000).contains(frames), "\(frames) frames")
    }
}
