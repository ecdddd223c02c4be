// SPDX-License-Identifier: MIT

import AQDevices
import AQExpectations
import AudioQueues
import CoreAudioTypes
import AQSoundHarness
import AQTestTraits
import Testing

/// How quickly a queue starts, and releases its audio.
@Suite("Starts and stops", .serialized, .besideOthers, .timeLimit(.minutes(5)))
struct StartStopTests {
    private let server: PulseServer

    init() throws { server = try PulseServer() }

    @Test("an immediate stop does not wait for its fade-out, so the times of many do not add up")
    func manyStops() throws {
        let device = try PulseDevice(server: "unix:\(server.socketPath)")
        let capture = try MonitorCapture(server)
        let queues = try (0..<16).map { _ in
            let queue = try OutputQueue(
                format: .float(channels: 2, sampleRate: 48000), device: device,
                configuration: OutputQueue.Configuration(latency: .seconds(0.5))
            ) { _, _ in }
            let buffer = try queue.allocateBuffer(byteCapacity: 96_000 * 8)
            unsafe buffer.bytes.withMemoryRebound(to: Float.self) { unsafe $0.update(repeating: 0.01) }
            buffer.byteCount = buffer.byteCapacity
            try queue.enqueue(buffer)
            try queue.start()
            return queue
        }
        for queue in queues { #expect(HostClock.poll(upToSeconds: 10) { queue.isRunning }) }
        #expect(capture.waitForSound(ofFrames: 14_400))
        let stoppedAt = HostClock.now
        for queue in queues {
            try queue.stop(immediate: true)
            #expect(!queue.isRunning)
        }
        // Sixteen consecutive fades take longer.
        #expect(HostClock.seconds(from: stoppedAt, to: HostClock.now) < 0.16)
        let played = capture.stop()
        #expect(HostClock.seconds(from: stoppedAt, to: try played.endOfSound()) < 0.3)
        for queue in queues {
            expectEqual(queue.failure, nil)
            try queue.dispose(immediate: true)
        }
    }

    @Test("a start right after a stop waits for its fade-out, then plays the enqueued buffers, and ends")
    func restart() throws {
        let player = try SignalPlayer(on: server, latencySeconds: 0.5)
        let capture = try MonitorCapture(server)
        try player.start(0..<480_000, playedBy: capture)
        for round in 1...4 {
            player.hold()
            try player.queue.stop(immediate: true)
            expectEqual(player.returnedBuffers, 3)
            let frames = round < 4 ? 480_000 : 9_600
            player.play(round * 1_000_000..<round * 1_000_000 + frames, stopsAtEnd: false)
            try player.queue.start()
            if round < 4 { #expect(capture.waitForSignal(round * 1_000_000 + 9_600)) }
        }
        // Everything of the last round is requested during the fade-out, including its end.
        try player.queue.stop(immediate: false)
        #expect(player.waitForStart())
        #expect(player.waitForEnd())
        let runs = capture.stop().signalRuns(minimumFrames: 500)
        expectEqual(runs.map(\.position), [0, 1_000_000, 2_000_000, 3_000_000, 4_000_000])
        expectEqual(runs.last?.frames, 9_600)
        expectEqual(player.queue.failure, nil)
    }

    @Test(
        "a disposal fades out too, at any sink, and its stream is removed soon after",
        arguments: [LatencyGoal.seconds(0.2), .buffers], [480, 96_000])
    func disposal(latency: LatencyGoal, bufferFrames: Int) throws {
        let steps = try (0..<5).map { round in
            try largestStep(
                latency: latency, bufferFrames: bufferFrames, playedFrames: 14_400,
                phaseSeconds: 0.0013 * Double(round))
        }
        // A constant level falls in small steps, not at once. A busy machine may reach the fade after the sink has
        // played all it had: once, but not repeatedly.
        #expect(steps.sorted()[3] < 0.01)
    }

    @Test(
        "a fade-out is no longer than the audio left in a queue",
        .enabled(if: SoundServerTraits.chosen.heldBackFrames == 0, "it takes more at once than the queue has")
    )
    func shortFade() throws {
        // 9 ms in all: the sink may sometimes have taken the rest by then.
        let steps = try (0..<9).map { round in
            try largestStep(
                latency: .buffers, bufferFrames: 144, playedFrames: 4_800,
                phaseSeconds: 0.0013 * Double(round))
        }
        #expect(steps.sorted()[4] < 0.05)
    }

    /// Disposes of a queue that plays a level of 0.5, and returns the largest step at its end.
    private func largestStep(
        latency: LatencyGoal, bufferFrames: Int, playedFrames: Int, phaseSeconds: Double
    ) throws -> Float {
        let device = try PulseDevice(server: "unix:\(server.socketPath)")
        let capture = try MonitorCapture(server)
        let queue = try OutputQueue(
            format: .float(channels: 2, sampleRate: 48000), device: device,
            configuration: OutputQueue.Configuration(latency: latency)
        ) { queue, buffer in
            // Refused from the disposal on.
            try? queue.enqueue(buffer)
        }
        for _ in 0..<3 {
            let buffer = try queue.allocateBuffer(byteCapacity: bufferFrames * 8)
            unsafe buffer.bytes.withMemoryRebound(to: Float.self) { unsafe $0.update(repeating: 0.5) }
            buffer.byteCount = buffer.byteCapacity
            try queue.enqueue(buffer)
        }
        try queue.start()
        #expect(capture.waitForSound(ofFrames: playedFrames))
        leaveAsIs(seconds: phaseSeconds)
        let disposedAt = HostClock.now
        try queue.dispose(immediate: true)
        #expect(HostClock.seconds(from: disposedAt, to: HostClock.now) < HostClock.bound(0.05))
        let played = capture.stop()
        #expect(HostClock.seconds(from: disposedAt, to: try played.endOfSound()) < 0.3)
        #expect(try HostClock.poll(upToSeconds: 5) { try server.playbackStreams().isEmpty })
        // The last step is to silence.
        let end = try #require(played.lastSoundFrame())
        let left = (end - 600...end + 1).map { played.samples[2 * $0] }
        let steps = zip(left, left.dropFirst()).map { abs($1 - $0) }
        return try #require(steps.max())
    }

    @Test("a primed queue's stream waits at the server, silent, and is removed with the queue")
    func primed() throws {
        let player = try SignalPlayer(on: server, latency: .buffers)
        player.play(0..<9_600, stopsAtEnd: false)
        try player.queue.prime()
        #expect(try HostClock.poll(upToSeconds: 5) { try !server.playbackStreams().isEmpty })
        let capture = try MonitorCapture(server)
        #expect(!capture.waitForSound(upToSeconds: 0.3))
        #expect(!player.queue.isRunning)
        try player.queue.start()
        try player.queue.stop(immediate: false)
        #expect(player.waitForEnd())
        expectEqual(capture.stop().signalRuns(minimumFrames: 1).first?.position, 0)
        try player.queue.dispose(immediate: true)
        #expect(try HostClock.poll(upToSeconds: 5) { try server.playbackStreams().isEmpty })
    }

    @Test("a missing sink is reported by the start, not by the priming")
    func primedWithoutSink() throws {
        let player = try SignalPlayer(on: server, sink: "nowhere")
        player.play(0..<9_600, stopsAtEnd: false)
        try player.queue.prime()
        #expect(remains(forSeconds: 0.3) { player.queue.failure == nil })
        try player.queue.start()
        #expect(HostClock.poll(upToSeconds: 5) { player.queue.failure != nil })
    }
}
