// SPDX-License-Identifier: MIT

import AQDevices
import AQExpectations
import CAQRealTime
import CoreAudioTypes
import Synchronization
import Testing
import AQTestSupport

@testable import AudioQueues

extension AllTests {
    @Suite("Callbacks of a recording on a thread of the client") struct RecordingContextTests {
        @Test("callbacks and listeners run where they are pumped, in order, and nowhere else")
        func pumped() throws {
            let context = PumpedContext()
            let order = Seen<String>()
            let rig = try InputRig(context: context) { queue, buffer, _ in
                order.add("buffer")
                try? queue.enqueue(buffer)
            }
            try rig.queue.addListener(for: .isRunning) { order.add("running \($0.isRunning)") }
            for _ in 0..<3 { try rig.enqueue(frames: 10) }
            try rig.queue.start()
            rig.capture(0..<25)
            // Without a pump the queue runs and fills its buffers.
            #expect(eventually { rig.queue.core.monitor.withLock { $0.delivery.added == 3 } })
            #expect(rig.queue.isRunning)
            #expect(context.scheduled > 0)
            #expect(order.all.isEmpty)
            expectEqual(context.pump(), 3)
            expectEqual(order.all, ["running true", "buffer", "buffer"])
            rig.capture(25..<50)
            #expect(eventually { rig.queue.core.monitor.withLock { $0.delivery.added == 6 } })
            expectEqual(context.pump(), 3)
            expectEqual(rig.recorded, counting(0..<50))
            try rig.queue.dispose(immediate: true)
            #expect(context.isIdle)
            #expect(eventually { liveThreads == 0 })
        }

        @Test("a context that is never pumped delays a stop by two seconds, and disposal not at all")
        func neverPumped() throws {
            let context = PumpedContext()
            let rig = try InputRig(context: context)
            for _ in 0..<3 { try rig.enqueue(frames: 10) }
            try rig.queue.start()
            rig.capture(0..<15)
            var began = aq_host_time()
            try rig.queue.stop(immediate: true)
            #expect((1.9...10).contains(Double(aq_host_time() - began) / 1e9))
            began = aq_host_time()
            try rig.queue.dispose(immediate: true)
            #expect(Double(aq_host_time() - began) / 1e9 < 1)
            #expect(rig.log.all.isEmpty)
            #expect(context.isIdle)
            expectEqual(liveBuffers, 0)
            #expect(eventually { liveThreads == 0 })
        }

        @Test(
            "a stop or reset on the context's own thread runs the callbacks itself",
            arguments: [true, false])
        func ownThread(isStop: Bool) throws {
            let context = PumpedContext()
            context.adoptThread()
            let rig = try InputRig(context: context)
            for _ in 0..<3 { try rig.enqueue(frames: 10) }
            try rig.queue.start()
            rig.capture(0..<15)
            let began = aq_host_time()
            if isStop { try rig.queue.stop(immediate: true) } else { try rig.queue.reset() }
            #expect(Double(aq_host_time() - began) / 1e9 < 1.9)
            expectEqual(rig.log.all.map(\.bytes.count), [20, 10, 0])
            #expect(rig.queue.isRunning != isStop)
            // Nothing is refused any more.
            try rig.queue.enqueue(rig.log.all[0].buffer)
        }

        @Test("a stop in a callback does not wait for the callbacks that follow it")
        func stopInCallback() throws {
            let context = PumpedContext()
            context.adoptThread()
            let refused = Seen<QueueError.Code?>()
            let rig = try InputRig(context: context) { queue, buffer, _ in
                try? queue.stop(immediate: true)
                refused.add(code { try queue.enqueue(buffer) })
            }
            for _ in 0..<3 { try rig.enqueue(frames: 10) }
            try rig.queue.start()
            rig.capture(0..<10)
            #expect(eventually { rig.queue.core.monitor.withLock { $0.delivery.added == 2 } })
            let began = aq_host_time()
            context.pumpOnce()
            context.pumpOnce()
            expectEqual(rig.log.all.count, 1)
            #expect(Double(aq_host_time() - began) / 1e9 < 1.9)
            context.pump()
            expectEqual(rig.log.all.map(\.bytes.count), [20, 0, 0])
            expectEqual(refused.all, [.enqueueDuringReset, .enqueueDuringReset, .enqueueDuringReset])
            try rig.queue.enqueue(rig.log.all[0].buffer)
        }

