// SPDX-License-Identifier: MIT

import Foundation
import AQSoundHarness
import AQTestTraits
import Testing

/// Delays that aqlatency measures.
@Suite("aqlatency", .serialized, .measuring(forSeconds: 40), .timeLimit(.minutes(5)))
struct LatencyToolTests {
    private static let isPulseAudio = (try? SoundServerKind.chosen()) == .pulseAudio

    private let server: PulseServer

    init() throws { server = try PulseServer() }

    private static func loopbackArguments(source: String) -> [String] {
        ["--loopback", "--device=test", "--source=\(source)", "--settings=3x960", "--seconds=4", "--json"]
    }

    private static func loopback(in result: ChildProcess.Result) throws -> [String: Any] {
        try #require(result.exitStatus == 0, "\(result.standardError)")
        return try #require(result.reports().first?["loopback"] as? [String: Any])
    }

    private static func delay(in result: ChildProcess.Result) throws -> Double {
        try #require((loopback(in: result)["delay"] as? [String: Any])?["median"] as? Double)
    }

    // Stalls of the machine change delays, and are not the fault of the measurement, so the next tests may repeat it.
    private static let attempts = 5

    @Test(
        "the monitor of the device has no delay, by the clocks of both queues",
        .enabled(if: isPulseAudio, "only on PulseAudio"))
    func direct() throws {
        var attempts: [String] = []
        for _ in 0..<Self.attempts {
            let result = try ChildProcess.run(
                ToolPaths.tool("aqlatency"), Self.loopbackArguments(source: "test.monitor"),
                environment: server.environment)
            guard result.exitStatus == 0 else {
                attempts.append(result.standardError)
                continue
            }
            let report = try Self.loopback(in: result)
            #expect(report["isInverted"] as? Bool == false && report["isClipped"] as? Bool == false)
            #expect(try #require(report["callbackToCallback"] as? Double) > 20)
            let delay = try Self.delay(in: result)
            if abs(delay) < 0.2 { return }
            attempts.append("\(delay) ms")
        }
        Issue.record("\(attempts)")
    }

    @Test(
        "37.5 ms more in a virtual cable are found within 0.2 ms, and its whole delay as its own clocks read it",
        .enabled(if: isPulseAudio, "only on PulseAudio"))
    func cable() throws {
        var options = PulseServer.Options()
        options.sinkName = "cable"
        _ = try server.addSink(options)
        var attempts: [String] = []
        for _ in 0..<Self.attempts {
            let cable = try DelayLine(from: "test", to: "cable", on: server)
            defer { cable.end() }
            do {
                try cable.waitUntilSteady()
                var found: [(found: Double, expected: Double)] = []
                for added in [0, 1_800, 0] {
                    cable.add(frames: added)
                    found.append(try measure(cable))
                }
                // The clocks of the sinks differ a little, so the cable's own delay changes evenly.
                let more = found[1].found - (found[0].found + found[2].found) / 2
                attempts.append("\(found), \(more) ms more, \(cable.faults) gaps")
                // The whole delay compares readings of four clocks, each of which is an estimate.
                if abs(more - 37.5) < 0.2, found.allSatisfy({ abs($0.found - $0.expected) < 0.5 }) {
                    print("the cable's delay: \(attempts)")
                    return
                }
            } catch let error as HarnessError {
                attempts.append("\(error)")
            }
        }
        Issue.record("\(attempts)")
    }

    /// Measures a cable's delay, and reads it by the clocks of the cable's own queues meanwhile.
    private func measure(_ cable: DelayLine) throws -> (found: Double, expected: Double) {
        let process = try ChildProcess(
            ToolPaths.tool("aqlatency"), Self.loopbackArguments(source: "cable.monitor"),
            environment: server.environment)
        var readings: [Double] = []
        _ = HostClock.poll(upToSeconds: 60, every: 0.05) {
            if let reading = try? cable.milliseconds { readings.append(reading) }
            return !process.isRunning
        }
        // The counted chirps are in the last 5 s.
        let counted = readings.suffix(100).sorted()
        let result = process.wait()
        guard result.exitStatus == 0, !counted.isEmpty else { throw HarnessError(result.standardError) }
        return (try Self.delay(in: result), counted[counted.count / 2])
    }
}
