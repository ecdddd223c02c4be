// SPDX-License-Identifier: MIT

import AQDevices
import AQExpectations
import CAQRealTime
import CoreAudioTypes
import Glibc
import Synchronization
import Testing
import AQTestSupport

@testable import AudioQueues

/// Callbacks that run on the test's thread on request.
private final class HandContext: CallbackContext {
    private struct Delivery: Sendable {
        let call: @Sendable () -> Bool
    }
    private let delivery = Monitor<Delivery?>(nil)
    private let thread = Atomic<UInt>(0)
    let begun = Atomic<Int>(0)
    let ended = Atomic<Int>(0)

    func begin(_ deliver: @escaping @Sendable () -> Bool) throws(QueueError) {
        begun.add(1, ordering: .relaxed)
        delivery.withLock { $0 = Delivery(call: deliver) }
    }

    func schedule() {}

    func end() {
        ended.add(1, ordering: .relaxed)
        let last = delivery.withLock { delivery in
            defer { delivery = nil }
            return delivery
        }
        withExtendedLifetime(last) {}
    }

    var isCurrent: Bool { thread.load(ordering: .relaxed) == UInt(pthread_self()) }

    /// Makes the calling thread count as that of the callbacks.
    func adopt() { thread.store(UInt(pthread_self()), ordering: .relaxed) }
    func deliverOne() -> Bool { delivery.withLock { $0 }?.call() ?? false }
}

extension AllTests {
    @Suite("Callbacks on a thread of the client") struct ContextTests {
        private func makeQueue(
            _ device: ManualDevice, _ context: HandContext, _ log: CallLog
        ) throws -> OutputQueue {
            try OutputQueue(
                format: .signedInteger(bits: 16, channels: 1, sampleRate: 48000), device: device,
                context: context
            ) { _, buffer in log.add(buffer) }
        }

        private func enqueue(_ queue: OutputQueue, _ count: Int) throws {
            for index in 0..<count {
                let buffer = try queue.allocateBuffer(byteCapacity: 20)
                buffer.fill(frames: 10, from: index)
                try queue.enqueue(buffer)
            }
        }

        @Test("callbacks run there, one at a time, and nowhere else")
        func made() throws {
            let (device, context, log) = (ManualDevice(), HandContext(), CallLog())
            let queue = try makeQueue(device, context, log)
            try enqueue(queue, 3)
            try queue.start()
            try queue.awaitStart()
            #expect(queue.isRunning)
            device.render(frames: 30)
            #expect(eventually { queue.core.monitor.withLock { $0.delivery.added == 4 } })
            expectEqual(log.count, 0)
            while context.deliverOne() {}
            expectEqual(log.count, 3)
            try queue.dispose(immediate: true)
            #expect(eventually { context.ended.load(ordering: .relaxed) == 1 })
            #expect(eventually { liveThreads == 0 })
        }

        @Test("a stop on the callbacks' thread runs them itself, without a wait")
        func stopThere() throws {
            let (device, context, log) = (ManualDevice(), HandContext(), CallLog())
            let queue = try makeQueue(device, context, log)
            context.adopt()
            try enqueue(queue, 5)
            try queue.start()
            try queue.awaitStart()
            let begin = aq_host_time()
            try queue.stop(immediate: true)
            expectEqual(log.count, 5)
            try enqueue(queue, 2)
            try queue.start()
            try queue.reset()
            expectEqual(log.count, 7)
            #expect(aq_host_time() - begin < 1_500_000_000)
        }

        /// Plays two buffers to the last frame; their callbacks are pending.
        private func playOut(_ queue: OutputQueue, on device: ManualDevice) throws {
            try enqueue(queue, 2)
            try queue.start()
            try queue.awaitStart()
            try queue.stop(immediate: false)
            let isOver = eventually {
                device.render(frames: 10)
                return !queue.isRunning
            }
            #expect(isOver)
        }

        @Test("callbacks of the last frame may not enqueue; after them it is allowed")
        func lateCallbacks() throws {
            let (device, context) = (ManualDevice(), HandContext())
            let refused = Seen<QueueError.Code?>()
            let queue = try OutputQueue(
                format: .signedInteger(bits: 16, channels: 1, sampleRate: 48000), device: device,
                context: context
            ) { queue, buffer in refused.add(code { try queue.enqueue(buffer) }) }
            try playOut(queue, on: device)
            #expect(refused.all.isEmpty)
            expectEqual(code { try enqueue(queue, 1) }, .enqueueDuringReset)
            while context.deliverOne() {}
            expectEqual(refused.all, [.enqueueDuringReset, .enqueueDuringReset])
            try enqueue(queue, 1)
        }

        @Test("a stop waits for the callbacks after the last frame, and then buffers may be enqueued")
        func stopBehindEnd() throws {
            let (device, context, log) = (ManualDevice(), HandContext(), CallLog())
            let queue = try makeQueue(device, context, log)
            try playOut(queue, on: device)
            context.adopt()
            try queue.stop(immediate: true)
            expectEqual(log.count, 2)
            try enqueue(queue, 1)
        }

        @Test("the context is begun once, and serves every path of the queue")
        func anotherPath() throws {
            let (device, context, log) = (ManualDevice(), HandContext(), CallLog())
            let queue = try makeQueue(device, context, log)
            for round in 1...3 {
                try queue.setDevice(device)
                try enqueue(queue, 2)
                try queue.start()
                try queue.awaitStart()
                device.render(frames: 20)
                #expect(
                    eventually {
                        while context.deliverOne() {}
                        return log.count == 2 * round
                    })
                context.adopt()
                try queue.stop(immediate: true)
            }
            expectEqual(context.begun.load(ordering: .relaxed), 1)
            try queue.dispose(immediate: true)
            #expect(eventually { context.ended.load(ordering: .relaxed) == 1 })
        }

        @Test("awaiting a start reports why a device failed, and does not wait without a start")
        func awaitStart() throws {
            let (device, context, log) = (ManualDevice(), HandContext(), CallLog())
            let queue = try makeQueue(device, context, log)
            let begin = aq_host_time()
            try queue.awaitStart()
            try queue.start()
            try queue.awaitStart()
            device.fail(DeviceError(.noSuchDevice, "gone"))
            #expect(eventually { queue.failure != nil })
            expectEqual(code { try queue.awaitStart() }, .invalidDevice)
            try queue.start()
            try queue.pause()
            try queue.awaitStart()
            #expect(aq_host_time() - begin < 1_500_000_000)
            expectEqual(
                code { try queue.start(atHostTime: aq_host_time() + 61_000_000_000) }, .invalidArgument)
            expectEqual(code { try queue.start(atHostTime: .max) }, .invalidArgument)
            expectEqual(code { try queue.start(atHostTime: 0) }, nil)
            try queue.dispose(immediate: true)
            expectEqual(code { try queue.start(atHostTime: 0) }, .disposalPending)
        }
    }
}
