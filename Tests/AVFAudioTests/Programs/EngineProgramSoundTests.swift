// SPDX-License-Identifier: MIT

import AQExpectations
import Foundation
import AQSoundHarness
import AQTestSupport
import AQTestTraits
import Testing

/// Programs in the manner of those that people have written with the engine.
@Suite("Programs with the engine", .serialized, .besideOthers, .timeLimit(.minutes(3)))
struct EngineProgramSoundTests {
    // MARK: Recording

    @Test("dictation ends with the silence after the speech, and converts every frame") func dictation()
        throws
    {
        let rig = try ClientRig()
        let speech = rig.sine(441, seconds: [(0, 1.2)])
        let player = try rig.start(playing: rig.write(speech, name: "speech.wav"))
        defer { player.signal(SIGTERM) }
        let lines = try rig.run("aqprogram-Dictation", [rig.path("said.wav"), "10", "0.4"])
        let last = try #require(lines.last)
        let numbers = last.numbers
        try #require(numbers.count == 2, "\(last)")
        #expect(last.hasSuffix("stopped by silence, spoken true"))
        #expect(abs(numbers[0] / 3 - numbers[1]) <= 1, "\(last)")
        #expect(lines.contains { $0.hasSuffix(" -9 dB") } && lines.count < 40, "\(lines)")
        let file = try rig.read(rig.path("said.wav"))
        expectEqual(file.shape, [16_000, 1, Int(numbers[1])])
        let end = try #require(file.lastSoundFrame(threshold: 0.01))
        #expect(abs(Double(file.frames - end) / 16_000 - 0.4) < 0.1)
        #expect(abs(file.frequency(in: (end - 6_000)..<(end - 1_000)) - 441) < 1)
        #expect(abs(file.peak - 0.5) < 0.08, "with the overshoot of the filter at the ends")
    }

    @Test("dictation without speech ends with the time") func silentDictation() throws {
        let rig = try ClientRig()
        let lines = try rig.run("aqprogram-Dictation", [rig.path("said.wav"), "0.5", "0.2"])
        expectEqual(lines.last?.hasSuffix("stopped by the time, spoken false"), true, "\(lines)")
        #expect(try abs(rig.read(rig.path("said.wav")).frames - 8_000) < 500)
    }

    @Test("a voice agent answers, and is interrupted by speech") func voiceAgent() throws {
        let rig = try ClientRig()
        // The microphone is the monitor of another sink, so that answers are not heard.
        var other = rig.server.options
        other.sinkName = "other"
        _ = try rig.server.addSink(other)
        try rig.server.setDefaultSink("test")
        try rig.server.control("set-default-source", "other.monitor")
        let speech = rig.sine(441, seconds: [(0.8, 0.3), (0.6, 0.3)])
        let player = try ChildProcess(
            "paplay", ["--device=other", rig.write(speech, name: "speech.wav")],
            environment: rig.server.environment)
        defer { player.signal(SIGTERM) }
        let (lines, sound) = try rig.hear("aqprogram-VoiceAgent", ["2.6", "1.2"])
        expectEqual(
            lines.dropFirst().prefix(3), ["answer 1 begins", "answer 1 is interrupted", "answer 2 begins"],
            "\(lines)")
        // Echo cancelling depends on the server.
        expectEqual(lines.first?.hasPrefix("echo cancelling "), true)
        let last = lines.last?.numbers ?? []
        try #require(last.count == 3 && lines.count == 5, "\(lines)")
        #expect(last[0] >= 41_600 && last[0] < 42_400 && last[2] == 1, "\(lines)")
        // The first answer begins 0.25 s after the speech, and is stopped after about 0.4 s.
        let start = try #require(sound.firstSoundFrame())
        let gap = try #require(sound.gaps(minimumFrames: 4_800).first)
        let seconds = sound.seconds(ofFrames: gap.startFrame - start)
        #expect(seconds > 0.15 && seconds < 0.55, "\(seconds) s")
        #expect(abs(sound.frequency(in: start + 1_000..<gap.startFrame - 1_000) - 600) < 2)
        // An echo canceller may have channels of its own.
        #expect(sound.peak > 0.1 && sound.peak < 0.6, "\(sound.peak)")
    }

    // MARK: Playing

    @Test("texts are spoken one after the other, through a pause, and stopped") func speechPlayer() throws {
        let rig = try ClientRig(sampleRate: 24_000)
        let texts = ["hello big world", "and good night"]
        let (lines, sound) = try rig.hear("aqprogram-SpeechPlayer", texts)
        expectEqual(
            lines.filter { !$0.hasPrefix("spoken") },
            [
                "paused true, position true", "started hello big world", "finished hello big world",
                "started and good night", "finished and good night", "then started(\"hello big world\")",
                "then stopped(\"hello big world\")",
            ])
        // 20 ms for each letter; the second begins once the first was heard.
        let gaps = sound.gaps(minimumFrames: 2_400)
        try #require(gaps.count == 2, "\(gaps)")
        #expect(gaps[0].frames > 6_000, "the pause")
        let spoken = Recording(
            sampleRate: 24_000, channels: 2, samples: Array(sound.samples.prefix(2 * gaps[1].startFrame)))
        let whole = spoken.removing(spoken.gaps(minimumFrames: 24)).trimmedToSound()
        #expect(abs(whole.frames - 25 * 480) < 60, "\(whole.frames)")
        let again = sound.frames - gaps[1].startFrame - gaps[1].frames
        #expect(again > 2_000)
    }

