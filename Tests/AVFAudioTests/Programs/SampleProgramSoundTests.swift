// SPDX-License-Identifier: MIT

import AQExpectations
import Foundation
import AQSoundHarness
import AQTestSupport
import AQTestTraits
import Testing

/// The sample programs with the classes for audio, as readers run them.
@Suite("Sample programs with the classes for audio", .serialized, .measuring, .timeLimit(.minutes(3)))
struct SampleProgramSoundTests {
    @Test("three lines play a file completely and once, and end") func playFile() throws {
        let rig = try ClientRig()
        let (_, sound) = try rig.hear("aqsample-PlayFile", [rig.writeSignal(frames: 30_001)])
        expectEqual(sound.parts, [[0, 30_001]])
    }

    @Test("the recorder's file has the captured tone, for exactly the time", arguments: ["wav", "flac"])
    func voiceRecorder(type: String) throws {
        let rig = try ClientRig()
        let tone = rig.sine(441, seconds: [(0, 10)])
        let player = try rig.start(playing: rig.write(tone, name: "tone.wav"))
        defer { player.signal(SIGTERM) }
        let lines = try rig.run("aqsample-VoiceRecorder", [rig.path("memo.\(type)"), "0.75"])
        // From -60 dB on: the tone has -9 dB.
        #expect(lines.contains { $0.count >= 50 && $0.allSatisfy { $0 == "#" } }, "\(lines)")
        let memo = try rig.read(rig.path("memo.\(type)"))
        expectEqual(memo.shape, [48_000, 1, 36_000])
        #expect(abs(memo.frequency(in: 12_000..<36_000) - 441) < 0.5)
        // PipeWire adds the channels at 0.7.
        #expect([0.5, 0.7071].contains { abs(memo.peak - $0) < 0.01 }, "\(memo.peak)")
    }

    @Test("the front end of a recogniser prints the level of every tenth of a second at 16 kHz")
    func speechFrontEnd() throws {
        let rig = try ClientRig()
        let tone = rig.sine(441, seconds: [(0, 10)])
        let player = try rig.start(playing: rig.write(tone, name: "tone.wav"))
        defer { player.signal(SIGTERM) }
        let lines = try rig.run("aqsample-SpeechFrontEnd", ["1"])
        let parts = lines.dropLast().map(\.numbers)
        // The converter returns blocks of its own, and holds the last samples back.
        #expect(parts.allSatisfy { abs($0[0] - 1_600) < 200 } && parts.count <= 12, "\(lines)")
        let frames = parts.reduce(0) { $0 + $1[0] }
        #expect(frames >= 16_000 && abs(frames - 1_600 * Double(parts.count)) < 600, "\(lines)")
        expectEqual(lines.last, "\(Int(frames)) frames at 16 kHz")
        #expect(parts.suffix(4).allSatisfy { $0.last == -9 }, "\(lines)")
    }

    @Test("streamed speech is played to its last sample, without a gap", arguments: [24_000, 48_000])
    func streamingSpeech(serverRate: Int) throws {
        let rig = try ClientRig(sampleRate: serverRate)
        // An odd number of bytes: the last one is no sample.
        let frames = 24_001
        let speech = (0..<frames).map { (frame: Int) -> Int16 in Int16(8_192 + 4 * (frame % 4_096)) }
        let bytes: [UInt8] = speech.flatMap { (sample: Int16) -> [UInt8] in
            [UInt8(sample & 255), UInt8(sample >> 8)]
        }
        let (_, sound) = try rig.hear("aqsample-StreamingSpeech", standardInput: bytes + [7])
        let start = try #require(sound.firstSoundFrame())
        expectEqual(sound.channel(0), sound.channel(1))
        if serverRate == 24_000 {
            expectEqual(sound.soundFrames(), frames)
            let played = sound.channel(0)[start...].prefix(frames)
            #expect(played.elementsEqual(speech.map { Float($0) / 32_768 }))
        } else {
            // The filter rings at the ends.
            #expect(abs(sound.soundFrames(threshold: 0.1) - 2 * frames) < 10)
            #expect(sound.gaps().isEmpty && abs(sound.peak - 0.75) < 0.1)
        }
    }

    @Test("the metronome's beats are on their frames") func metronome() throws {
        let rig = try ClientRig()
        let (_, sound) = try rig.hear("aqsample-Metronome", ["263.7", "9"])
        let onsets = sound.onsets(above: 0.2, afterFrames: 4_000)
        let first = try #require(onsets.first)
        let expected = (0..<9).map { Int((Double($0) * 60 / 263.7 * 48_000).rounded()) }
        expectEqual(onsets.map { $0 - first }, expected)
        #expect(onsets.allSatisfy { sound.samples[2 * $0] == 0.5 })
    }

    @Test("the mixdown has every frame of every file") func offlineMixdown() throws {
        let rig = try ClientRig()
        let one = TestSignal.make(sampleRate: 48_000, frames: 40_001)
        let two = Recording(
            sampleRate: 48_000, channels: 2, samples: [Float](repeating: 0.25, count: 60_000))
        let three = Recording(
            sampleRate: 24_000, channels: 1, samples: [Float](repeating: 0.5, count: 5_000))
        let sources = try [
            rig.write(one, name: "one.wav"), rig.write(two, name: "two.wav"),
            rig.write(three, name: "three.wav"),
        ]
        let lines = try rig.run("aqsample-OfflineMixdown", [rig.path("mix.wav")] + sources)
        expectEqual(lines, ["40001 frames"])
        let mix = try rig.read(rig.path("mix.wav"))
        expectEqual(mix.shape, [48_000, 2, 40_001])
        var wrong: [Int] = []
        for frame in 0..<mix.frames where abs(frame - 10_000) > 200 && frame > 200 {
            let other = (frame < 30_000 ? 0.25 : 0) + (frame < 10_000 ? 0.5 : 0) as Float
            for channel in 0...1 {
                let index = 2 * frame + channel
                // The converted file ripples; the others are exact up to the 24 bits of the file.
                let tolerance: Float = frame < 10_000 ? 1e-3 : 3e-7
                if abs(mix.samples[index] - (one.samples[index] + other) / 3) > tolerance {
                    wrong.append(frame)
                }
            }
        }
        #expect(wrong.isEmpty, "\(wrong.count) frames from \(wrong.first ?? 0)")
    }

    @Test(
        "samples report what fails, and exit with 1",
        arguments: [
            ("aqsample-OfflineMixdown", ["/nowhere/mix.wav", "/nowhere/one.wav"]),
            ("aqsample-VoiceRecorder", ["/nowhere/memo.wav", "1"]),
            ("aqsample-Metronome", ["120", "1"]), ("aqsample-StreamingSpeech", []),
            ("aqsample-SpeechFrontEnd", ["1"]),
        ])
    func refusals(program: String, arguments: [String]) throws {
        let result = try ChildProcess.run(
            ToolPaths.tool(program), arguments, environment: ["PULSE_SERVER": "unix:/nowhere"],
            standardInput: [0, 0], deadlineSeconds: 20)
        #expect(result.exitStatus == 1 && !result.standardError.isEmpty, "\(result)")
    }
}
