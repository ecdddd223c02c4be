import AudioDevices
import CRealTime
import Glibc
import Testing
import TestSupport

@testable import AudioQueues

/// The calling thread's scheduling policy, without the flag that children get another.
private var policy: Int32 { sched_getscheduler(0) & ~0x4000_0000 }

private let kernelGrantsRealTime: Bool = {
    let granted = Monitor<Bool?>(nil)
    let status = DetachedThread.start(named: "priority test") {
        let isGranted = ThreadPriority.makeRealTimeForCallbacks().answer == .granted
        granted.withLock { $0 = isGranted }
        granted.notifyAll()
    }
    guard status == 0 else { return false }
    _ = granted.wait(until: .max) { $0 == nil }
    return granted.withLock { $0 } ?? false
}()

extension AllTests {
    @Suite("Priority of callbacks") struct CallbackPriorityTests {
        @Test(
            "callbacks run in real time if the buffers are the only latency",
            .enabled(if: kernelGrantsRealTime))
        func realTime() throws {
            for (latency, expected) in [(LatencyGoal.lowest, SCHED_RR), (.balanced, SCHED_OTHER)] {
                let seen = Seen<Int32>()
                let rig = try Rig(latency: latency) { _, _ in seen.add(policy) }
                try rig.enqueue(frames: 10, from: 1)
                try rig.startAndWait()
                rig.render(20)
                #expect(eventually { seen.all == [expected] })
            }
        }

        @Test(
            "callbacks of queues beyond the limit run as usual, and a queue that ends frees its slot",
            .enabled(if: kernelGrantsRealTime))
        func places() throws {
            let seen = Seen<Int32>()
            func makeQueue() throws -> Rig {
                let rig = try Rig(latency: .lowest) { _, _ in seen.add(policy) }
                let calls = seen.all.count
                try rig.enqueue(frames: 10, from: 1)
                try rig.startAndWait()
                rig.render(20)
                #expect(eventually { seen.all.count == calls + 1 })
                return rig
            }
            // Threads of earlier tests may still be ending.
            #expect(
                eventually {
                    let places = (0..<RealTimePlace.number).compactMap { _ in
                        QueueFamily.current.realTimePlaces.take()
                    }
                    return places.count == RealTimePlace.number
                })
            let rigs = try (0...RealTimePlace.number).map { _ in try makeQueue() }
            let expected = [Int32](repeating: SCHED_RR, count: RealTimePlace.number) + [SCHED_OTHER]
            #expect(seen.all == expected)
            try rigs[0].queue.dispose(immediate: true)
            #expect(eventually { QueueFamily.current.realTimePlaces.take() != nil })
            _ = try makeQueue()
            #expect(seen.all == expected + [SCHED_RR])
        }

        @Test(
            "a callback that does not return soon loses real-time priority for good",
            .enabled(if: kernelGrantsRealTime))
        func lasting() throws {
            let seen = Seen<Int32>()
            let calls = Seen<Int>()
            let rig = try Rig(latency: .lowest) { _, _ in
                calls.add(0)
                guard calls.all.count == 1 else { return seen.add(policy) }
                let end = aq_host_time() + 10_000_000_000
                while policy == SCHED_RR, aq_host_time() < end {}
                seen.add(policy)
            }
            for index in 0..<3 { try rig.enqueue(frames: 10, from: 1 + index * 10) }
            try rig.startAndWait()
            rig.render(10)
            // A used segment wakes the other thread.
            #expect(eventually { calls.all.count == 1 })
            rig.render(10)
            #expect(eventually(within: 9) { seen.all.first == SCHED_OTHER })
            rig.render(10)
            #expect(eventually { seen.all.count == 3 })
        }
    }
}
