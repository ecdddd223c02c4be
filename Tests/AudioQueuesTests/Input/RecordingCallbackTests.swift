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

extension AllTests {
    @Suite("Callbacks of a recording") struct RecordingCallbackTests {
        @Test("while a callback blocks, capture continues in the other buffers")
        func slowCallback() throws {
            let isBlocked = Atomic<Bool>(true)
            let rig = try InputRig { queue, buffer, _ in
                _ = eventually { !isBlocked.load(ordering: .acquiring) }
                try? queue.enqueue(buffer)
            }
            for _ in 0..<100 { try rig.enqueue(frames: 10) }
            try rig.startAndWait()
            for start in stride(from: 1, to: 1000, by: 37) { rig.capture(start..<min(1000, start + 37)) }
            #expect(rig.waitForCallbacks(1))
            expectEqual(rig.queue.lostFrameCount, 0)
            isBlocked.store(false, ordering: .releasing)
            #expect(rig.waitForCallbacks(100))
            expectEqual(rig.recorded, counting(0..<1000))
        }

        @Test("a blocking callback delays one reset, stop or dispose by two seconds, and none for ever")
        func boundedWaits() throws {
            let lock = Monitor<Int>(0)
            let isWaiting = Atomic<Bool>(false)
            let rig = try InputRig { _, _, _ in
                isWaiting.store(true, ordering: .releasing)
                lock.withLock { $0 += 1 }
            }
            for _ in 0..<5 { try rig.enqueue(frames: 10) }
            try rig.startAndWait()
            let seconds = try lock.withLock { _ -> [Double] in
                rig.capture(1..<10)
                #expect(eventually { isWaiting.load(ordering: .acquiring) })
                var began = aq_host_time()
                func lap() -> Double {
                    defer { began = aq_host_time() }
                    return Double(aq_host_time() - began) / 1e9
                }
                // These calls take their events themselves.
                try rig.queue.reset()
                let resetSeconds = lap()
                try rig.queue.enqueue(rig.queue.allocateBuffer(byteCapacity: 20))
                try rig.queue.stop(immediate: true)
                #expect(rig.queue.core.monitor.withLock { $0.resets.isEmpty && $0.items.isDeviceEmpty })
                let stopSeconds = lap()
                try rig.queue.dispose(immediate: true)
                return [resetSeconds, stopSeconds, lap()]
            }
            #expect((1.9...10).contains(seconds[0]))
            #expect(seconds.dropFirst().allSatisfy { $0 < 1.9 }, "\(seconds)")
            #expect(eventually { liveBuffers == 0 })
            #expect(eventually { liveThreads == 0 })
        }

        @Test("after a call took the events itself, the queue's thread takes them again")
        func takesOver() throws {
            let isBlocked = Atomic<Bool>(true)
            let rig = try InputRig { queue, buffer, _ in
                _ = eventually { !isBlocked.load(ordering: .acquiring) }
                try? queue.enqueue(buffer)
            }
            for _ in 0..<3 { try rig.enqueue(frames: 10) }
            try rig.startAndWait()
            rig.capture(1..<10)
            #expect(rig.waitForCallbacks(1))
            let waiting = ThreadStatus.ofThisThread
            try QueueThread.start(named: "release") {
                _ = eventually { waiting.isAsleep }
                isBlocked.store(false, ordering: .releasing)
            }
            try rig.queue.reset()
            expectEqual(rig.log.all.count, 3)
            for round in 0..<20 {
                let buffers = rig.log.all.count
                try rig.enqueue(frames: 10)
                rig.capture(0..<10)
                #expect(rig.waitForCallbacks(buffers + 1), "round \(round)")
            }
        }

