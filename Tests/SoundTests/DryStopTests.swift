// SPDX-License-Identifier: MIT

import AQDevices
import AQExpectations
import AudioQueues
import CoreAudioTypes
import AQSoundHarness
import AQTestTraits
import Testing

/// The audio at the end of a queue that has nothing left to play.
///
/// A server that converts the rate holds the last frames until more arrive.
@Suite(
    "Ends of queues after an underrun", .serialized, .besideOthers, .timeLimit(.minutes(5)),
    .enabled(if: SoundServerTraits.chosen.heldBackFrames == 0, "it plays what it held when more data comes"))
struct DryStopTests {
    private let server: PulseServer

    init() throws { server = try PulseServer() }

    enum Ending { case stop, pause, reset, disposal, end, lateEnd }

    @Test(
        "a stop, a pause, a reset or a disposal after the last frame is inaudible",
        arguments: [Ending.stop, .pause, .reset, .disposal, .lateEnd], [44_100, 22_050])
    func silence(ending: Ending, sampleRate: Double) throws {
        for (latency, quietSeconds) in [
            (LatencyGoal.buffers, 0.0), (.seconds(0.1), 0), (.buffers, 0.1), (.seconds(0.1), 0.1),
        ] {
            let capture = try MonitorCapture(server)
            let queue = try play(level: 0.5, seconds: 0.15, sampleRate: sampleRate, latency: latency)
            #expect(HostClock.poll(upToSeconds: 10) { queue.underrunCount == 1 })
            #expect(capture.waitForSilence(ofSeconds: quietSeconds))
            try end(queue, by: ending)
            let played = capture.stop()
            expectEqual(played.gaps(), [], "\(latency), after \(quietSeconds) s")
            #expect(played.soundFrames() > 6000)
            if ending != .disposal { try queue.dispose(immediate: true) }
        }
    }

    @Test(
        "no earlier audio is played again before the next audio",
        arguments: [Ending.stop, .pause, .reset, .end, .lateEnd], [44_100, 22_050])
    func next(ending: Ending, sampleRate: Double) throws {
        for latency in [LatencyGoal.buffers, .seconds(0.1)] {
            let capture = try MonitorCapture(server)
            let queue = try play(level: 0.5, seconds: 0.15, sampleRate: sampleRate, latency: latency)
            if ending == .end {
                #expect(capture.waitForSound())
            } else {
                #expect(HostClock.poll(upToSeconds: 10) { queue.underrunCount == 1 })
                #expect(capture.waitForSilence(ofSeconds: 0.1))
            }
            try end(queue, by: ending)
            #expect(capture.waitForSilence(ofSeconds: 0.1))
            try enqueue(level: 0.1, seconds: 0.15, on: queue)
            try queue.start()
            let underruns = ending == .end ? 1 : 2
            #expect(HostClock.poll(upToSeconds: 10) { queue.underrunCount == underruns })
            try queue.dispose(immediate: true)
            let played = capture.stop()
            let gap = try #require(played.gaps().first)
            expectEqual(played.gaps().count, 1)
            let second = played.samples[(2 * (gap.startFrame + gap.frames))...]
            // A filter overshoots at the ends.
            #expect((second.max() ?? 1) < 0.15, "\(latency)")
        }
    }

    private func end(_ queue: OutputQueue, by ending: Ending) throws {
        switch ending {
        case .stop: try queue.stop(immediate: true)
        case .pause: try queue.pause()
        case .reset: try queue.reset()
        case .disposal: try queue.dispose(immediate: true)
        case .end, .lateEnd:
            try queue.stop(immediate: false)
            #expect(HostClock.poll(upToSeconds: 10) { !queue.isRunning })
        }
    }

    /// Plays a level in two buffers, and keeps returned buffers.
    private func play(
        level: Float, seconds: Double, sampleRate: Double, latency: LatencyGoal
    ) throws -> OutputQueue {
        let queue = try OutputQueue(
            format: .float(channels: 2, sampleRate: sampleRate),
            device: PulseDevice(server: "unix:\(server.socketPath)"),
            configuration: OutputQueue.Configuration(latency: latency)
        ) { _, _ in }
        try enqueue(level: level, seconds: seconds, on: queue)
        try queue.start()
        return queue
    }

    private func enqueue(level: Float, seconds: Double, on queue: OutputQueue) throws {
        let frames = Int(seconds * queue.format.mSampleRate) / 2
        for _ in 0..<2 {
            let buffer = try queue.allocateBuffer(byteCapacity: frames * 8)
            unsafe buffer.bytes.withMemoryRebound(to: Float.self) { unsafe $0.update(repeating: level) }
            buffer.byteCount = buffer.byteCapacity
            try queue.enqueue(buffer)
        }
    }
}
