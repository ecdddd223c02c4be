import CRealTime
import Testing

@testable import AudioDevices

@Suite struct RealTimeGuardTests {
    private let millisecond: UInt64 = 1_000_000
    private let start: UInt64 = 5_000_000_000

    @Test("turns without a wait are too much after 75 ms, however short they are", arguments: [1, 10, 24])
    func neverWaits(turnMilliseconds: UInt64) {
        var guarding = RealTimeGuard(PriorityRequest(.realTime, thread: 1))
        var now = start
        while !guarding.isOverworked(at: now, waits: 7), now < start + 1000 * millisecond {
            now += turnMilliseconds * millisecond
        }
        #expect(now >= start + 75 * millisecond)
        #expect(now <= start + 125 * millisecond)
    }

    @Test("one wait in 50 ms is enough")
    func waitsSometimes() {
        var guarding = RealTimeGuard(PriorityRequest(.realTime, thread: 1))
        for turn in 0..<1000 {
            let now = start + UInt64(turn) * millisecond
            let isOverworked = guarding.isOverworked(at: now, waits: turn / 50)
            #expect(!isOverworked)
        }
    }

    @Test("a long wait is no work")
    func longWait() {
        var guarding = RealTimeGuard(PriorityRequest(.realTime, thread: 1))
        let looks = [
            guarding.isOverworked(at: start, waits: 1),
            guarding.isOverworked(at: start + 60_000 * millisecond, waits: 2),
        ]
        #expect(looks == [false, false])
    }

    @Test("a thread that never waits runs as any other in the end, and says so")
    func givesBack() {
        let request = PriorityRequest(.realTime, thread: 1)
        request.settle(.granted)
        let isOver = Monitor(false)
        let status = DetachedThread.start(named: "guard test") {
            _ = aq_schedule_in_real_time(1)
            var guarding = RealTimeGuard(request)
            let end = aq_host_time() + 10_000_000_000
            while request.answer == .granted, aq_host_time() < end { guarding.didTurn(at: aq_host_time()) }
            isOver.withLock { $0 = true }
            isOver.notifyAll()
        }
        #expect(status == 0)
        #expect(isOver.wait(until: .max) { !$0 })
        #expect(request.answer == .givenBack)
    }
}