        @Test("stop at once in a callback returns, and the other callbacks follow")
        func stopInCallback() throws {
            let after = Seen<QueueError.Code?>()
            let calls = Atomic<Int>(0)
            let rig = try InputRig { queue, buffer, _ in
                if calls.add(1, ordering: .relaxed).newValue == 1 {
                    do throws(QueueError) { try queue.stop(immediate: true) } catch { after.add(error.code) }
                    if queue.isRunning { after.add(.invalidRunState) }
                }
                do throws(QueueError) {
                    try queue.enqueue(buffer)
                    after.add(nil)
                } catch {
                    after.add(error.code)
                }
            }
            for _ in 0..<5 { try rig.enqueue(frames: 10) }
            try rig.startAndWait()
            rig.capture(1..<15)
            #expect(eventually { rig.log.all.count == 5 && after.all.count == 5 })
            expectEqual(after.all, Array(repeating: .enqueueDuringReset, count: 5))
            // The first callback may have run before or after the other five frames.
            expectEqual(rig.recorded, counting(0..<15))
            #expect(eventually { rig.queue.core.monitor.withLock { !$0.delivery.isRefusing } })
            try rig.queue.enqueue(try #require(rig.log.all.first).buffer)
        }

        @Test("stop and start in a callback records into what that callback enqueues")
        func restartInCallback() throws {
            let calls = Atomic<Int>(0)
            let rig = try InputRig { queue, buffer, _ in
                guard calls.add(1, ordering: .relaxed).newValue == 1 else { return }
                do {
                    try queue.stop(immediate: true)
                    try queue.start()
                    try queue.enqueue(buffer)
                } catch {
                    Issue.record("\(error)")
                }
            }
            for _ in 0..<3 { try rig.enqueue(frames: 10) }
            try rig.startAndWait()
            rig.capture(1..<10)
            #expect(rig.waitForCallbacks(3))
            rig.capture(70..<80)
            #expect(rig.waitForCallbacks(4))
            expectEqual(samples(rig.log.all[3].bytes), counting(70..<80))
            expectEqual(rig.log.all[3].info.sampleTime, 0)
        }

        @Test("reset in a callback allows it to enqueue at once")
        func resetInCallback() throws {
            let calls = Atomic<Int>(0)
            let rig = try InputRig { queue, buffer, _ in
                guard calls.add(1, ordering: .relaxed).newValue == 1 else { return }
                do {
                    try queue.reset()
                    try queue.enqueue(buffer)
                } catch {
                    Issue.record("\(error)")
                }
            }
            for _ in 0..<3 { try rig.enqueue(frames: 10) }
            try rig.startAndWait()
            rig.capture(1..<10)
            #expect(rig.waitForCallbacks(3))
            rig.capture(10..<20)
            #expect(rig.waitForCallbacks(4))
            expectEqual(rig.recorded, counting(0..<20))
        }

        @Test("dispose in a callback ends the queue, and no callback follows", arguments: [true, false])
        func disposeInCallback(immediate: Bool) throws {
            let rig = try InputRig { queue, buffer, _ in
                try? queue.dispose(immediate: immediate)
                buffer.byteCount = 1  // The buffer is valid until its callback returns.
            }
            for _ in 0..<3 { try rig.enqueue(frames: 10) }
            try rig.startAndWait()
            rig.capture(1..<30)
            #expect(eventually { rig.device.openStreams == 0 })
            #expect(eventually { liveBuffers == 0 })
            #expect(eventually { liveThreads == 0 })
            expectEqual(rig.log.all.count, 1)
        }

        @Test("the last reference may be released in a callback")
        func letGoInCallback() throws {
            final class Owner: Sendable { let queue = Monitor<InputQueue?>(nil) }
            let owner = Owner()
            let device = ManualSource()
            owner.queue.withLock {
                $0 = try? InputQueue(
                    format: .signedInteger(bits: 16, channels: 1, sampleRate: 48000), device: device
                ) { _, _, _ in
                    let last = owner.queue.withLock { $0.take() }
                    withExtendedLifetime(last) {}
                }
            }
            let begin = { () throws -> Void in
                let queue = try #require(owner.queue.withLock { $0 })
                try queue.enqueue(queue.allocateBuffer(byteCapacity: 20))
                try queue.start()
            }
            try begin()
            device.captureSilence(frames: 10)
            #expect(eventually { device.openStreams == 0 })
            #expect(eventually { liveQueues == 0 })
            #expect(eventually { liveThreads == 0 })
        }

        @Test("dispose waits for the running callback, and none follows")
        func disposeWaits() throws {
            let isInside = Atomic<Bool>(false)
            let rig = try InputRig { _, buffer, _ in
                isInside.store(true, ordering: .sequentiallyConsistent)
                usleep(50_000)
                buffer.byteCount = 1
                isInside.store(false, ordering: .sequentiallyConsistent)
            }
            for _ in 0..<4 { try rig.enqueue(frames: 10) }
            try rig.startAndWait()
            rig.capture(1..<30)
            #expect(eventually { isInside.load(ordering: .sequentiallyConsistent) })
            try rig.queue.dispose(immediate: true)
            expectEqual(isInside.load(ordering: .sequentiallyConsistent), false)
            expectEqual(liveBuffers, 0)
            #expect(eventually { liveThreads == 0 })
            expectEqual(rig.log.all.count, 1)
        }

        @Test("an asynchronous dispose does not wait for a long callback, whose buffer stays valid")
        func disposeDoesNotWait() throws {
            let isInside = Atomic<Bool>(false)
            let mayReturn = Atomic<Bool>(false)
            let rig = try InputRig { _, buffer, _ in
                isInside.store(true, ordering: .sequentiallyConsistent)
                #expect(eventually { mayReturn.load(ordering: .sequentiallyConsistent) })
                buffer.byteCount = 1
            }
            for _ in 0..<2 { try rig.enqueue(frames: 10) }
            try rig.startAndWait()
            rig.capture(1..<15)
            #expect(eventually { isInside.load(ordering: .sequentiallyConsistent) })
            let calledAt = aq_host_time()
            try rig.queue.dispose(immediate: false)
            #expect(aq_host_time() - calledAt < 300_000_000)
            #expect(liveBuffers > 0)
            mayReturn.store(true, ordering: .sequentiallyConsistent)
            #expect(eventually { liveBuffers == 0 })
            #expect(eventually { liveThreads == 0 })
            expectEqual(rig.log.all.count, 1)
        }

        @Test("two queues may stop each other from their callbacks")
        func stopEachOther() throws {
            final class Pair: Sendable { let queues = Monitor<[InputQueue]>([]) }
            for round in 0..<20 {
                let pair = Pair()
                let stopOthers: InputRig.Callback = { queue, _, _ in
                    for other in pair.queues.withLock({ $0 }) where other !== queue {
                        try? other.stop(immediate: true)
                    }
                }
                let rigs = [
                    try InputRig(onBufferFilled: stopOthers), try InputRig(onBufferFilled: stopOthers),
                ]
                pair.queues.withLock { $0 = rigs.map(\.queue) }
                for rig in rigs {
                    for _ in 0..<3 { try rig.enqueue(frames: 10) }
                    try rig.startAndWait()
                }
                let began = aq_host_time()
                for rig in rigs { rig.capture(1..<10) }
                #expect(eventually { rigs.allSatisfy { $0.log.all.count == 3 && !$0.queue.isRunning } })
                #expect(aq_host_time() - began < 1_900_000_000, "round \(round)")
                pair.queues.withLock { $0 = [] }
            }
        }

        @Test("a buffer that was just returned may be freed in its callback")
        func freeInCallback() throws {
            let rig = try InputRig { queue, buffer, _ in try? queue.free(buffer) }
            for _ in 0..<3 { try rig.enqueue(frames: 10) }
            try rig.startAndWait()
            rig.capture(1..<30)
            #expect(rig.waitForCallbacks(3))
            #expect(eventually { liveBuffers == 0 })
        }

        @Test("callbacks run on one named thread, which sleeps without audio")
        func thread() throws {
            let threads = Seen<ThreadStatus>()
            let rig = try InputRig { _, _, _ in threads.add(.ofThisThread) }
            for _ in 0..<2 { try rig.enqueue(frames: 1) }
            try rig.startAndWait()
            rig.capture(1..<2)
            #expect(eventually { threads.all.count == 2 })
            expectEqual(threads.all[0], threads.all[1])
            expectEqual(threads.all[0].name, "aq callbacks")
            expectEqual(liveThreads, 1)
            // Spurious wake-ups are limited by the number of simultaneous events.
            let before = threads.all[0].waits
            usleep(200_000)
            #expect(threads.all[0].waits - before < 10)
        }
    }
}
