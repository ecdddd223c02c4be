// SPDX-License-Identifier: MIT

import AQDevices
import AQExpectations
import AudioQueues
import CoreAudioTypes
import AQSoundHarness
import Synchronization
import AQTestTraits
import Testing

/// The audible effect of control calls, recorded by the sink's monitor.
@Suite("Control of a stream", .serialized, .besideOthers, .timeLimit(.minutes(5)))
struct StreamControlTests {
    /// The time until a control call is audible, although a second is buffered.
    private let reactionSeconds = 0.3
    /// A fade of 5 ms, and a frame at either end.
    private let fadeFrames = 242
    private let server: PulseServer

    init() throws { server = try PulseServer() }

    private func makePlayer() throws -> SignalPlayer { try SignalPlayer(on: server, latencySeconds: 1) }

    @Test("an immediate stop is soon silent and returns every buffer")
    func stop() throws {
        let player = try makePlayer()
        let capture = try MonitorCapture(server)
        try player.start(0..<480_000, playedBy: capture)
        player.hold()
        let stoppedAt = HostClock.now
        try player.queue.stop(immediate: true)
        expectEqual(player.returnedBuffers, 3)
        let callbacks = player.callbackCount
        #expect(HostClock.seconds(from: stoppedAt, to: HostClock.now) < reactionSeconds)
        let played = capture.stop()
        #expect(HostClock.seconds(from: stoppedAt, to: try played.endOfSound()) < reactionSeconds)
        expectEqual(played.signalRuns(minimumFrames: 500).count, 1)
        expectEqual(player.callbackCount, callbacks, "a callback came after the stop")
        #expect(!player.queue.isRunning)

        // And it starts again, from its first frame and without a fade.
        let again = try MonitorCapture(server)
        player.play(0..<24_000)
        try player.queue.start()
        #expect(player.waitForEnd())
        expectEqual(
            again.stop().signalRuns(minimumFrames: 1).map { [$0.position, $0.frames] }, [[0, 24_000]])
    }

    @Test("after a reset the new audio soon plays, and nothing of the old follows")
    func reset() throws {
        let player = try makePlayer()
        let capture = try MonitorCapture(server)
        try player.start(0..<480_000, playedBy: capture)
        player.hold()
        let resetAt = HostClock.now
        try player.queue.reset()
        expectEqual(player.returnedBuffers, 3)
        player.play(1_000_000..<1_048_000)
        #expect(player.waitForEnd())
        let played = capture.stop()

        let runs = played.signalRuns(minimumFrames: 500)
        expectEqual(runs.map(\.position), [0, 1_000_000])
        let new = try #require(runs.last)
        expectEqual(new.frames, 48_000)
        let playedAt = try #require(played.hostTime(ofFrame: new.startFrame))
        #expect(HostClock.seconds(from: resetAt, to: playedAt) < reactionSeconds)
    }

    @Test("a new volume is soon audible, is exact, and loses no frame")
    func volume() throws {
        let player = try makePlayer()
        let capture = try MonitorCapture(server)
        try player.start(0..<72_000, playedBy: capture)
        let setAt = HostClock.now
        player.queue.setVolume(0.5)
        #expect(player.waitForEnd())
        var played = capture.stop()

        let loud = try #require(played.signalRuns(minimumFrames: 500).first)
        expectEqual(loud.position, 0)
        for index in played.samples.indices { played.samples[index] *= 2 }
        let soft = try #require(played.signalRuns(minimumFrames: 500).last)
        expectEqual(soft.position + soft.frames, 72_000)
        let ramp = soft.position - (loud.position + loud.frames)
        #expect(ramp >= 0 && ramp <= fadeFrames, "the change takes \(ramp) frames")
        expectEqual(soft.startFrame - loud.startFrame, soft.position, "frames were lost or repeated")
        let playedAt = try #require(played.hostTime(ofFrame: soft.startFrame))
        #expect(HostClock.seconds(from: setAt, to: playedAt) < reactionSeconds)
        expectEqual(player.queue.volume, 0.5)
    }

