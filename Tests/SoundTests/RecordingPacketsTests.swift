// SPDX-License-Identifier: MIT

import AQCodecs
import AQExpectations
import CoreAudioTypes
import Foundation
import AQSoundHarness
import AQTestTraits
import Testing

/// Files that `aqrecord` encodes from a monitor with a known signal.
@Suite(
    "aqrecord encodes exactly", .serialized, .besideOthers, .timeLimit(.minutes(3)),
    .enabled(
        if: CodecAvailability.encoder(of: kAudioFormatAppleLossless).isAvailable,
        "no ALAC encoder is installed"))
struct RecordingPacketsTests {
    @Test("--seconds is exact to the frame, and Apple Lossless bit-exact, in CAF and MPEG-4")
    func lossless() throws {
        var options = PulseServer.Options()
        // PipeWire's graph has its own rate, and would convert.
        options.sampleRate = try SoundServerKind.chosen() == .pulseAudio ? 44_100 : 48_000
        let server = try PulseServer(options)
        let folder = ScratchFolder()
        let player = try server.playSignal(0..<9 * options.sampleRate)
        let capture = try MonitorCapture(server)
        try #require(capture.waitForSound(upToSeconds: 10))
        capture.stop(deadlineSeconds: 0)
        let recorders = try ["caf", "m4a"].map { container in
            let path = "\(folder.path)/a.\(container)"
            let recorder = try ChildProcess(
                ToolPaths.tool("aqrecord"),
                ["--monitor=test", "--seconds=1", "--codec=alac", "--\(container)=\(path)"],
                environment: server.environment)
            return (path: path, process: recorder)
        }
        for (path, process) in recorders {
            let result = process.wait(deadlineSeconds: 15)
            expectEqual(result.exitStatus, 0, "\(path): \(result.standardError)")
            expectEqual(result.standardError, "", "\(path)")
            let recording = try Recording(ofLosslessFile: path)
            expectEqual(recording.sampleRate, options.sampleRate, "\(path)")
            expectEqual(recording.frames, options.sampleRate, "\(path)")
            let run = TestSignal.runs(in: recording).max { $0.frames < $1.frames }
            let (start, length) = (run?.startFrame ?? 0, run?.frames ?? 0)
            #expect(start <= SoundServerTraits.chosen.silentFramesAtStart, "\(path)")
            expectEqual(start + length, recording.frames, "\(path): \(String(describing: run))")
        }
        player.signal(SIGTERM)
    }
}
