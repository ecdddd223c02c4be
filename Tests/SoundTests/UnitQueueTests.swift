// SPDX-License-Identifier: MIT

import AQDevices
import AudioQueues
import AQUnits
import CoreAudioTypes
import AQSoundHarness
import Synchronization
import AQTestSupport
import AQTestTraits
import Testing

@Suite("An I/O unit whose code calls a queue", .serialized, .besideOthers, .timeLimit(.minutes(2)))
struct UnitQueueTests {
    private let server: PulseServer

    init() throws { server = try PulseServer() }

    /// Three buffers of 10 ms, which each callback enqueues again.
    private func makeQueue(_ latency: LatencyGoal) throws -> OutputQueue {
        let queue = try OutputQueue(
            format: .float(channels: 2, sampleRate: 48_000), device: PulseDevice(server: server.address),
            configuration: OutputQueue.Configuration(latency: latency)
        ) { queue, buffer in try? queue.enqueue(buffer) }
        for _ in 0..<3 {
            let buffer = try queue.allocateBuffer(byteCapacity: 480 * 8)
            buffer.byteCount = buffer.byteCapacity
            try queue.enqueue(buffer)
        }
        return queue
    }

    @Test("starts, stops and disposes of it, and renders on", arguments: [LatencyGoal.buffers, .balanced])
    func control(latency: LatencyGoal) throws {
        let queue = try makeQueue(latency)
        let unit = IOUnit(outputDevice: try PulseDevice(server: server.address), inputDevice: nil)
        try unit.setClientFormat(.float(channels: 2, sampleRate: 48_000), .output)
        let calls = Tally()
        let errors = Mutex<[QueueError]>([])
        unsafe unit.setRenderCode { _, _, _, _, _ in
            calls.add(1)
            do throws(QueueError) {
                switch calls.now {
                case 50, 150: try queue.start()
                case 100, 200: try queue.stop(immediate: true)
                case 250: try queue.dispose(immediate: true)
                default: break
                }
            } catch {
                errors.withLock { $0.append(error) }
            }
            return 0
        }
        try unit.initialize()
        try unit.start()
        #expect(HostClock.poll(upToSeconds: 20) { calls.now >= 400 })
        #expect(errors.withLock { $0 }.isEmpty)
        unit.stop()
        unit.uninitialize()
    }
}
