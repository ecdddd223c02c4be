// SPDX-License-Identifier: MIT

import AQExpectations
import Foundation
import AQSoundHarness
import AQTestTraits
import Testing

/// Programs that record what another program plays.
@Suite("Programs that record", .serialized, .besideOthers, .timeLimit(.minutes(5)))
struct ProgramRecorderSoundTests {
    private let rig: ProgramRig

    init() throws { rig = try ProgramRig() }

    /// Runs a recorder that must succeed while the signal or a file is played, and returns its output.
    private func record(
        _ program: String, _ arguments: [String], playing path: String? = nil,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> String {
        let player = try path.map { try rig.start(playing: $0) } ?? rig.startSignal(seconds: 8)
        defer {
            player.signal(SIGTERM)
            // Separates the next audio from the current one.
            player.wait(deadlineSeconds: 5)
        }
        let result = try rig.run(program, arguments)
        result.expectSuccess(sourceLocation: sourceLocation)
        return result.standardOutput
    }

    @Test(
        "the classic way, as AIFF and as AAC in CAF, with the audio of each channel",
        arguments: ["memo.aif", "memo.caf"])
    func classic(name: String) throws {
        let tones = try rig.writeSine(frequency: 441, right: 700, seconds: 8)
        _ = try record("classic_recorder", [rig.path(name), "1.5"], playing: tones)
        #expect(try abs(rig.duration(ofFile: rig.path(name)) - 1.5) < 0.15)
        let (_, sound) = try rig.hear("classic_player", [rig.path(name)])
        #expect(abs(sound.seconds(ofFrames: sound.soundFrames()) - 1.5) < 0.2)
        expectEqual(sound.gaps(minimumFrames: 441), [])
        sound.expectSines([441, 700], peakTolerance: name.hasSuffix(".aif") ? 0.001 : 0.2)
    }

    @Test("on a run loop that is pumped", arguments: ["aac", "alac", "ima4", "lpcm"])
    func runLoop(format: String) throws {
        let output = try record("runloop_recorder", ["-f", format, "-d", "2", rig.path("memo.caf")])
        let numbers = output.split(separator: "\n").last.map { String($0).numbers } ?? []
        #expect((numbers.first ?? 0) >= 3, "\(output)")
        #expect(try abs(rig.duration(ofFile: rig.path("memo.caf")) - 2) < 0.5)
    }

    @Test("with blocks on a dispatch queue, to the byte") func dispatchQueue() throws {
        let player = try rig.startSignal(seconds: 8)
        defer { player.signal(SIGTERM) }
        let result = try ChildProcess.run(
            "sh",
            [
                "-c", #"exec "$1" 1 >"$2""#, "sh", ProgramRig.executable("dispatch_recorder"),
                rig.path("memo.raw"),
            ],
            environment: rig.server.environment)
        result.expectSuccess()
        let data = try Data(contentsOf: URL(filePath: rig.path("memo.raw")))
        expectEqual(data.count, 32_000)
    }

    @Test("and show only silence if there is nothing else") func silence() throws {
        let result = try rig.run("MeterRecorder", ["input", "0.5"])
        result.expectSuccess()
        #expect(!result.standardOutput.contains("nan"))
    }

    @Test("into an extended file, with a pause", arguments: ["wav", "aif", "caf", "m4a"])
    func extendedFile(type: String) throws {
        let output = try record("ext_voice_recorder", [rig.path("memo.\(type)"), "1.5"])
        let frames = try #require(output.numbers.last, "\(output)")
        #expect(abs(frames / 22_050 - 1.5) < 0.2)
        #expect(try abs(rig.duration(ofFile: rig.path("memo.\(type)")) - frames / 22_050) < 0.1)
    }

    @Test("in takes that begin at time 0") func takes() throws {
        let output = try record("capture", [rig.path("memo.caf"), "0.6", "2"])
        #expect(output.hasPrefix("take 1 began at 0\ntake 2 began at 0\n"), "\(output)")
        let last = output.split(separator: "\n").last.map { String($0).numbers } ?? []
        try #require(last.count == 3)
        expectEqual(last[1], 44_100)
        #expect(try abs(rig.duration(ofFile: rig.path("memo.caf")) - last[0] / last[1]) < 0.01)
    }

    @Test("into an asynchronous stream of an actor") func dictation() throws {
        let output = try record("DictationStream", ["1"])
        let samples = try #require(output.numbers.first)
        #expect((16_000...22_400).contains(samples), "\(output)")
    }

    @Test("and play it again, later, on one dispatch queue") func echo() throws {
        let output = try record("DispatchPlayer", ["1.5", "0.1"])
        #expect(output.hasSuffix(", 0 lost\n"), "\(output)")
        #expect((output.numbers.first ?? 0) > 24_000)
    }

    @Test("with meters on a timer") func meters() throws {
        let player = try rig.start(playing: rig.writeSine(frequency: 441, seconds: 8))
        defer { player.signal(SIGTERM) }
        let result = try rig.run("MeterRecorder", ["input", "1"])
        result.expectSuccess()
        let peaks = result.standardOutput.split(separator: "\n").last.map { String($0).numbers } ?? []
        #expect(peaks.count == 2 && peaks.allSatisfy { abs($0 - 0.5) < 0.01 }, "\(result.standardOutput)")
    }
}
