// SPDX-License-Identifier: MIT

import AQExpectations
import AudioQueues
import AQSoundHarness
import AQTestTraits
import Testing

@Suite("A server that hangs", .serialized, .besideOthers, .timeLimit(.minutes(5)))
struct HangingServerTests {
    private let server: PulseServer

    init() throws { server = try PulseServer() }

    @Test("blocks no call, and playback resumes with it", arguments: SoundServerTraits.chosen.parts)
    func controls(part: PulseServer.Part) throws {
        let player = try SignalPlayer(on: server, latencySeconds: 1)
        let capture = try MonitorCapture(server)
        try player.start(0..<144_000, playedBy: capture)
        server.setHanging(part, true)
        defer { server.setHanging(part, false) }
        try within3Seconds("pause") { try player.queue.pause() }
        try within3Seconds("start") { try player.queue.start() }
        try within3Seconds("volume") { player.queue.setVolume(1) }
        try within3Seconds("current time") { _ = try player.queue.currentTime() }
        server.setHanging(part, false)
        #expect(player.waitForEnd())
        let played = capture.stop()
        let last = try #require(played.signalRuns(minimumFrames: 500).last)
        expectEqual(last.position + last.frames, 144_000)
        expectEqual(player.queue.failure, nil)
    }

    @Test("blocks no reset, stop or disposal", arguments: SoundServerTraits.chosen.parts)
    func ends(part: PulseServer.Part) throws {
        let player = try SignalPlayer(on: server, latencySeconds: 1)
        let capture = try MonitorCapture(server)
        try player.start(0..<480_000, playedBy: capture)
        server.setHanging(part, true)
        defer { server.setHanging(part, false) }
        player.hold()
        try within3Seconds("reset") { try player.queue.reset() }
        expectEqual(player.returnedBuffers, 3)
        try within3Seconds("stop") { try player.queue.stop(immediate: true) }
        #expect(!player.queue.isRunning)
        try within3Seconds("new queue") {
            let other = try SignalPlayer(on: server)
            other.play(0..<48_000)
            try other.queue.start()
            try other.queue.dispose(immediate: true)
        }
        try within3Seconds("disposal") { try player.queue.dispose(immediate: true) }
    }

    @Test(
        "is waited for from the first start on, however early the device was made",
        arguments: SoundServerTraits.chosen.parts)
    func lateStart(part: PulseServer.Part) throws {
        server.setHanging(part, true)
        defer { server.setHanging(part, false) }
        let player = try SignalPlayer(on: server)
        // Longer than an attempt to connect.
        leaveAsIs(seconds: 3.2)
        player.play(0..<48_000)
        try player.queue.start()
        #expect(remains(forSeconds: 1) { player.queue.failure == nil })
        server.setHanging(part, false)
        #expect(player.waitForEnd())
        expectEqual(player.queue.failure, nil)
    }

    private func within3Seconds(_ name: String, _ body: () throws -> Void) throws {
        let start = HostClock.now
        try body()
        let seconds = HostClock.seconds(from: start, to: HostClock.now)
        #expect(seconds < 3, "\(name) took \(seconds) s")
    }
}
