import Testing

@testable import AudioDevices

@Suite struct StreamFeedTests {
    @Test("a ring gives back what was put in, at every position of its seam", arguments: [1, 2, 4, 8])
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
                #expect(take() == value)
            }
            for value in 0..<capacity { #expect(put(value)) }
            #expect(!put(99))
            for value in 0..<capacity { #expect(take() == value) }
            #expect(take() == nil)
        }
    }

    @Test("a full feed refuses a segment until a notice was taken")
    func capacity() {
        let feed = StreamFeed()
        let segment = unsafe StreamSegment(base: nil, byteCount: 0, token: 1)
        for _ in 0..<StreamFeed.segmentCapacity { #expect(feed.enqueue(segment)) }
        #expect(!feed.enqueue(segment))
        var taken = unsafe StreamSegment(base: nil, byteCount: 0, token: 0)
        #expect(feed.takeSegment(&taken))
        #expect(!feed.enqueue(segment))
        feed.post(.segmentDone, token: taken.token)
        #expect(feed.nextNotice() == DeviceNotice(.segmentDone, token: 1))
        #expect(feed.enqueue(segment))
    }

    @Test("waiting ends at a notice, at a wake-up and at the deadline")
    func waiting() {
        let feed = StreamFeed()
        feed.post(.started)
        feed.waitForNotice()
        #expect(feed.nextNotice()?.kind == .started)
        feed.wake()
        feed.waitForNotice()
        #expect(feed.nextNotice() == nil)
        feed.waitForNotice(until: 1)
    }

    @Test("the first failure is the one that is told")
    func failure() {
        let feed = StreamFeed()
        feed.fail(DeviceError(.connectionLost, "first"))
        feed.fail(DeviceError(.refused, "second"))
        #expect(feed.failure?.message == "first")
        feed.clearFailure()
        #expect(feed.failure == nil)
    }
}