    @Test("a podcast is played at a speed, and skipped, to its end") func podcastPlayer() throws {
        let rig = try ClientRig()
        let file = try rig.write(rig.sine(441, seconds: [(0, 3)]), name: "podcast.wav")
        let (lines, sound) = try rig.hear("aqprogram-PodcastPlayer", [file, "2", "1"])
        try #require(lines.count == 5, "\(lines)")
        #expect(lines[0] == "duration 3.000" && lines[1] == "playing" && lines[3] == "finished")
        expectEqual(lines[4], "position 3.000")
        let skip = lines[2].numbers
        #expect(skip.count == 2 && abs(skip[1] - skip[0] - 1) < 0.002 && skip[0] < 0.7, "\(lines[2])")
        // What is before the skip at normal speed, and the rest at double speed.
        let expected = skip[0] + (3 - skip[1]) / 2
        #expect(abs(sound.seconds(ofFrames: sound.soundFrames()) - expected) < 0.15)
        let end = try #require(sound.lastSoundFrame(threshold: 0.1))
        #expect(abs(sound.frequency(in: end - 24_000..<end - 4_800) - 441) < 5, "the pitch stays")
    }

    @Test("drums start together, keep their swing in loops, and end with the fill") func drumMachine() throws
    {
        let rig = try ClientRig()
        let (lines, sound) = try rig.hear("aqprogram-DrumMachine", ["play", "250", "0.3", "2"])
        try #require(lines.count == 5, "\(lines)")
        let bar = try #require(lines[0].numbers.first.map { Int($0) })
        #expect(lines[4] == "played 2" && bar == 46_080)
        // The kick is on the left, and the hat on the right.
        let kicks = sound.onsets(in: 0, above: 0.7, afterFrames: 4_000)
        let first = try #require(kicks.first)
        let pattern = lines[1].numbers.map { Int($0) }
        expectEqual(kicks.map { $0 - first }, pattern + pattern.prefix(3).map { $0 + bar })
        let hats = sound.onsets(in: 1, above: 0.4, afterFrames: 1_000).map { $0 - first }
        let hatPattern = lines[3].numbers.map { Int($0) }
        #expect(hatPattern.contains(Int((3.3 * 2_880).rounded())))
        expectEqual(Array(hats.prefix(hatPattern.count)), hatPattern)
        expectEqual(hats.dropFirst(hatPattern.count).first, bar)
    }

    @Test("drums are mixed to a file of the exact length, the same twice") func drumMix() throws {
        let rig = try ClientRig()
        for name in ["one.wav", "two.wav"] {
            let lines = try rig.run(
                "aqprogram-DrumMachine", ["mix", "120", "0.25", "4", rig.path(name)])
            expectEqual(lines.last, "mixed \(4 * 96_000 + 24_000)")
        }
        let (one, two) = try (rig.read(rig.path("one.wav")), rig.read(rig.path("two.wav")))
        #expect(one.frames == 408_000 && one.samples == two.samples)
        let kicks = one.onsets(in: 0, above: 0.7, afterFrames: 4_000)
        expectEqual(kicks, (0..<15).map { $0 * 24_000 })
    }

    // MARK: Files

    @Test("the waveform of a file has the extremes of each column") func waveform() throws {
        let rig = try ClientRig()
        let signal = TestSignal.make(sampleRate: 48_000, frames: 50_003)
        let path = try rig.write(signal, name: "signal.wav")
        let missing = rig.path("missing.wav")
        let result = try ChildProcess.run(
            ToolPaths.tool("aqprogram-WaveformReader"), ["7", path, missing], deadlineSeconds: 20)
        let lines = result.standardOutput.split(separator: "\n").map(String.init)
        expectEqual(result.exitStatus, 1)
        try #require(lines.count == 13, "\(lines)")
        #expect(lines[0].hasPrefix("signal.wav: 50003 frames, 1.0417"))
        expectEqual(lines[12], "error: com.apple.coreaudio.avfaudio 2003334207")
        for column in 0..<7 {
            let frames = (0..<50_003).filter { $0 * 7 / 50_003 == column }
            let means = frames.map { (signal.samples[2 * $0] + signal.samples[2 * $0 + 1]) / 2 }
            let numbers = lines[1 + column].numbers
            try #require(numbers.count == 3)
            #expect(abs(Float(numbers[0]) - (means.min() ?? 0)) < 1e-5)
            #expect(abs(Float(numbers[1]) - (means.max() ?? 0)) < 1e-5)
        }
        #expect(lines[8...11].allSatisfy { $0.count == 9 })
    }
}
