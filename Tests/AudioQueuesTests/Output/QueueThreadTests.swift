// SPDX-License-Identifier: MIT

import AQDevices
import AQExpectations
import CAQRealTime
import Glibc
import Synchronization
import Testing
import AQTestSupport

@testable import AudioQueues

extension AllTests {
    @Suite("Threads of queues") struct QueueThreadTests {
        /// Queues with three buffers each, which play.
        private func makeQueues(
            _ count: Int, _ onBufferDone: @escaping @Sendable (Int) -> Void = { _ in }
        ) throws -> [Rig] {
            try (0..<count).map { number in
                let rig = try Rig { _, _ in onBufferDone(number) }
                for index in 0..<3 { try rig.enqueue(frames: 10, from: 1 + index * 10) }
                try rig.startAndWait()
                return rig
            }
        }

        /// A queue of three buffers, in its first callback, which waits for `mayReturn`.
        private func makeBlockedQueue(until mayReturn: @escaping @Sendable () -> Bool) throws -> Rig {
            let calls = Atomic<Int>(0)
            let rig = try Rig { _, _ in
                calls.add(1, ordering: .relaxed)
                _ = eventually { mayReturn() }
            }
            for index in 0..<3 { try rig.enqueue(frames: 10, from: 1 + index * 10) }
            try rig.startAndWait()
            rig.render(10)
            #expect(eventually { calls.load(ordering: .relaxed) == 1 })
            return rig
        }

        @Test("each queue has one, which ends with it")
        func onePerQueue() throws {
            let rigs = try makeQueues(30)
            for rig in rigs { rig.render(10) }
            #expect(eventually { rigs.allSatisfy { $0.log.count == 1 } })
            expectEqual(liveThreads, 30)
            for rig in rigs.dropLast() { try rig.queue.dispose(immediate: true) }
            #expect(eventually { liveThreads == 1 })
            rigs[29].render(20)
            #expect(eventually { rigs[29].log.count == 3 })
            try rigs[29].queue.dispose(immediate: true)
            #expect(eventually { liveThreads == 0 })
        }

        @Test("callbacks that block delay those of no other queue")
        func blockedCallbacks() throws {
            let isBlocked = Atomic<Bool>(true)
            let blocked = Atomic<Int>(0)
            let slow = try makeQueues(10) { _ in
                blocked.add(1, ordering: .relaxed)
                _ = eventually { !isBlocked.load(ordering: .acquiring) }
            }
            let quick = try Rig()
            for index in 0..<20 { try quick.enqueue(frames: 10, from: 1 + index * 10) }
            try quick.startAndWait()
            for rig in slow { rig.render(10) }
            #expect(eventually(within: 1) { blocked.load(ordering: .relaxed) == 10 })
            for count in 1...20 {
                quick.render(10)
                #expect(eventually(within: 1) { quick.log.count == count })
            }
            isBlocked.store(false, ordering: .releasing)
            #expect(eventually { slow.allSatisfy { $0.log.count == 1 } })
        }

        @Test("a stop returns the buffers beside a callback that blocks, and their callbacks follow")
        func stopBesideABlockedCallback() throws {
            let isBlocked = Atomic<Bool>(true)
            let rig = try makeBlockedQueue { !isBlocked.load(ordering: .acquiring) }
            // It waits two seconds for the callback, but not for the device.
            try rig.queue.stop(immediate: true)
            #expect(!rig.queue.isRunning)
            #expect(rig.queue.core.monitor.withLock { $0.resets.isEmpty && $0.items.isEmpty })
            isBlocked.store(false, ordering: .releasing)
            #expect(eventually { rig.log.count == 3 })
            try rig.queue.dispose(immediate: true)
            #expect(eventually { liveThreads == 0 })
        }

        @Test("calls that wait beside a callback take the device's events, and use no processor")
        func waitBesideABlockedCallback() throws {
            let isBlocked = Atomic<Bool>(true)
            let rig = try makeBlockedQueue { !isBlocked.load(ordering: .acquiring) }
            try rig.queue.stop(immediate: true)
            let began = aq_host_time()
            try rig.enqueue(frames: 10, from: 1)
            try rig.queue.start()
            try rig.queue.core.awaitStart()
            #expect(aq_host_time() - began < 1_000_000_000)
            // A callback that was awaited before is not awaited again, but the device is.
            let before = ThreadTime.now
            rig.queue.core.wait(until: aq_host_time() + 500_000_000) { _ in true }
            try rig.queue.dispose(immediate: true)
            rig.queue.core.wait(until: aq_host_time() + 500_000_000) { _ in true }
            #expect(ThreadTime.now - before < 300_000_000)
            isBlocked.store(false, ordering: .releasing)
            #expect(eventually { liveThreads == 0 })
        }

        @Test("callbacks may wait for those of other queues")
        func chain() throws {
            let count = 12
            let reached = Atomic<Int>(count)
            // Each ends after the next, and the last begins.
            let rigs = try makeQueues(count) { number in
                guard eventually({ reached.load(ordering: .acquiring) == number + 1 }) else { return }
                reached.store(number, ordering: .releasing)
            }
            for rig in rigs { rig.render(10) }
            #expect(eventually { reached.load(ordering: .acquiring) == 0 })
            #expect(eventually { rigs.allSatisfy { $0.log.count == 1 } })
        }

        @Test("queues come and go while the last of others ends")
        func comeAndGo() throws {
            for _ in 0..<200 {
                let rig = try Rig()
                try rig.enqueue(frames: 10, from: 1)
                try rig.startAndWait()
                rig.render(10)
                #expect(eventually { rig.log.count == 1 })
                try rig.queue.dispose(immediate: true)
            }
            #expect(eventually { liveThreads == 0 })
            #expect(eventually { liveQueues == 0 })
        }
    }
}

/// The processor time of the calling thread, in nanoseconds.
private enum ThreadTime {
    static var now: Int {
        var time = timespec()
        unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return time.tv_sec * 1_000_000_000 + time.tv_nsec
    }
}
