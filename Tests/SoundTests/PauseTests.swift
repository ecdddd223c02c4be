// SPDX-License-Identifier: MIT

import AQExpectations
import AudioQueues
import AQSoundHarness
import AQTestTraits
import Testing

@Suite("Pauses", .serialized, .besideOthers, .timeLimit(.minutes(5)))
struct PauseTests {
    /// A fade of 5 ms, and a frame at either end.
    private let fadeFrames = 242
    private let server: PulseServer

    init() throws { server = try PulseServer() }

    @Test("a pause is soon silent, keeps every frame, and resumes at its position")
    func pause() throws {
        let player = try SignalPlayer(on: server, latencySeconds: 1)
        let capture = try MonitorCapture(server)
        try player.start(0..<96_000, playedBy: capture)
        let pausedAt = HostClock.now
        try player.queue.pause()
        #expect(capture.waitForSilence(ofSeconds: 0.2))
        let paused = try player.queue.currentTime().playedFrames
        let isPaused = try remains(forSeconds: 0.1) { try player.queue.currentTime().playedFrames == paused }
        #expect(isPaused, "the time advances in a pause")
        #expect(player.queue.isRunning)
        try player.queue.start()
        #expect(player.waitForEnd())
        let played = capture.stop()

        let runs = played.signalRuns(minimumFrames: 500)
        try #require(runs.count == 2)
        let silentAt = try played.endOfSound(before: runs[1].startFrame - fadeFrames - 100)
        #expect(HostClock.seconds(from: pausedAt, to: silentAt) < 0.3)
        expectEqual(runs[0].position, 0)
        let hidden = runs[1].position - (runs[0].position + runs[0].frames)
        #expect(hidden >= 0 && hidden <= fadeFrames, "\(hidden) frames are not clearly audible")
        expectEqual(runs[1].position + runs[1].frames, 96_000)
        expectEqual(played.gaps(minimumFrames: 480).count, 1)
        expectEqual(player.queue.underrunCount, 0)
    }

    @Test("a start before the end of the fade-out resumes with every frame")
    func shortPauses() throws {
        let player = try SignalPlayer(on: server, latencySeconds: 0.5)
        let capture = try MonitorCapture(server)
        try player.start(0..<96_000, playedBy: capture)
        for milliseconds in [0, 1, 5, 20, 40] {
            try player.queue.pause()
            leaveAsIs(seconds: Double(milliseconds) / 1000)
            try player.queue.start()
            #expect(try player.queue.waitUntilPlayed(player.queue.currentTime().playedFrames + 7_200))
        }
        #expect(player.waitForEnd())
        let runs = capture.stop().signalRuns(minimumFrames: 500)
        expectEqual(runs.first?.position, 0)
        for (run, next) in zip(runs, runs.dropFirst()) {
            let hidden = next.position - (run.position + run.frames)
            #expect(hidden >= 0 && hidden <= fadeFrames, "\(hidden) frames are not clearly audible")
        }
        let last = try #require(runs.last)
        expectEqual(last.position + last.frames, 96_000)
        #expect(runs.count > 1)
    }

    @Test("a stop in a pause drops the remaining audio: the next start begins with the buffers enqueued then")
    func stopInPause() throws {
        let player = try SignalPlayer(on: server, latencySeconds: 0.5)
        let capture = try MonitorCapture(server)
        try player.start(0..<480_000, playedBy: capture)
        try player.queue.pause()
        #expect(capture.waitForSilence(ofSeconds: 0.1))
        player.hold()
        try player.queue.stop(immediate: true)
        expectEqual(player.returnedBuffers, 3)
        #expect(!player.queue.isRunning)
        player.play(1_000_000..<1_024_000)
        try player.queue.start()
        #expect(player.waitForEnd())
        let runs = capture.stop().signalRuns(minimumFrames: 500)
        expectEqual(runs.map(\.position), [0, 1_000_000])
        expectEqual(runs.last?.frames, 24_000)
    }

    @Test("a reset in a pause drops the remaining audio")
    func resetInPause() throws {
        let player = try SignalPlayer(on: server, latencySeconds: 0.5)
        let capture = try MonitorCapture(server)
        try player.start(0..<480_000, playedBy: capture)
        try player.queue.pause()
        #expect(capture.waitForSilence(ofSeconds: 0.1))
        player.hold()
        try player.queue.reset()
        expectEqual(player.returnedBuffers, 3)
        player.play(1_000_000..<1_024_000)
        try player.queue.start()
        #expect(player.waitForEnd())
        let runs = capture.stop().signalRuns(minimumFrames: 500)
        expectEqual(runs.map(\.position), [0, 1_000_000])
        let last = try #require(runs.last)
        expectEqual(last.position + last.frames, 1_024_000)
    }

    @Test("after a server is replaced in a pause, playback resumes at the same position")
    func restartInPause() throws {
        let player = try SignalPlayer(on: server, latencySeconds: 0.5)
        let before = try MonitorCapture(server)
        try player.start(0..<96_000, playedBy: before)
        try player.queue.pause()
        let playedBefore = before.stop()
        server.kill()
        try server.start()
        #expect(player.queue.isRunning)
        let after = try MonitorCapture(server)
        try player.queue.start()
        #expect(player.waitForEnd())
        let old = try #require(playedBefore.signalRuns(minimumFrames: 500).last)
        let new = try #require(after.stop().signalRuns(minimumFrames: 500).first)
        let hidden = new.position - (old.position + old.frames)
        #expect(hidden >= 0 && hidden <= fadeFrames, "\(hidden) frames are not clearly audible")
        expectEqual(new.position + new.frames, 96_000)
        expectEqual(player.queue.failure, nil)
    }
}
