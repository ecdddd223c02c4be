// SPDX-License-Identifier: MIT

import Foundation
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
    @Test("does not open again after its end") func end() {
        let gate = RenderGate()
        gate.open()
        gate.shut(isEnd: true)
        gate.open()
        #expect(!gate.isOpen)
        #expect(!gate.enter())
    }
}
