// SPDX-License-Identifier: MIT

import AQExpectations
import AQFiles
import Foundation
import AQSoundHarness
import AQTestTraits
import Testing

/// Files that `aqrecord` writes from a monitor with a known signal.
@Suite("aqrecord records exactly", .serialized, .besideOthers, .timeLimit(.minutes(5)))
struct RecordingExactnessTests {
    /// A file to record, and its format.
    struct Target: Sendable, CustomStringConvertible {
        var container: String
        var depth: [String]

        var description: String { ([container] + depth).joined() }
    }

    /// Each container with each of its depths that keeps 16 bits.
    static let targets: [Target] = [
        ("aiff", [16, 24, 32], false), ("aifc", [16, 24, 32], true), ("wav", [16, 24, 32], true),
        ("rf64", [16, 24, 32], true), ("w64", [16, 24, 32], true), ("caf", [16, 24, 32], true),
        ("flac", [16, 24], false),
    ].flatMap { (container: String, bits: [Int], hasFloat: Bool) in
        (bits.map { ["--bits=\($0)"] } + (hasFloat ? [["--float"]] : [])).map {
            Target(container: container, depth: $0)
        }
    }

    private static let seconds = Environment.isLong ? 10 : 1

    /// All in parallel, because each takes real time. The signal plays before, during and after: any missing frame
    /// breaks the run.
    @Test("--seconds is exact to the frame, and every frame bit-exact, in every container and depth")
    func everyContainer() throws {
        var options = PulseServer.Options()
        // PipeWire's graph has its own rate, and would convert.
        options.sampleRate = try SoundServerKind.chosen() == .pulseAudio ? 44_100 : 48_000
        let server = try PulseServer(options)
        let folder = ScratchFolder()
        let player = try server.playSignal(0..<(Self.seconds + 8) * options.sampleRate)
        let capture = try MonitorCapture(server)
        try #require(capture.waitForSound(upToSeconds: 10))
        capture.stop(deadlineSeconds: 0)
        let recorders = try Self.targets.enumerated().map { number, target in
            let path = "\(folder.path)/\(number).\(target.container)"
            let recorder = try ChildProcess(
                ToolPaths.tool("aqrecord"),
                ["--monitor=test", "--seconds=\(Self.seconds)", "--\(target.container)=\(path)"]
                    + target.depth,
                environment: server.environment)
            return (target: target, path: path, process: recorder)
        }
        let frames = Self.seconds * options.sampleRate
        for (target, path, process) in recorders {
            let result = process.wait(deadlineSeconds: Double(Self.seconds) + 10)
            expectEqual(result.exitStatus, 0, "\(target): \(result.standardError)")
            expectEqual(result.standardError, "", "\(target)")
            let file = try RecordedFile(path)
            expectEqual(file.sound.sampleRate, options.sampleRate, "\(target)")
            expectEqual(file.frames, frames, "\(target)")
            let skipped = SoundServerTraits.chosen.silentFramesAtStart
            let run = TestSignal.runs(in: file.sound).max { $0.frames < $1.frames }
            let (start, length) = (run?.startFrame ?? frames, run?.frames ?? 0)
            #expect(start <= skipped && start + length == frames, "\(target): \(String(describing: run))")
            try file.expectReadable()
        }
        player.signal(SIGTERM)
    }
}
