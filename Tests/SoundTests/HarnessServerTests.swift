// SPDX-License-Identifier: MIT

import AQExpectations
import Glibc
import AQSoundHarness
import AQTestTraits
import Testing

@Suite("Sound harness against a real server", .serialized, .besideOthers, .timeLimit(.minutes(5)))
struct HarnessServerTests {
    /// Plays audio with paplay, an independent client, and returns the monitor's recording.
    private func play(_ sound: Recording, on server: PulseServer) throws -> Recording {
        let path = "\(server.folder)/sound.wav"
        try WaveFile.write(sound, as: .float32, toPath: path)
        let capture = try MonitorCapture(server)
        let player = try ChildProcess.run("paplay", [path], environment: server.environment)
        expectEqual(player.exitStatus, 0, "paplay: \(player.standardError)")
        return capture.stop()
    }

    @Test("float at the sink's rate arrives bit-exact, to the frame")
    func exact() throws {
        let signal = TestSignal.make(sampleRate: 48000, frames: 30_011)
        let played = try play(signal, on: PulseServer())
        expectEqual(
            TestSignal.runs(in: played).map { [$0.position, $0.frames] }, [[0, 30_011]],
            "the signal was lost, cut or repeated somewhere")
        #expect(try #require(played.compare(to: signal)).isExact(referenceFrames: signal.frames))
        #expect(played.gaps().isEmpty)
    }

    @Test("a hole of 10 ms in the played audio is found with its length")
    func hole() throws {
        var sound = TestSignal.make(sampleRate: 48000, frames: 20_000)
        for index in 2 * 9000..<2 * 9480 { sound.samples[index] = 0 }
        let played = try play(sound, on: PulseServer()).trimmedToSound()
        expectEqual(played.frames, 20_000)
        expectEqual(played.gaps(), [Recording.Gap(startFrame: 9000, frames: 480)])
    }

    @Test("a sink that rewinds is recorded to within 100 frames")
    func rewinds() throws {
        var options = PulseServer.Options()
        options.hasRewinds = true
        let signal = TestSignal.make(sampleRate: 48000, frames: 20_000)
        let played = try play(signal, on: PulseServer(options))
        let run = try #require(TestSignal.runs(in: played).last)
        expectEqual(run.position + run.frames, signal.frames)
        #expect(run.position <= 200, "the monitor missed \(run.position) frames")
    }

    @Test("a killed server is gone, and restarts on the same socket")
    func restart() throws {
        let server = try PulseServer()
        let first = server.processIdentifier
        server.kill()
        #expect(throws: HarnessError.self) { try server.control("info") }
        try server.start()
        #expect(server.processIdentifier != first)
        let signal = TestSignal.make(sampleRate: 48000, frames: 10_000)
        let played = try play(signal, on: server)
        expectEqual(TestSignal.runs(in: played).map(\.frames), [10_000])
    }

    @Test("sinks are added, become the default, are suspended, and removed")
    func sinks() throws {
        let server = try PulseServer()
        var options = PulseServer.Options()
        options.sinkName = "second"
        options.sampleRate = 44100
        let module = try server.addSink(options)
        try server.setDefaultSink("second")
        try expectEqual(server.control("get-default-sink"), "second\n")
        try server.suspendSink("second", true)
        if SoundServerTraits.chosen.tellsOfSuspension {
            #expect(try server.control("list", "short", "sinks").contains("SUSPENDED"))
        }
        try server.suspendSink("second", false)
        try server.unloadModule(module)
        try expectEqual(server.control("get-default-sink"), "test\n")
        #expect(throws: HarnessError.self) { try server.unloadModule(module) }
    }

    @Test("a released server leaves nothing")
    func cleanup() throws {
        var server: PulseServer? = try PulseServer()
        let folder = try #require(server?.folder)
        #expect(try HarnessServerTests.isAnythingLeft(of: folder))
        server = nil
        #expect(try !HarnessServerTests.isAnythingLeft(of: folder))
    }

    @Test("a server whose owner crashes is killed and its folder removed")
    func crash() async throws {
        let crashed = await #expect(processExitsWith: .signal(SIGKILL), observing: [\.standardOutputContent])
        {
            let server = try PulseServer()
            print("server:", server.folder, ":")
            fflush(nil)
            kill(getpid(), SIGKILL)
        }
        let output = String(decoding: try #require(crashed).standardOutputContent, as: UTF8.self)
        let words = output.split(separator: ":").dropFirst().first?.split(separator: " ") ?? []
        try #require(words.count == 1, "\(output)")
        let isClean = try HostClock.poll(upToSeconds: 30, every: 0.05) {
            try !HarnessServerTests.isAnythingLeft(of: String(words[0]))
        }
        #expect(isClean)
    }

    /// Whether a server's folder exists, or a process with it in its environment.
    private static func isAnythingLeft(of folder: String) throws -> Bool {
        let check = try ChildProcess.run(
            "sh",
            ["-c", "ls -d \"$0\"; grep -lsF -e \"$0\" /proc/[0-9]*/environ", folder])
        return !check.standardOutput.isEmpty
    }
}