    @Test(
        "levels are those of the audible audio: 0 in a pause and after a stop, and along a ramp of the volume"
    )
    func levels() throws {
        let device = try PulseDevice(server: "unix:\(server.socketPath)")
        let frames = 480_000
        let queue = try OutputQueue(format: .float(channels: 2, sampleRate: 48000), device: device) { _, _ in
        }
        func peak() -> Float { queue.levels().first?.peak ?? -1 }
        queue.isMeteringEnabled = true
        let buffer = try queue.allocateBuffer(byteCapacity: frames * 8)
        unsafe buffer.bytes.withMemoryRebound(to: Float.self) { unsafe $0.update(repeating: 0.5) }
        buffer.byteCount = frames * 8
        try queue.enqueue(buffer)
        try queue.start()
        #expect(HostClock.poll(upToSeconds: 10) { peak() == 0.5 })
        try queue.pause()
        #expect(HostClock.poll(upToSeconds: 2) { peak() == 0 })
        try queue.start()
        #expect(HostClock.poll(upToSeconds: 2) { peak() == 0.5 })
        queue.setVolume(0, rampSeconds: 2)
        #expect(try queue.waitUntilPlayed(queue.currentTime().playedFrames + 48_000))
        let halfway = peak()
        #expect(halfway > 0.15 && halfway < 0.35, "half of the ramp is at \(halfway)")
        try queue.stop(immediate: true)
        queue.setVolume(1)
        #expect(HostClock.poll(upToSeconds: 2) { peak() == 0 })
        try queue.dispose(immediate: true)
    }

    @Test("a late client causes silence, which counts on the timeline, and loses nothing")
    func starvation() throws {
        let player = try makePlayer()
        let capture = try MonitorCapture(server)
        let observer = player.queue.makeTimeline()
        player.play(0..<24_000, stopsAtEnd: false)
        try player.queue.start()
        #expect(HostClock.poll(upToSeconds: 10) { player.queue.underrunCount > 0 })
        #expect(capture.waitForSilence(ofSeconds: 0.3))
        player.play(24_000..<72_000, stopsAtEnd: false)
        #expect(player.queue.waitUntilPlayed(43_200))
        let time = try player.queue.currentTime(on: observer)
        #expect(time.isDiscontinuous)
        // One at the end, unless it stops first.
        expectEqual(player.queue.underrunCount, 1)
        try player.queue.stop(immediate: false)
        #expect(player.waitForEnd())
        let played = capture.stop()

        let runs = played.signalRuns(minimumFrames: 1)
        try #require(runs.count == 2)
        #expect(runs[0].position == 0 && runs[0].frames <= 24_000)
        #expect(runs[0].frames >= 24_000 - SoundServerTraits.chosen.heldBackFrames)
        #expect(runs[1].position == runs[0].frames && runs[1].position + runs[1].frames == 72_000)
        let silence = Double(runs[1].startFrame - runs[0].frames - runs[0].startFrame)
        #expect(silence > 0.25 * 48000)
        #expect(abs(time.sampleTime - time.playedFrames - silence) < HostClock.bound(0.05) * 48000)
    }

    @Test("a queue that starts empty plays later buffers completely and at once")
    func emptyStart() throws {
        let player = try makePlayer()
        let capture = try MonitorCapture(server)
        try player.queue.start()
        #expect(player.waitForStart())
        let startedAt = HostClock.now
        // The time passes although nothing is enqueued.
        #expect(try HostClock.poll(upToSeconds: 5) { try player.queue.currentTime().sampleTime > 9_600 })
        let enqueuedAt = HostClock.now
        player.play(0..<24_000)
        #expect(player.queue.waitUntilPlayed(4_801))
        let time = try player.queue.currentTime()
        #expect(player.waitForEnd())
        let played = capture.stop()
        let runs = played.signalRuns(minimumFrames: 1)
        try #require(runs.map { [$0.position, $0.frames] } == [[0, 24_000]])
        let playedAt = try #require(played.hostTime(ofFrame: runs[0].startFrame))
        #expect(HostClock.seconds(from: enqueuedAt, to: playedAt) < reactionSeconds)
        expectEqual(player.queue.underrunCount, 0)
        // The silence counts as time, but not as a gap.
        let silence = HostClock.seconds(from: startedAt, to: playedAt) * 48000
        #expect(abs(time.sampleTime - time.playedFrames - silence) < HostClock.bound(0.05) * 48000)
    }

    @Test(
        "after a reset the time continues, and the next audio plays at its stated time",
        arguments: [0, 0.3])
    func timeBehindReset(pauseSeconds: Double) throws {
        let player = try makePlayer()
        let capture = try MonitorCapture(server)
        try player.start(0..<480_000, playedBy: capture)
        player.hold()
        let before = try player.queue.currentTime().sampleTime
        let resetAt = HostClock.now
        try player.queue.reset()
        leaveAsIs(seconds: pauseSeconds)
        let buffer = try player.queue.allocateBuffer(byteCapacity: 8 * 24_000)
        buffer.byteCount = buffer.byteCapacity
        let said = try unsafe player.queue.enqueue(
            buffer, packetDescriptions: nil, trimFramesAtStart: 0, trimFramesAtEnd: 0, events: [],
            startFrames: nil)
        let expected = try #require(said)
        #expect(player.queue.waitUntilPlayed(4_801))
        let time = try player.queue.currentTime()
        let passed = HostClock.seconds(from: resetAt, to: HostClock.now) * 48000
        let tolerance = HostClock.bound(pauseSeconds == 0 ? 0.003 : 0.05) * 48000
        #expect(abs(time.sampleTime - time.playedFrames - expected) < tolerance)
        #expect(abs(time.sampleTime - before - passed) < HostClock.bound(0.06) * 48000)
    }

