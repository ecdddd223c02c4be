// SPDX-License-Identifier: MIT

import AQExpectations
import Foundation
import AQTestSupport
import Testing

@testable import AQUnits

@Suite("RenderGate", .timeLimit(.minutes(20)))
struct RenderGateTests {
    @Test("admits nobody while it is closed")
    func closed() {
        let gate = RenderGate()
        #expect(!gate.enter())
        gate.open()
        #expect(gate.enter())
        #expect(gate.isInside)
        gate.leave()
        #expect(!gate.isInside)
        gate.close()
        #expect(!gate.enter())
    }

    @Test("a close waits for the code inside, and returns at once in that code")
    func close() {
        let gate = RenderGate()
        let isInside = Tally()
        let mayLeave = Tally()
        gate.open()
        Thread.detachNewThread {
            guard gate.enter() else { return }
            isInside.now = 1
            while mayLeave.now == 0 { usleep(1_000) }
            gate.leave()
        }
        #expect(eventually(within: 5) { isInside.now == 1 })
        let isClosed = Tally()
        Thread.detachNewThread {
            gate.close()
            isClosed.now = 1
        }
        #expect(!eventually(within: 0.1) { isClosed.now == 1 })
        mayLeave.now = 1
        #expect(eventually(within: 5) { isClosed.now == 1 })
        gate.open()
        #expect(gate.enter())
        gate.close()
        gate.leave()
    }

    @Test("admits the thread inside again, also after it was shut")
    func nested() {
        let gate = RenderGate()
        gate.open()
        #expect(gate.enter())
        gate.shut()
        #expect(gate.enter())
        gate.leave()
        #expect(gate.isInside)
        gate.leave()
        #expect(!gate.isInside)
        #expect(!gate.enter())
    }

    @Test("closes only when nobody is inside, whatever the moment")
    func moments() {
        let gate = RenderGate()
        let entries = Tally()
        let inside = Tally()
        let isDone = Tally()
        Thread.detachNewThread {
            while isDone.now == 0 {
                guard gate.enter() else { continue }
                inside.now = 1
                if entries.add() % 64 == 0 { sched_yield() }
                inside.now = 0
                gate.leave()
            }
            isDone.now = 2
        }
        var faults = 0
        for _ in 0..<3_000 {
            let before = entries.now
            gate.open()
            while entries.now == before { sched_yield() }
            gate.close()
            if inside.now != 0 { faults += 1 }
        }
        expectEqual(faults, 0)
        isDone.now = 1
        #expect(eventually { isDone.now == 2 })
    }

    @Test("does not open again after its end") func end() {
        let gate = RenderGate()
        gate.open()
        gate.shut(isEnd: true)
        gate.open()
        #expect(!gate.isOpen)
        #expect(!gate.enter())
    }
}
