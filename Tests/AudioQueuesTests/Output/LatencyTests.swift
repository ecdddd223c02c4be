// SPDX-License-Identifier: MIT

import AQDevices
import AQExpectations
import CoreAudioTypes
import Testing
import AQTestSupport

@testable import AudioQueues

extension AllTests {
    /// The latency that a queue requests from its device.
    @Suite("Latency of a start") struct LatencyTests {
        /// A manual device that records the requested latencies.
        private final class AskedDevice: OutputDevice {
            let name = "asked"
            let device = ManualDevice()
            private let goals = Monitor<[LatencyGoal]>([])
            var latest: LatencyGoal? { goals.withLock { $0.last } }
            var streams: Int { goals.withLock { $0.count } }

            func makeStream(
                _ configuration: OutputStreamConfiguration
            ) throws(DeviceError) -> any OutputStream {
                goals.withLock { $0.append(configuration.latency) }
                return try device.makeStream(configuration)
            }
        }

        private let device = AskedDevice()

        private func makeQueue(
            latency: LatencyGoal? = nil, format: AudioStreamBasicDescription? = nil
        ) throws -> OutputQueue {
            try OutputQueue(
                format: format ?? .signedInteger(bits: 16, channels: 1, sampleRate: 48000), device: device,
                configuration: OutputQueue.Configuration(latency: latency)
            ) { _, _ in }
        }

        private func enqueue(_ queue: OutputQueue, frames: Int, from first: Int = 1) throws {
            let buffer = try queue.allocateBuffer(byteCapacity: frames * 2)
            buffer.fill(frames: frames, from: first)
            try queue.enqueue(buffer)
        }

        @Test(
            "two or more buffers that last less than 200 ms together are the only latency",
            arguments: [
                ([128, 128, 128], LatencyGoal.lowest), ([2048, 2048], .lowest), ([4799, 4800], .lowest),
                ([4800, 4800], .balanced), ([100, 9500], .balanced), ([48000, 48000, 48000], .balanced),
                ([128], .balanced), ([], .balanced),
            ])
        func enqueued(buffers: [Int], goal: LatencyGoal) throws {
            for isPrimed in [false, true] {
                let queue = try makeQueue()
                for frames in buffers { try enqueue(queue, frames: frames) }
                if isPrimed { try queue.prime() }
                try queue.start()
                expectEqual(device.latest, goal)
                try queue.dispose(immediate: true)
            }
        }

        @Test("each start uses the buffers enqueued then; a playing stream keeps its latency")
        func restarts() throws {
            let queue = try makeQueue()
            queue.setVolume(0.5)
            for _ in 0..<2 { try enqueue(queue, frames: 100) }
            try queue.start()
            expectEqual(device.latest, .lowest)
            try enqueue(queue, frames: 48000)
            try queue.pause()
            try queue.start()
            expectEqual(device.latest, .lowest)
            try queue.stop(immediate: true)
            for _ in 0..<2 { try enqueue(queue, frames: 48000, from: 0) }
            try queue.start()
            expectEqual(device.latest, .balanced)
            #expect(eventually { queue.isRunning })
            let played = device.device.render(frames: 1000).first.map(samples) ?? []
            expectEqual(played.count, 1000)
            // The volume was kept.
            #expect(played.indices.allSatisfy { abs(Int(played[$0]) - $0 / 2) <= 1 })
            try queue.stop(immediate: true)
            let streams = device.streams
            for _ in 0..<2 { try enqueue(queue, frames: 48000) }
            try queue.start()
            expectEqual(device.streams, streams)
        }

        @Test("silence before a buffer that has a time counts")
        func times() throws {
            let queue = try makeQueue()
            for time in [nil, 20000.0] {
                let buffer = try queue.allocateBuffer(byteCapacity: 200)
                buffer.fill(frames: 100, from: 1)
                _ = try unsafe queue.enqueue(
                    buffer, packetDescriptions: nil, trimFramesAtStart: 0, trimFramesAtEnd: 0, events: [],
                    startFrames: time)
            }
            try queue.start()
            expectEqual(device.latest, .balanced)
        }

        @Test("decoded audio keeps a reserve")
        func decoded() throws {
            var format = AudioStreamBasicDescription.float(channels: 1, sampleRate: 48000)
            format.mBitsPerChannel = 64
            (format.mBytesPerFrame, format.mBytesPerPacket) = (8, 8)
            let queue = try makeQueue(format: format)
            for _ in 0..<3 {
                let buffer = try queue.allocateBuffer(byteCapacity: 1024)
                buffer.byteCount = 1024
                try queue.enqueue(buffer)
            }
            try queue.start()
            expectEqual(device.latest, .balanced)
        }

        @Test("a latency requested by the client applies from the next start on, whatever is enqueued")
        func asked() throws {
            let queue = try makeQueue(latency: .leastPower)
            expectEqual(queue.latency, .leastPower)
            for _ in 0..<2 { try enqueue(queue, frames: 100) }
            try queue.start()
            expectEqual(device.latest, .leastPower)
            expectEqual(code { try queue.setLatency(.lowest) }, .invalidRunState)
            try queue.stop(immediate: true)
            try queue.setLatency(.interactive)
            try queue.start()
            expectEqual(device.latest, .interactive)
            try queue.stop(immediate: true)
            try queue.setLatency(nil)
            for _ in 0..<2 { try enqueue(queue, frames: 100) }
            try queue.start()
            expectEqual(device.latest, .lowest)
            try queue.dispose(immediate: true)
            expectEqual(code { try queue.setLatency(nil) }, .disposalPending)
        }

        @Test("goals have the names that the environment uses")
        func names() {
            let names = ["lowest", "interactive", "balanced", "least-power", "", "Lowest", "leastPower"]
            let goals: [LatencyGoal?] = [.lowest, .interactive, .balanced, .leastPower, nil, nil, nil]
            expectEqual(names.map(LatencyGoal.init(name:)), goals)
        }
    }
}