    @Test("ten queues all play at once, and all end")
    func manyQueues() throws {
        let capture = try MonitorCapture(server)
        let device = try PulseDevice(server: "unix:\(server.socketPath)")
        let frames = 96_000
        // Levels whose sums identify the queues in them.
        let levels = (0..<10).map { 1 / Float(4 << $0) }
        let queues = try levels.map { level in
            let queue = try OutputQueue(format: .float(channels: 2, sampleRate: 48000), device: device) {
                _, _ in
            }
            let buffer = try queue.allocateBuffer(byteCapacity: frames * 8)
            unsafe buffer.bytes.withMemoryRebound(to: Float.self) { unsafe $0.update(repeating: level) }
            buffer.byteCount = frames * 8
            try queue.enqueue(buffer)
            return queue
        }
        for queue in queues { try queue.start() }
        for queue in queues {
            #expect(HostClock.poll(upToSeconds: 10) { queue.isRunning })
            try queue.stop(immediate: false)
        }
        #expect(HostClock.poll(upToSeconds: 20) { queues.allSatisfy { !$0.isRunning } })
        let played = capture.stop()
        expectEqual(played.peak, levels.reduce(0, +), "not all were audible together")
        // Each bit of the sum is one queue, audible for its whole length.
        for (index, level) in levels.enumerated() {
            let count = (0..<played.frames).count { Int(played.samples[2 * $0] / level) % 2 == 1 }
            expectEqual(count, frames, "queue \(index)")
        }
        for queue in queues {
            expectEqual(queue.failure, nil)
            try queue.dispose(immediate: true)
        }
    }

    @Test("disposing of a playing queue silences it soon, and no callback follows")
    func dispose() throws {
        let player = try makePlayer()
        let capture = try MonitorCapture(server)
        try player.start(0..<480_000, playedBy: capture)
        let disposedAt = HostClock.now
        try player.queue.dispose(immediate: true)
        let callbacks = player.callbackCount
        #expect(HostClock.seconds(from: disposedAt, to: HostClock.now) < 2)
        let played = capture.stop()
        #expect(HostClock.seconds(from: disposedAt, to: try played.endOfSound()) < reactionSeconds)
        expectEqual(player.callbackCount, callbacks)
        #expect(throws: QueueError.self) { try player.queue.start() }
        let isGone = try HostClock.poll(upToSeconds: 5) { try server.playbackStreams().isEmpty }
        #expect(isGone, "its stream is left at the server")
    }

    @Test("the current time never runs backwards, and is that of the audible frame")
    func currentTime() throws {
        var options = PulseServer.Options()
        options.hasRewinds = true
        let server = try PulseServer(options)
        let player = try SignalPlayer(on: server, latencySeconds: 0.5)
        let capture = try MonitorCapture(server)
        player.play(0..<96_000)
        try player.queue.start()
        #expect(player.waitForStart())
        var times: [QueueTime] = []
        _ = HostClock.poll(upToSeconds: 20) {
            guard let time = try? player.queue.currentTime() else { return true }
            times.append(time)
            return time.playedFrames > 90_000
        }
        #expect(player.waitForEnd())
        let played = capture.stop()
        #expect(zip(times, times.dropFirst()).allSatisfy { $0.sampleTime <= $1.sampleTime })
        #expect(zip(times, times.dropFirst()).allSatisfy { $0.hostTime <= $1.hostTime })

        let run = try #require(played.signalRuns(minimumFrames: 10_000).first)
        var compared = 0
        for time in times where Int(time.playedFrames) > run.position + 4800 {
            let frame = run.startFrame + Int(time.playedFrames) - run.position
            let playedAt = try #require(played.hostTime(ofFrame: frame))
            let seconds = HostClock.seconds(from: playedAt, to: time.hostTime)
            try #require(abs(seconds) < 0.1, "at frame \(time.playedFrames) time is off by \(seconds) s")
            compared += 1
        }
        #expect(compared > 20)
    }
}
