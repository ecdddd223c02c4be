// SPDX-License-Identifier: MIT

import AQDevices
import AQExpectations
import AudioQueues
import CoreAudioTypes
import Foundation
import AQSoundHarness
import Synchronization
import AQTestTraits
import Testing

@Suite(
    "Callbacks on the thread that feeds the server", .serialized, .alone, .timeLimit(.minutes(3)))
struct ServingThreadTests {
    private let server: PulseServer

    init() throws { server = try PulseServer() }

    /// Three buffers of 10 ms, which each callback enqueues again after `body`.
    private func makeQueue(_ body: @escaping @Sendable (OutputQueue) -> Void) throws -> OutputQueue {
        let queue = try OutputQueue(
            format: .float(channels: 2, sampleRate: 48000),
            device: PulseDevice(server: "unix:\(server.socketPath)"),
            configuration: OutputQueue.Configuration(latency: .buffers)
        ) { queue, buffer in
            body(queue)
            // Refused from the stop on.
            try? queue.enqueue(buffer)
        }
        for _ in 0..<3 {
            let buffer = try queue.allocateBuffer(byteCapacity: 480 * 8)
            buffer.byteCount = buffer.byteCapacity
            try queue.enqueue(buffer)
        }
        return queue
    }

    private final class Calls: Sendable {
        private let number = Atomic<Int>(0)
        var count: Int { number.load(ordering: .acquiring) }
        /// - Returns: The number of calls so far, this one included.
        @discardableResult
        func add() -> Int { number.add(1, ordering: .acquiringAndReleasing).newValue }
    }

    /// The calling thread's name.
    private static var threadName: String {
        let name = try? String(contentsOfFile: "/proc/thread-self/comm", encoding: .utf8)
        return name?.trimmingCharacters(in: .newlines) ?? ""
    }

    @Test("eight queues of the lowest latency have it, the next has a thread of its own until one ends")
    func eight() throws {
        let names = Mutex<[Int: String]>([:])
        var queues: [OutputQueue] = []
        func add(_ number: Int) throws {
            let queue = try makeQueue { _ in names.withLock { $0[number] = ServingThreadTests.threadName } }
            queues.append(queue)
            try queue.start()
            try #require(HostClock.poll(upToSeconds: 10) { names.withLock { $0[number] != nil } })
        }
        for number in 0..<9 { try add(number) }
        #expect(names.withLock { names in (0..<8).allSatisfy { names[$0] == "aq pulse" } })
        expectEqual(names.withLock { $0[8] }, "aq callbacks")
        try queues[0].dispose(immediate: true)
        let connections = OwnThreads.loops.count
        // The end of its service is an event on its own thread.
        let isFree = try HostClock.poll(upToSeconds: 10) {
            let number = queues.count
            try add(number)
            return names.withLock { $0[number] } == "aq pulse"
        }
        #expect(isFree)
        // It has the connection of the one that ended.
        expectEqual(OwnThreads.loops.count, connections)
        for queue in queues.dropFirst() { try queue.dispose(immediate: true) }
    }

    @Test("a callback that blocks delays no other queue, and its own resumes when it returns")
    func blocks() throws {
        let isBlocked = Atomic<Bool>(true)
        let (slowCalls, quickCalls) = (Calls(), Calls())
        let slow = try makeQueue { _ in
            slowCalls.add()
            _ = HostClock.poll(upToSeconds: 20) { !isBlocked.load(ordering: .acquiring) }
        }
        let quick = try makeQueue { _ in quickCalls.add() }
        try slow.start()
        try #require(HostClock.poll(upToSeconds: 10) { slowCalls.count == 1 })
        try quick.start()
        #expect(HostClock.poll(upToSeconds: 10) { quickCalls.count >= 20 })
        isBlocked.store(false, ordering: .releasing)
        #expect(HostClock.poll(upToSeconds: 10) { slowCalls.count >= 20 })
        for queue in [slow, quick] { try queue.dispose(immediate: true) }
    }

