// SPDX-License-Identifier: MIT

import AQExpectations
import AQSoundHarness
import AQTestTraits
import Testing

/// Programs that generate their audio.
@Suite("Programs that make sound", .serialized, .besideOthers, .timeLimit(.minutes(5)))
struct ProgramToneSoundTests {
    private let rig: ProgramRig

    init() throws { rig = try ProgramRig() }

    /// A tone of a number of frames, in one piece.
    private func expectTone(
        _ sound: Recording, frequency: Double, frames: Int, within tolerance: Int = 20, peak: Float? = nil,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        #expect(abs(sound.soundFrames() - frames) <= tolerance, sourceLocation: sourceLocation)
        #expect(sound.gaps(minimumFrames: 441) == [], sourceLocation: sourceLocation)
        #expect(abs(sound.frequency - frequency) < frequency / 50, sourceLocation: sourceLocation)
        if let peak { #expect(abs(sound.peak - peak) < 0.01, sourceLocation: sourceLocation) }
    }

    @Test("from globals, stopped and disposed of in the callback", arguments: ["8", "16"])
    func globals(bits: String) throws {
        let (output, sound) = try rig.hear("tone_globals", ["440", "1", bits])
        expectEqual(output, "done\n")
        expectTone(sound, frequency: 440, frames: 44_100, peak: 0.5)
    }

    @Test("with blocks on a dispatch queue") func dispatchQueue() throws {
        let rig = try ProgramRig(sampleRate: 48_000)
        let (_, sound) = try rig.hear("dispatch_tone", ["500", "1"])
        expectTone(sound, frequency: 500, frames: 48_000, peak: 0.25)
    }

    @Test("with functions that are constants in Swift") func glide() throws {
        let (_, sound) = try rig.hear("GlobalTone", ["300", "600", "1"])
        #expect(abs(sound.soundFrames() - 44_100) <= 20)
        expectEqual(sound.gaps(minimumFrames: 441), [])
    }

    @Test("in chunks whose buffers are freed in the callback") func speech() throws {
        let (output, sound) = try rig.hear("speech_chunks", ["hello"])
        #expect(output.contains(" 0 not"))
        #expect(abs(sound.seconds(ofFrames: sound.soundFrames()) - 0.25) < 0.02)
        expectEqual(sound.gaps(minimumFrames: 441), [])
        let (interrupted, both) = try rig.hear("speech_chunks", ["hello", ",", "you", "-", "there"])
        #expect(interrupted.contains(" 0 not"))
        #expect(both.soundFrames() > 0)
    }

    @Test("in many small buffers without an underrun") func emulator() throws {
        let (output, sound) = try rig.hear("emulator_sound", ["1", "512"])
        expectEqual(output, "0 underruns\n")
        expectEqual(sound.gaps(minimumFrames: 441), [])
        #expect(abs(sound.frequency - 440) < 9)
    }

    @Test("with many queues, parameter events, and one lock for all") func mixer() throws {
        let (output, sound) = try rig.hear("sound_mixer", ["8", "2"])
        #expect(output.hasSuffix(" sounds, 0 dropped\n"))
        #expect(sound.seconds(ofFrames: sound.soundFrames()) > 1.5)
    }

    @Test(
        "through a tap",
        arguments: zip(["pre", "post", "siphon"], [Float(0.25), 0.0625, 0.125]))
    func tap(kind: String, peak: Float) throws {
        let gain = kind == "pre" ? "2" : "0.5"
        let (output, sound) = try rig.hear("tap_gain", [kind, gain])
        // The volume is applied last: a tap does not get it.
        #expect(output.contains("peak 0.250"), "\(output)")
        expectEqual(output.contains("end seen"), (kind != "siphon"), "\(output)")
        #expect(abs(sound.peak - peak) < 0.01)
    }

    @Test("with the levels of its meters") func meters() throws {
        let (output, _) = try rig.hear("MeterRecorder", ["output", "1"])
        #expect(output.hasSuffix("peaks: 0.500 0.250\n"), "\(output)")
    }

    @Test(
        "at other rates and pitches",
        arguments: [
            (["1.5", "spectral"], 500.0), (["0.75", "timedomain"], 500), (["1.5", "varispeed"], 750),
            (["1", "spectral", "1200"], 1000),
        ] as [([String], Double)])
    func rates(arguments: [String], frequency: Double) throws {
        let (_, sound) = try rig.hear("rate_player", [rig.writeSine(frequency: 500, seconds: 2)] + arguments)
        let rate = try #require(Double(arguments[0]))
        #expect(abs(sound.seconds(ofFrames: sound.soundFrames()) * rate / 2 - 1) < 0.05)
        #expect(abs(sound.frequency - frequency) < frequency / 50)
    }

    // MARK: Devices and servers

    @Test("on the device whose identifier was released at once, and on no other") func device() throws {
        var options = PulseServer.Options()
        options.sinkName = "other"
        options.sampleRate = 44_100
        _ = try rig.server.addSink(options)
        try rig.server.setDefaultSink("test")
        let other = try MonitorCapture(
            source: "other.monitor", sampleRate: 44_100, channels: 2, environment: rig.server.environment)
        let (output, sound) = try rig.hear("device_player", ["other"])
        let played = other.stop()
        #expect(output.contains("on other\n"))
        expectEqual(sound.soundFrames(), 0)
        #expect(abs(played.frequency - 880) < 18)
        let unknown = try rig.run("device_player", ["no such device"])
        expectEqual(unknown.exitStatus, 1)
    }

    @Test("and list the devices") func devices() throws {
        let result = try rig.run("device_player")
        result.expectSuccess()
        #expect(result.standardOutput.contains("test\t"))
        #expect(result.standardOutput.contains("test.monitor\t"))
    }

    @Test("in each channel by its layout") func channels() throws {
        let rig = try ProgramRig(sampleRate: 48_000)
        for arguments in [["stereo"], ["stereo", "test"]] {
            let (output, sound) = try rig.hear("speaker_test", arguments)
            #expect(output.split(separator: "\n").count >= 2)
            let (left, right) = (sound.channel(0), sound.channel(1))
            #expect(abs(left.soundFrames() - 24_000) < 50)
            #expect(abs(right.soundFrames() - 24_000) < 50)
            #expect((left.lastSoundFrame() ?? 0) <= (right.firstSoundFrame() ?? 0) + 50)
        }
    }

    @Test("and are audible again after the server was killed") func restart() throws {
        let (output, sound) = try rig.hear("restart_player", ["1"])
        expectEqual(output, "1 queues, result 0\n")
        expectTone(sound, frequency: 440, frames: 44_100, within: 500)

        let before = try MonitorCapture(rig.server)
        let process = try ChildProcess(
            ProgramRig.executable("restart_player"), ["8"], environment: rig.server.environment)
        #expect(before.waitForSound(upToSeconds: 10))
        rig.server.kill()
        before.stop(afterQuietSeconds: 0, deadlineSeconds: 1)
        try rig.server.start()
        let after = try MonitorCapture(rig.server)
        #expect(after.waitForSound(upToSeconds: 15))
        #expect(!process.wait(deadlineSeconds: 40).isTimedOut)
    }
}
