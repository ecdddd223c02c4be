import AudioDevices
import CRealTime
import Glibc
import Synchronization
import Testing
import TestSupport

@testable import AudioQueues

extension AllTests {
    @Suite("Threads that queues share") struct SharedThreadsTests {
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

        @Test("a hundred queues share a few threads, and the last queue ends them")
        func fewThreads() throws {
            let rigs = try makeQueues(100)
            for rig in rigs { rig.render(10) }
            #expect(eventually { rigs.allSatisfy { $0.log.count == 1 } })
            #expect((2...4).contains(liveThreads))
            for rig in rigs.dropLast() { try rig.queue.dispose(immediate: true) }
            rigs[99].render(20)
            #expect(eventually { rigs[99].log.count == 3 })
            #expect(liveThreads >= 1)
            try rigs[99].queue.dispose(immediate: true)
            #expect(eventually { liveThreads == 0 })
        }

        @Test("callbacks that block delay no other queue, and their threads end when they return")
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
                let began = aq_host_time()
                quick.render(10)
                #expect(eventually(within: 1) { quick.log.count == count })
                // Much longer than the permitted wait, for a busy machine.
                #expect(aq_host_time() - began < 25 * SharedThreads.longestWaitNanoseconds)
            }
            #expect(liveThreads > 10)
            isBlocked.store(false, ordering: .releasing)
            #expect(eventually { slow.allSatisfy { $0.log.count == 1 } && liveThreads <= 4 })
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

        @Test("long callbacks that do not block run on more than one thread")
        func busyCallbacks() throws {
            let threads = Seen<pthread_t>()
            let rigs = try makeQueues(40) { _ in
                threads.add(pthread_self())
                let end = aq_host_time() + 1_000_000
                while aq_host_time() < end {}
            }
            for _ in 0..<3 { for rig in rigs { rig.render(10) } }
            #expect(eventually { rigs.allSatisfy { $0.log.count == 3 } })
            #expect(Set(threads.all).count >= 2)
        }

        @Test("queues are made and disposed of while the last of others ends")
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