    @Test("a stop in a callback returns soon, and the other callbacks follow")
    func stopInCallback() throws {
        let calls = Calls()
        let stopped = Mutex<Double?>(nil)
        let queue = try makeQueue { queue in
            guard calls.add() == 5 else { return }
            let began = HostClock.now
            try? queue.stop(immediate: true)
            stopped.withLock { $0 = Double(HostClock.now - began) / 1e9 }
        }
        try queue.start()
        #expect(HostClock.poll(upToSeconds: 10) { !queue.isRunning && calls.count >= 7 })
        #expect(try #require(stopped.withLock { $0 }) < 1)
        #expect(remains(forSeconds: 0.1) { (7...8).contains(calls.count) })
        try queue.dispose(immediate: true)
    }

    @Test("a stop beside a callback that blocks takes two seconds, and ends when it returns")
    func stopBesideBlockedCallback() throws {
        let isBlocked = Atomic<Bool>(true)
        let calls = Calls()
        let queue = try makeQueue { _ in
            calls.add()
            _ = HostClock.poll(upToSeconds: 20) { !isBlocked.load(ordering: .acquiring) }
        }
        try queue.start()
        try #require(HostClock.poll(upToSeconds: 10) { calls.count == 1 })
        let began = HostClock.now
        try queue.stop(immediate: true)
        #expect((1.9...4).contains(Double(HostClock.now - began) / 1e9))
        isBlocked.store(false, ordering: .releasing)
        #expect(HostClock.poll(upToSeconds: 10) { !queue.isRunning && calls.count == 3 })
        try queue.dispose(immediate: true)
    }

    @Test("queues may stop each other in their callbacks at the same time")
    func stopEachOther() throws {
        let queues = Mutex<[OutputQueue]>([])
        let (waiting, stops) = (Calls(), Calls())
        let stopOther: @Sendable (OutputQueue) -> Void = { queue in
            guard let other = queues.withLock({ $0.first { $0 !== queue } }), waiting.count < 2 else {
                return
            }
            waiting.add()
            _ = HostClock.poll(upToSeconds: 5) { waiting.count == 2 }
            try? other.stop(immediate: true)
            stops.add()
        }
        let both = [try makeQueue(stopOther), try makeQueue(stopOther)]
        for queue in both { try queue.start() }
        try #require(HostClock.poll(upToSeconds: 10) { both.allSatisfy { $0.isRunning } })
        let began = HostClock.now
        queues.withLock { $0 = both }
        #expect(HostClock.poll(upToSeconds: 10) { stops.count == 2 && both.allSatisfy { !$0.isRunning } })
        #expect(Double(HostClock.now - began) / 1e9 < 1.9)
        queues.withLock { $0 = [] }
        for queue in both { try queue.dispose(immediate: true) }
    }

    @Test(
        "a callback that does not end loses real-time priority",
        .enabled(if: kernelGrantsRealTime, "needs the right to real-time priority"))
    func endless() throws {
        let policies = Mutex<[Int32]>([])
        let queue = try makeQueue { queue in
            let count = policies.withLock { policies in
                policies.append(sched_getscheduler(0) & ~0x4000_0000)
                return policies.count
            }
            guard count == 5 else { return }
            // The time of a call that waits does not count, and does not end the watch.
            try? queue.reset()
            let end = HostClock.now + 10_000_000_000
            while sched_getscheduler(0) & ~0x4000_0000 == SCHED_RR, HostClock.now < end {}
        }
        try queue.start()
        #expect(HostClock.poll(upToSeconds: 20) { policies.withLock { $0.count >= 20 } })
        let seen = policies.withLock { $0 }
        #expect(seen[1..<5].allSatisfy { $0 == SCHED_RR })
        #expect(seen[5...].allSatisfy { $0 == SCHED_OTHER })
        try queue.dispose(immediate: true)
    }
}