        @Test(
            "a queue that stops paused counts as running until its callbacks ran, and refuses their buffers",
            arguments: [true, false])
        func stopPaused(pauseFirst: Bool) throws {
            let context = PumpedContext()
            let refused = Seen<QueueError.Code?>()
            let rig = try InputRig(context: context) { queue, buffer, _ in
                refused.add(code { try queue.enqueue(buffer) })
            }
            for _ in 0..<2 { try rig.enqueue(frames: 10) }
            try rig.startAndWait()
            rig.capture(1..<5)
            if pauseFirst { try rig.queue.pause() }
            try rig.queue.stop(immediate: false)
            if !pauseFirst { try rig.queue.pause() }
            #expect(eventually { rig.queue.core.monitor.withLock { $0.resets.isEmpty } })
            #expect(rig.queue.isRunning)
            context.pump()
            expectEqual(rig.log.all.map(\.bytes.count), [10, 0])
            expectEqual(refused.all, [.enqueueDuringReset, .enqueueDuringReset])
            #expect(!rig.queue.isRunning)
            try rig.queue.enqueue(rig.log.all[0].buffer)
        }

        @Test("a callback that runs the loop gets no other callback of its queue inside")
        func nested() throws {
            let context = PumpedContext()
            let nested = Seen<Int>()
            let rig = try InputRig(context: context) { _, _, _ in nested.add(context.pump()) }
            for _ in 0..<3 { try rig.enqueue(frames: 10) }
            try rig.queue.start()
            rig.capture(0..<30)
            #expect(eventually { rig.queue.core.monitor.withLock { $0.items.isDeviceEmpty } })
            // The running property and three buffers.
            expectEqual(context.pump(), 4)
            expectEqual(nested.all, [0, 0, 0])
        }

        @Test("a refused callback is requested again afterwards")
        func asksAgain() throws {
            let context = PumpedContext()
            let seen = Seen<Int>()
            let rig = try InputRig(context: context) { _, _, _ in seen.add(context.scheduled) }
            for _ in 0..<2 { try rig.enqueue(frames: 10) }
            try rig.queue.start()
            rig.capture(0..<20)
            #expect(eventually { rig.queue.core.monitor.withLock { $0.items.isDeviceEmpty } })
            context.pumpOnce()
            context.pumpOnce()
            let before = try #require(seen.all.first)
            #expect(context.scheduled > before)
        }

        @Test("packets are made while no callbacks run, as far as there are buffers")
        func encodes() throws {
            let context = PumpedContext()
            let rig = try EncodingRig(context: context)
            try rig.enqueue(buffers: 3, packets: 2)
            try rig.queue.start()
            rig.capture(0..<24)
            #expect(rig.waitForEncoder(frames: 24))
            #expect(eventually { rig.queue.core.monitor.withLock { $0.items.waiting.count < 3 } })
            #expect(rig.log.all.isEmpty)
            context.adoptThread()
            try rig.queue.stop(immediate: true)
            // 27 frames are 6 packets and 3 frames; the returned buffers are refused, so these get none.
            expectEqual(rig.log.all.count, 3)
            expectEqual(Array(rig.recorded.prefix(27)), EncodingTests.primed + counting(0..<21))
            #expect(!rig.queue.isRunning)
        }

        @Test("packets without a buffer are written to the next one at once")
        func lateBuffer() throws {
            let context = PumpedContext()
            let rig = try EncodingRig(context: context) { _, _, _ in }
            try rig.enqueue(buffers: 1, packets: 2)
            try rig.queue.start()
            rig.capture(0..<8)
            rig.capture(8..<16)
            #expect(rig.waitForEncoder(frames: 16))
            let isReturned = { (buffers: Int) -> Bool in
                eventually {
                    context.pump()
                    return rig.log.all.count == buffers
                }
            }
            #expect(isReturned(1))
            try rig.enqueue(buffers: 1, packets: 1)
            #expect(isReturned(2))
            expectEqual(rig.log.all.map(\.packets.count), [2, 1])
        }

        @Test("releasing the queue releases a context that was never pumped")
        func letGo() throws {
            let context = PumpedContext()
            do {
                let rig = try InputRig(context: context)
                try rig.enqueue(frames: 10)
                try rig.queue.start()
                rig.capture(0..<10)
                #expect(!context.isIdle)
                withExtendedLifetime(rig) {}
            }
            #expect(eventually { liveQueues == 0 })
            #expect(context.isIdle)
            #expect(eventually { liveBuffers == 0 })
            #expect(eventually { liveThreads == 0 })
        }
    }
}
