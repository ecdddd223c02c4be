// SPDX-License-Identifier: MIT

import Foundation
import AQSoundHarness
import Testing

/// One run of `aqplay` against a private server: its exit, and the recording of the sink's monitor.
struct AqplayRun {
    var result: ChildProcess.Result
    var played: Recording

    /// Plays to the end, and records until silence.
    init(
        _ arguments: [String], environment: [String: String?] = [:], on server: PulseServer
    ) throws {
        let capture = try MonitorCapture(server)
        result = try ChildProcess.run(
            ToolPaths.tool("aqplay"), arguments,
            environment: server.environment.merging(environment) { $1 }, deadlineSeconds: 40)
        played = capture.stop()
    }

    /// Pipes a file into `aqplay -`.
    ///
    /// - Parameter pieceBytes: The bytes of each write.
    init(pipedFrom path: String, pieceBytes: Int = 65_536, on server: PulseServer) throws {
        let capture = try MonitorCapture(server)
        result = try ChildProcess.run(
            "sh",
            [
                "-c", "dd if=\"$0\" bs=\"$2\" status=none | \"$1\" -", path, ToolPaths.tool("aqplay"),
                "\(pieceBytes)",
            ],
            environment: server.environment, deadlineSeconds: 40)
        played = capture.stop()
    }

    /// The recorded parts of the test signal.
    var runs: [TestSignal.Run] { TestSignal.runs(in: played) }

    func expectSuccess(_ sourceLocation: SourceLocation = #_sourceLocation) {
        #expect(result.exitStatus == 0, "aqplay failed", sourceLocation: sourceLocation)
        #expect(result.standardError == "", sourceLocation: sourceLocation)
    }
}

extension ChildProcess.Result {
    /// The tracks in the output of `--json`.
    func reports() throws -> [[String: Any]] {
        try standardOutput.split(separator: "\n").map { line in
            try #require(
                JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any], "\(line)")
        }
    }
}

extension Recording {
    /// The recorded parts of the test signal, except those short enough for a fade.
    func signalRuns(minimumFrames: Int) -> [TestSignal.Run] {
        TestSignal.runs(in: self).filter { $0.frames >= minimumFrames }
    }

    /// A part of it.
    func slice(_ frames: Range<Int>) -> Recording {
        Recording(
            sampleRate: sampleRate, channels: channels,
            samples: Array(samples[frames.lowerBound * channels..<frames.upperBound * channels]))
    }

    /// Expects `reference`, complete and once, with silence around it.
    ///
    /// The reference may begin with silence: it is found by its first loud frames.
    func expectJust(
        _ reference: Recording, tolerance: Float, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let loud = try #require(reference.firstSoundFrame(threshold: 0.01), sourceLocation: sourceLocation)
        let key = reference.slice(loud..<min(loud + 500, reference.frames))
        let found = try #require(
            position(of: key, tolerance: tolerance), "the first audio is missing",
            sourceLocation: sourceLocation)
        let offset = found - loud
        try #require(offset >= 0 && offset + reference.frames <= frames, sourceLocation: sourceLocation)
        let differing = (0..<reference.samples.count).first {
            abs(samples[offset * channels + $0] - reference.samples[$0]) > tolerance
        }
        #expect(
            differing == nil, "differs from frame \((differing ?? 0) / channels) on",
            sourceLocation: sourceLocation)
        let before = slice(0..<offset).peak
        let after = slice(offset + reference.frames..<frames).peak
        #expect(max(before, after) <= tolerance, "there is sound around it", sourceLocation: sourceLocation)
    }
}
