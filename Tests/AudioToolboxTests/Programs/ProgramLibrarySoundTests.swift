// SPDX-License-Identifier: MIT

import AQExpectations
import Foundation
import AQSoundHarness
import AQTestTraits
import Testing

/// Programs that make the calls of libraries for audio, and check what those assert.
@Suite("Programs with the calls of libraries", .serialized, .besideOthers, .timeLimit(.minutes(5)))
struct ProgramLibrarySoundTests {
    private let rig: ProgramRig

    init() throws { rig = try ProgramRig(sampleRate: 48_000) }

    /// The captured audio, as a program prints it.
    private struct Captured {
        var frames: Double
        var frequency: Double
        var peak: Double

        init(_ output: String) throws {
            let match = try #require(
                output.firstMatch(of: /captured ([0-9]+) frames, ([0-9.]+) Hz, peak ([0-9.]+)\n0 failures\n/),
                "\(output)")
            frames = try #require(Double(match.output.1))
            frequency = try #require(Double(match.output.2))
            peak = try #require(Double(match.output.3))
        }
    }

    @Test(
        "play through an output unit",
        arguments: ["cubeb_calls", "miniaudio_calls", "openal_calls", "portaudio_calls"])
    func output(program: String) throws {
        let (output, sound) = try rig.hear(program, ["output", "1.5"])
        expectEqual(output, "0 failures\n")
        // One of the programs stops and starts again in between.
        let tone = sound.trimmedToSound(threshold: 0.01)
        let part = Recording(
            sampleRate: 48_000, channels: 2, samples: Array(tone.samples.prefix(2 * 48_000 * 6 / 10)))
        part.expectSines([441, 441], peakTolerance: 0.01)
        #expect(abs(sound.seconds(ofFrames: sound.soundFrames()) - 1.5) < 0.4)
    }

    @Test(
        "record through an input unit",
        arguments: ["cubeb_calls", "miniaudio_calls", "openal_calls", "portaudio_calls"])
    func input(program: String) throws {
        let player = try rig.start(playing: rig.writeSine(frequency: 441, seconds: 8))
        defer { player.signal(SIGTERM) }
        let result = try rig.run(program, ["input", "1.5"])
        result.expectSuccess()
        let captured = try Captured(result.standardOutput)
        #expect(abs(captured.frames / 48_000 - 1.5) < 0.3)
        #expect(abs(captured.frequency - 441) < 9)
        #expect(abs(captured.peak - 0.5) < 0.01)
    }

    @Test(
        "play and record at once, through two units or one",
        arguments: [
            ("cubeb_calls", "duplex"), ("miniaudio_calls", "duplex"), ("portaudio_calls", "separate"),
            ("portaudio_calls", "duplex"),
        ])
    func bothDirections(program: String, mode: String) throws {
        let result = try rig.run(program, [mode, "2"])
        result.expectSuccess()
        let captured = try Captured(result.standardOutput)
        #expect(captured.frames > 48_000)
        // The first frames were captured before the tone came back.
        #expect((350...445).contains(captured.frequency), "\(captured)")
        #expect((0.45...0.7).contains(captured.peak), "\(captured)")
    }
}
