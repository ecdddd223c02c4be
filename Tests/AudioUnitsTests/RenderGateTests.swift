// SPDX-License-Identifier: MIT

import Foundation
import Synchronization
import TestSupport
import Testing

@testable import AudioUnits

@Suite("RenderGate")
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
        let inside = Atomic<Int>(0)
        let isDone = Atomic<Bool>(false)
        let entries = Atomic<Int>(0)
        DispatchQueue.concurrentPerform(iterations: 2) { number in
            if number == 0 {
                while !isDone.load(ordering: .acquiring) {
                    guard gate.enter() else { continue }
                    inside.store(1, ordering: .relaxed)
                    entries.add(1, ordering: .relaxed)
                    if entries.load(ordering: .relaxed) % 64 == 0 { sched_yield() }
                    inside.store(0, ordering: .relaxed)
                    gate.leave()
                }
            } else {
                var faults = 0
                for _ in 0..<3_000 {
                    let before = entries.load(ordering: .relaxed)
                    gate.open()
                    while entries.load(ordering: .relaxed) == before { sched_yield() }
                    gate.close()
                    if inside.load(ordering: .relaxed) != 0 { faults += 1 }
                }
                isDone.store(true, ordering: .releasing)
                #expect(faults == 0)
            }
        }
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
