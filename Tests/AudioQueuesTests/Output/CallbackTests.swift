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
    @Suite("Callbacks") struct CallbackTests {
        @Test("stop at once in a callback returns, and the other callbacks follow")
        func stopInCallback() throws {
            let after = Seen<QueueError.Code?>()
            let calls = Atomic<Int>(0)
            let rig = try Rig { queue, buffer in
                if calls.add(1, ordering: .relaxed).newValue == 1 {
                    do throws(QueueError) { try queue.stop(immediate: true) } catch { after.add(error.code) }
                }
                do throws(QueueError) {
                    try queue.enqueue(buffer)
                    after.add(nil)
                } catch {
                    after.add(error.code)
                }
            }
            for index in 0..<5 { try rig.enqueue(frames: 10, from: 1 + index * 10) }
            try rig.startAndWait()
            rig.render(10)
            #expect(eventually { rig.log.count == 5 && after.all.count == 5 })
            expectEqual(after.all, Array(repeating: .enqueueDuringReset, count: 5))
            #expect(eventually { !rig.queue.isRunning })
            #expect(eventually { rig.queue.core.monitor.withLock { !$0.delivery.isRefusing } })
            try rig.queue.enqueue(try #require(rig.log.all.first))
        }

        @Test("stop and start in a callback plays what that callback enqueues")
        func restartInCallback() throws {
            let calls = Atomic<Int>(0)
            let rig = try Rig { queue, buffer in
                guard calls.add(1, ordering: .relaxed).newValue == 1 else { return }
                do {
                    try queue.stop(immediate: true)
                    try queue.start()
                    buffer.fill(frames: 10, from: 700)
                    try queue.enqueue(buffer)
                } catch {
                    Issue.record("\(error)")
                }
            }
            for index in 0..<3 { try rig.enqueue(frames: 10, from: 1 + index * 10) }
            try rig.startAndWait()
            rig.render(10)
            #expect(eventually { rig.log.count == 3 })
            expectEqual(rig.render(10), counting(700..<710))
        }

        @Test("dispose in a callback ends the queue, and no callback follows", arguments: [true, false])
        func disposeInCallback(immediate: Bool) throws {
            let rig = try Rig { queue, buffer in
                try? queue.dispose(immediate: immediate)
                buffer.byteCount = 1  // The buffer is valid until its callback returns.
            }
            for index in 0..<3 { try rig.enqueue(frames: 10, from: 1 + index * 10) }
            try rig.startAndWait()
            _ = rig.render(step: 10) { rig.device.openStreams == 0 }
            expectEqual(rig.log.count, 1)
            #expect(eventually { liveBuffers == 0 })
        }

        @Test("the last reference may be released in a callback")
        func letGoInCallback() throws {
            final class Owner: Sendable { let queue = Monitor<OutputQueue?>(nil) }
            let owner = Owner()
            let device = ManualDevice()
            owner.queue.withLock {
                $0 = try? OutputQueue(
                    format: .signedInteger(bits: 16, channels: 1, sampleRate: 48000), device: device
                ) { _, _ in
                    let last = owner.queue.withLock { $0.take() }
                    withExtendedLifetime(last) {}
                }
            }
            let make = { () throws -> Void in
                let queue = try #require(owner.queue.withLock { $0 })
                let buffer = try queue.allocateBuffer(byteCapacity: 20)
                buffer.fill(frames: 10, from: 1)
                try queue.enqueue(buffer)
                try queue.start()
            }
            try make()
            let isGone = eventually {
                device.render(frames: 10)
                return device.openStreams == 0
            }
            #expect(isGone)
            #expect(eventually { liveQueues == 0 })
            #expect(eventually { liveThreads == 0 })
        }

        @Test("two queues may stop each other from their callbacks")
        func stopEachOther() throws {
            final class Pair: Sendable { let queues = Monitor<[OutputQueue]>([]) }
            for round in 0..<20 {
                let pair = Pair()
                let stopOthers: @Sendable (OutputQueue, QueueBuffer) -> Void = { queue, _ in
                    for other in pair.queues.withLock({ $0 }) where other !== queue {
                        try? other.stop(immediate: true)
                    }
                }
                let rigs = [try Rig(onBufferDone: stopOthers), try Rig(onBufferDone: stopOthers)]
                pair.queues.withLock { $0 = rigs.map(\.queue) }
                for rig in rigs {
                    for _ in 0..<3 { try rig.enqueue(frames: 10, from: 1) }
                    try rig.startAndWait()
                }
                let began = aq_host_time()
                for rig in rigs { rig.render(10) }
                #expect(eventually { rigs.allSatisfy { $0.log.count == 3 && !$0.queue.isRunning } })
                #expect(aq_host_time() - began < 1_900_000_000, "round \(round)")
                pair.queues.withLock { $0 = [] }
            }
        }

        @Test("a callback that needs the stopper's lock delays the stop by two seconds, and no call after it")
        func stopUnderALockThatACallbackNeeds() throws {
            let lock = Monitor<Int>(0)
            let isWaiting = Atomic<Bool>(false)
            let rig = try Rig { _, _ in
                isWaiting.store(true, ordering: .releasing)
                lock.withLock { $0 += 1 }
            }
            for index in 0..<3 { try rig.enqueue(frames: 10, from: 1 + index * 10) }
            try rig.startAndWait()
            let began = aq_host_time()
            let stopped = try lock.withLock { _ in
                rig.render(10)
                #expect(eventually { isWaiting.load(ordering: .acquiring) })
                try rig.queue.stop(immediate: true)
                let stopped = aq_host_time()
                try rig.queue.stop(immediate: true)
                return stopped
            }
            let seconds = Double(stopped - began) / 1e9
            #expect((1.9...10).contains(seconds))
            #expect(aq_host_time() - stopped < 1_900_000_000)
            #expect(eventually { rig.log.count == 3 })
        }

        @Test("a callback whose wait timed out does not delay the disposal")
        func disposeAfterAStopInVain() throws {
            let lock = Monitor<Int>(0)
            let isWaiting = Atomic<Bool>(false)
            let rig = try Rig { _, _ in
                isWaiting.store(true, ordering: .releasing)
                lock.withLock { $0 += 1 }
            }
            try rig.enqueue(frames: 10, from: 1)
            try rig.startAndWait()
            let disposalNanoseconds = try lock.withLock { _ in
                rig.render(10)
                #expect(eventually { isWaiting.load(ordering: .acquiring) })
                try rig.queue.stop(immediate: true)
                let stopped = aq_host_time()
                try rig.queue.dispose(immediate: true)
                return aq_host_time() - stopped
            }
            #expect(disposalNanoseconds < 1_900_000_000)
            // The memory stays valid while the callback may use it.
            #expect(eventually { liveBuffers == 0 })
        }

        @Test("a stop that slow callbacks outlast gives up none: the disposal waits for the one that runs")
        func disposeAfterSlowCallbacks() throws {
            let begun = Atomic<Int>(0)
            let ended = Atomic<Int>(0)
            let rig = try Rig { _, _ in
                begun.add(1, ordering: .relaxed)
                usleep(900_000)
                ended.add(1, ordering: .releasing)
            }
            for index in 0..<4 { try rig.enqueue(frames: 10, from: 1 + index * 10) }
            try rig.startAndWait()
            try rig.queue.stop(immediate: true)
            try rig.queue.dispose(immediate: true)
            let (countBegun, countEnded) = (begun.load(ordering: .relaxed), ended.load(ordering: .acquiring))
            expectEqual(countBegun, countEnded)
            #expect(countBegun >= 3)
        }

        @Test("a listener that needs the stopper's lock does not delay the stop")
        func stopUnderALockThatAListenerNeeds() throws {
            let lock = Monitor<Int>(0)
            let rig = try Rig()
            try rig.enqueue(frames: 10, from: 1)
            try rig.startAndWait()
            #expect(eventually { rig.queue.core.monitor.withLock { $0.delivery.done == 1 } })
            try rig.queue.addListener(for: .isRunning) { _ in lock.withLock { $0 += 1 } }
            let began = aq_host_time()
            try lock.withLock { _ in try rig.queue.stop(immediate: true) }
            #expect(aq_host_time() - began < 1_900_000_000)
            #expect(eventually { lock.withLock { $0 } == 1 })
        }

        @Test("a slow callback of one queue does not delay another's")
        func slowNeighbour() throws {
            let isBlocked = Atomic<Bool>(true)
            let slow = try Rig { _, _ in _ = eventually { !isBlocked.load(ordering: .acquiring) } }
            let quick = try Rig()
            for rig in [slow, quick] {
                for index in 0..<10 { try rig.enqueue(frames: 10, from: 1 + index * 10) }
                try rig.startAndWait()
            }
            slow.render(100)
            quick.render(100)
            #expect(eventually(within: 1) { quick.log.count == 10 })
            isBlocked.store(false, ordering: .releasing)
            #expect(eventually { slow.log.count == 10 })
        }

        @Test("an immediate dispose waits for the running callback, and none follows")
        func disposeWaits() throws {
            let isInside = Atomic<Bool>(false)
            let rig = try Rig { _, buffer in
                isInside.store(true, ordering: .sequentiallyConsistent)
                usleep(50_000)
                buffer.byteCount = 1
                isInside.store(false, ordering: .sequentiallyConsistent)
            }
            for index in 0..<4 { try rig.enqueue(frames: 10, from: 1 + index * 10) }
            try rig.startAndWait()
            rig.render(30)
            #expect(eventually { isInside.load(ordering: .sequentiallyConsistent) })
            try rig.queue.dispose(immediate: true)
            let isStillInside = isInside.load(ordering: .sequentiallyConsistent)
            #expect(!isStillInside)
            rig.render(30)
            #expect(eventually { liveThreads == 0 })
            expectEqual(rig.log.count, 1)
        }

        @Test(
            "an asynchronous dispose does not wait for a long callback, whose buffer stays valid",
            arguments: [1, 4])
        func disposeDoesNotWait(buffers: Int) throws {
            let isInside = Atomic<Bool>(false)
            let mayReturn = Atomic<Bool>(false)
            let rig = try Rig { _, buffer in
                isInside.store(true, ordering: .sequentiallyConsistent)
                #expect(eventually { mayReturn.load(ordering: .sequentiallyConsistent) })
                buffer.byteCount = 1
            }
            for index in 0..<buffers { try rig.enqueue(frames: 10, from: 1 + index * 10) }
            try rig.startAndWait()
            rig.render(20)
            #expect(eventually { isInside.load(ordering: .sequentiallyConsistent) })
            let calledAt = aq_host_time()
            try rig.queue.dispose(immediate: false)
            #expect(aq_host_time() - calledAt < 300_000_000)
            rig.render(30)
            expectEqual(liveBuffers, buffers)
            mayReturn.store(true, ordering: .sequentiallyConsistent)
            #expect(eventually { liveThreads == 0 })
            #expect(eventually { liveBuffers == 0 })
            expectEqual(rig.log.count, 1)
        }

        @Test("a token of another queue removes no listener")
        func tokenOfOtherQueue() throws {
            let (rig, other) = (try Rig(), try Rig())
            let changes = Seen<Bool>()
            try rig.queue.addListener(for: .isRunning) { changes.add($0.isRunning) }
            rig.queue.removeListener(try other.queue.addListener(for: .isRunning) { _ in })
            try rig.startAndWait()
            #expect(eventually { changes.all == [true] })
        }

        @Test("a removed listener is not called")
        func removedListener() throws {
            let rig = try Rig()
            let kept = Seen<Bool>()
            let removed = Seen<Bool>()
            let token = try rig.queue.addListener(for: .isRunning) { removed.add($0.isRunning) }
            try rig.queue.addListener(for: .isRunning) { kept.add($0.isRunning) }
            rig.queue.removeListener(token)
            rig.queue.removeListener(token)
            try rig.startAndWait()
            #expect(eventually { kept.all == [true] })
            #expect(removed.all.isEmpty)
        }

        @Test("callbacks have a named thread, and CallbackScope recognises it")
        func threadName() throws {
            let names = Seen<String>()
            let scopes = Seen<Bool>()
            let rig = try Rig { _, _ in
                names.add(ThreadStatus.ofThisThread.name)
                scopes.add(CallbackScope.isCurrent)
            }
            try rig.enqueue(frames: 1, from: 1)
            try rig.startAndWait()
            rig.render(1)
            #expect(eventually { names.all == ["aq callbacks"] && scopes.all == [true] })
            #expect(!CallbackScope.isCurrent)
        }
    }
}
