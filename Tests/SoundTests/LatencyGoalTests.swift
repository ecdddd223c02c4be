// SPDX-License-Identifier: MIT

import AQDevices
import AQExpectations
import AudioQueues
import CoreAudioTypes
import Foundation
import AQSoundHarness
import Synchronization
import AQTestTraits
import Testing

/// A queue whose buffers are the whole latency.
@Suite("Buffers as the only latency", .serialized, .measuring, .timeLimit(.minutes(5)))
struct LatencyGoalTests {
    private let server: PulseServer

    init() throws { server = try PulseServer() }

    private func makePlayer() throws -> SignalPlayer { try SignalPlayer(on: server, latency: .buffers) }

    @Test("every frame is played exactly, and the queue stops after the last")
    func exact() throws {
        let player = try makePlayer()
        let capture = try MonitorCapture(server)
        player.play(0..<96_001)
        try player.queue.start()
        #expect(player.waitForEnd())
        let played = capture.stop()
        expectEqual(played.signalRuns(minimumFrames: 1).map { [$0.position, $0.frames] }, [[0, 96_001]])
        expectEqual(player.returnedBuffers, 3)
        expectEqual(player.queue.underrunCount, 0)
        expectEqual(player.feedFailure, nil)
    }

    @Test("the server's buffer is no longer than the client's, and is constant while they last")
    func granted() throws {
        let player = try makePlayer()
        let capture = try MonitorCapture(server)
        try player.start(0..<96_000, playedBy: capture)
        let granted = try #require(player.queue.granted)
        #expect(granted.targetFrames <= 3 * SignalPlayer.bufferFrames)
        #expect(granted.targetFrames > SignalPlayer.bufferFrames)
        #expect(player.waitForEnd())
    }

    @Test("a buffer is returned when it is used up: none right after the start, all at the end")
    func returned() throws {
        let player = try makePlayer()
        player.play(0..<(3 * SignalPlayer.bufferFrames), stopsAtEnd: false)
        player.hold()
        try player.queue.start()
        #expect(player.waitForStart())
        expectEqual(player.returnedBuffers, 0)
        // They last 200 ms, and the frames in the sink are used up before they are audible.
        #expect(HostClock.poll(upToSeconds: 5) { player.returnedBuffers == 3 })
    }

    @Test(
        "the queue has a thread that feeds the server and calls back, in real time, however long the buffers are"
    )
    func priority() throws {
        let player = try makePlayer()
        let capture = try MonitorCapture(server)
        try player.start(0..<96_000, playedBy: capture)
        let thread = try #require(player.callbackThread)
        expectEqual(OwnThreads.name(of: thread), "aq pulse")
        expectEqual(OwnThreads.schedulingPolicy(of: thread), kernelGrantsRealTime ? SCHED_RR : SCHED_OTHER)
        #expect(player.waitForEnd())
    }

    @Test("buffers that together are shorter than a server's period are returned all the same, every time")
    func lessThanPeriod() throws {
        let callbacks = Atomic<Int>(0)
        let queue = try OutputQueue(
            format: .float(channels: 2, sampleRate: 48000),
            device: PulseDevice(server: "unix:\(server.socketPath)"),
            configuration: OutputQueue.Configuration(latency: .buffers)
        ) { queue, buffer in
            callbacks.add(1, ordering: .relaxed)
            // Refused from the stop on.
            try? queue.enqueue(buffer)
        }
        for _ in 0..<3 {
            let buffer = try queue.allocateBuffer(byteCapacity: 64 * 8)
            unsafe buffer.bytes.withMemoryRebound(to: Float.self) { unsafe $0.update(repeating: 0.1) }
            buffer.byteCount = buffer.byteCapacity
            try queue.enqueue(buffer)
        }
        try queue.start()
        #expect(HostClock.poll(upToSeconds: 5) { callbacks.load(ordering: .relaxed) >= 60 })
        try queue.stop(immediate: true)
        expectEqual(queue.failure, nil)
        try queue.dispose(immediate: true)
    }

    @Test("one buffer of three is requested late, and on time again after a late callback")
    func reserve() throws {
        let player = try makePlayer()
        let capture = try MonitorCapture(server)
        try player.start(0..<480_000, playedBy: capture)
        let reserved = try largestLead(of: player)
        #expect(reserved < 8_500)
        player.hold()
        #expect(HostClock.poll(upToSeconds: 5) { player.returnedBuffers == 3 })
        player.play(player.enqueuedFrames..<480_000)
        // The server takes blocks early.
        let gained = 1_600 - Double(SoundServerTraits.chosen.heldBackFrames)
        #expect(try largestLead(of: player) > reserved + gained)
        try player.queue.stop(immediate: true)
    }

    /// The most frames between the enqueued position and the audible one, within half a second.
    private func largestLead(of player: SignalPlayer) throws -> Double {
        var lead = 0.0
        _ = try HostClock.poll(upToSeconds: 0.5, every: 0.001) {
            lead = try max(lead, Double(player.enqueuedFrames) - player.queue.currentTime().playedFrames)
            return false
        }
        return lead
    }

    @Test("a queue that underran continues with the next buffer")
    func underrun() throws {
        let player = try makePlayer()
        let capture = try MonitorCapture(server)
        player.play(0..<(3 * SignalPlayer.bufferFrames), stopsAtEnd: false)
        player.hold()
        try player.queue.start()
        #expect(HostClock.poll(upToSeconds: 5) { player.queue.underrunCount == 1 })
        player.play(9_600..<48_000)
        #expect(player.waitForEnd())
        let runs = capture.stop().signalRuns(minimumFrames: 500)
        // Held frames are resumed at the interruption: nothing is lost.
        let first = try #require(runs.first).frames
        #expect((9_600 - SoundServerTraits.chosen.heldBackFrames...9_600).contains(first))
        expectEqual(runs.map(\.position), [0, first])
        expectEqual(runs.map(\.frames), [first, 48_000 - first])
    }

    @Test("a pause keeps every frame, and a stop returns every buffer")
    func pauseAndStop() throws {
        let player = try makePlayer()
        let capture = try MonitorCapture(server)
        try player.start(0..<480_000, playedBy: capture)
        try player.queue.pause()
        #expect(capture.waitForSilence(ofSeconds: 0.2))
        try player.queue.start()
        #expect(capture.waitForSignal(38_400))
        player.hold()
        try player.queue.stop(immediate: true)
        expectEqual(player.returnedBuffers, 3)
        let runs = capture.stop().signalRuns(minimumFrames: 500)
        try #require(runs.count == 2)
        // A 5 ms fade is not part of the signal, and ends where the next part begins.
        #expect(runs[1].position - (runs[0].position + runs[0].frames) < 1500)
    }
}
