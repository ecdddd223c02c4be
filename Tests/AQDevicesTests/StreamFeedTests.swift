// SPDX-License-Identifier: MIT

import AQExpectations
import CAQRealTime
import Synchronization
import Testing

@testable import AQDevices

@Suite struct StreamFeedTests {
    @Test("a ring returns its contents, at every position of its seam", arguments: [1, 2, 4, 8])
    func everyWrap(capacity: Int) {
        for start in 0..<2 * capacity {
            let indices = RingIndices(capacity: capacity)
            var slots = [Int](repeating: -1, count: capacity)
            func put(_ value: Int) -> Bool {
                let slot = indices.slotToWrite()
                if slot >= 0 { slots[slot] = value }
                if slot >= 0 { indices.didWrite() }
                return slot >= 0
            }
            func take() -> Int? {
                let slot = indices.slotToRead()
                if slot < 0 { return nil }
                defer { indices.didRead() }
                return slots[slot]
            }
            for value in 0..<start {
                #expect(put(value))
                expectEqual(take(), value)
            }
            for value in 0..<capacity { #expect(put(value)) }
            #expect(!put(99))
            for value in 0..<capacity { expectEqual(take(), value) }
            expectEqual(take(), nil)
        }
    }

    @Test("a full feed refuses a segment until an event was taken")
    func capacity() {
        let feed = StreamFeed()
        let segment = unsafe StreamSegment(base: nil, byteCount: 0, token: 1)
        for _ in 0..<StreamFeed.segmentCapacity { #expect(feed.enqueue(segment)) }
        #expect(!feed.enqueue(segment))
        var taken = unsafe StreamSegment(base: nil, byteCount: 0, token: 0)
        #expect(feed.takeSegment(&taken))
        #expect(!feed.enqueue(segment))
        feed.post(.segmentDone, token: taken.token)
        expectEqual(feed.nextEvent(), DeviceEvent(.segmentDone, token: 1))
        #expect(feed.enqueue(segment))
    }

    @Test("waiting ends at an event, at a wake-up and at the deadline")
    func waiting() {
        let feed = StreamFeed()
        feed.post(.started)
        feed.waitForEvent()
        expectEqual(feed.nextEvent()?.kind, .started)
        feed.wake()
        feed.waitForEvent()
        expectEqual(feed.nextEvent(), nil)
        feed.waitForEvent(until: 1)
    }

    @Test("several events wake once, and the next one after the last was taken wakes again")
    func wakeUps() {
        let feed = StreamFeed()
        for _ in 0..<3 { feed.post(.started) }
        feed.waitForEvent()
        let before = aq_host_time()
        feed.waitForEvent(until: before + 20_000_000)
        #expect(aq_host_time() >= before + 20_000_000, "a thread was woken for nothing")
        while feed.nextEvent() != nil {}
        feed.post(.started)
        feed.waitForEvent(until: before + 5_000_000_000)
        #expect(aq_host_time() < before + 5_000_000_000)
    }

    @Test("no event is missed, whenever it is posted")
    func racingEvents() {
        let feed = StreamFeed()
        let count = 200_000
        let reader = Reader(feed: feed)
        let status = DetachedThread.start(named: "poster") {
            for number in 0..<count {
                while number - reader.taken.load(ordering: .relaxed) >= 500 {}
                feed.post(.underran, token: UInt64(number))
                // So that the reader often has to wait.
                for _ in 0..<number % 64 { _ = feed.hasSegment }
            }
        }
        expectEqual(status, 0)
        reader.take(count)
    }

    @Test("there is room for every segment's event, however many others were posted")
    func reservedEvents() {
        let feed = StreamFeed()
        let segment = unsafe StreamSegment(base: nil, byteCount: 0, token: 0)
        for _ in 0..<StreamFeed.segmentCapacity { #expect(feed.enqueue(segment)) }
        while feed.droppedEvents == 0 { feed.post(.paused) }
        for token in 0..<StreamFeed.segmentCapacity { feed.post(.segmentDone, token: UInt64(token)) }
        expectEqual(feed.droppedEvents, 1)
        var tokens: [UInt64] = []
        while let event = feed.nextEvent() {
            if event.kind == .segmentDone { tokens.append(event.token) }
        }
        expectEqual(tokens, (0..<UInt64(StreamFeed.segmentCapacity)).map { $0 })
        expectEqual(feed.outstandingSegments, 0)
    }

    @Test("the first failure is the one that is reported")
    func failure() {
        let feed = StreamFeed()
        feed.fail(DeviceError(.connectionLost, "first"))
        feed.fail(DeviceError(.refused, "second"))
        expectEqual(feed.failure?.message, "first")
        feed.clearFailure()
        expectEqual(feed.failure, nil)
    }
}

/// Takes numbered events, and returns those without a wake-up.
private final class Reader: Sendable {
    let feed: StreamFeed
    let taken = Atomic<Int>(0)

    init(feed: StreamFeed) { self.feed = feed }

    func take(_ count: Int) {
        var next = 0
        while next < count {
            let limit = aq_host_time() + 2_000_000_000
            feed.waitForEvent(until: limit)
            guard aq_host_time() < limit else {
                Issue.record("no wake-up of the reader for event \(next)")
                return
            }
            while let event = feed.nextEvent() {
                guard event.token == UInt64(next) else {
                    Issue.record("event \(event.token) came in place of \(next)")
                    return
                }
                next += 1
                taken.store(next, ordering: .relaxed)
            }
        }
    }
}
