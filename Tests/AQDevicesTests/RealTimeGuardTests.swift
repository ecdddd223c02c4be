// SPDX-License-Identifier: MIT

import AQExpectations
import CAQRealTime
import Glibc
import Testing

@testable import AQDevices

@Suite struct RealTimeGuardTests {
    private let millisecond: UInt64 = 1_000_000
    private let start: UInt64 = 5_000_000_000

    @Test("work without a wait is too much after 75 ms, however short its parts are", arguments: [1, 10, 24])
    func neverWaits(turnMilliseconds: UInt64) {
        var guarding = RealTimeGuard(PriorityRequest(.realTime, thread: 1))
        var now = start
        while guarding.advice(at: now, waits: 7) != .giveBack, now < start + 1000 * millisecond {
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
            let advice = guarding.advice(at: now, waits: turn / 50)
            expectEqual(advice, .goOn)
        }
    }

    @Test("a long wait is not work")
    func longWait() {
        var guarding = RealTimeGuard(PriorityRequest(.realTime, thread: 1))
        let answers = [
            guarding.advice(at: start, waits: 1),
            guarding.advice(at: start + 60_000 * millisecond, waits: 2),
        ]
        expectEqual(answers, [.goOn, .goOn])
    }

    @Test("a thread that never waits loses its real-time priority, and reports it")
    func givesBack() {
        let request = PriorityRequest(.realTime, thread: 1)
        request.settle(.granted)
        let isOver = Monitor(false)
        let status = DetachedThread.start(named: "guard test") {
            _ = aq_schedule_in_real_time(1)
            var guarding = RealTimeGuard(request)
            let end = aq_host_time() + 10_000_000_000
            while request.answer == .granted, aq_host_time() < end {
                guarding.didTurn(at: aq_host_time())
            }
            isOver.withLock { $0 = true }
            isOver.notifyAll()
        }
        expectEqual(status, 0)
        #expect(isOver.wait(until: .max) { !$0 })
        expectEqual(request.answer, .givenBack)
    }

    @Test(
        "a thread that waits again for a second gets real-time priority again, and the next time after twice as long",
        .enabled(
            if: onOtherThread { aq_schedule_in_real_time(1) == 0 } == true,
            "needs the right to real-time priority"))
    func takesAgain() {
        let request = PriorityRequest(.realTime, thread: 1)
        let pauses = onOtherThread { [millisecond] () -> [UInt64] in
            _ = aq_schedule_in_real_time(1)
            request.settle(.granted)
            var guarding = RealTimeGuard(request)
            var pauses: [UInt64] = []
            var now = aq_host_time()
            for _ in 0..<2 {
                // The host clock is ahead of the guard's, so it never waits.
                while request.answer == .granted {
                    now += 10 * millisecond
                    guarding.didTurn(at: now)
                }
                let givenBackAt = now
                while request.answer == .givenBack, now < givenBackAt + 10_000 * millisecond {
                    usleep(100)
                    now += 30 * millisecond
                    guarding.didTurn(at: now)
                }
                pauses.append((now - givenBackAt) / millisecond)
            }
            if sched_getscheduler(0) & ~0x4000_0000 != SCHED_RR { pauses = [] }
            return pauses
        }
        expectEqual(pauses?.count, 2)
        expectEqual(pauses?.first.map { (1000...1060).contains($0) }, true)
        expectEqual(pauses?.last.map { (2000...2060).contains($0) }, true)
        expectEqual(request.answer, .granted)
    }
}
