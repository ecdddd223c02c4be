// SPDX-License-Identifier: MIT

import AQDevices
import AQExpectations
import AQUnits
import Foundation
import AQTestSupport
import AQTestTraits
import Testing

/// Ends of a unit whose code runs, while code of another unit has ended it already, which does not wait.
@Suite("A unit that ends while its code runs", .waiting, .timeLimit(.minutes(20)))
struct UnitEndTests {
    enum End: CaseIterable {
        case stop, uninitialize, end

        func callAsFunction(_ unit: IOUnit) {
            switch self {
            case .stop: unit.stop()
            case .uninitialize: unit.uninitialize()
            case .end: unit.end()
            }
        }
    }

    @Test(
        "is stopped by its own first call, also before its start has returned", arguments: End.allCases,
        [false, true])
    func endsInFirstCall(end: End, hasInput: Bool) throws {
        let device = LoopDevice()
        for _ in 0..<10 {
            let (unit, calls) = try device.makeUnit(hasInput: hasInput) { end($0) }
            try unit.initialize()
            try unit.start()
            #expect(eventually(within: 5) { calls.now > 0 && !unit.isRunning })
            #expect(remains(forSeconds: 0.02) { calls.now == 1 && !unit.isRunning })
            unit.end()
        }
    }

    @Test(
        "keeps the caller until its code has ended, also if code of another unit has ended it before",
        arguments: End.allCases, End.allCases)
    func ends(first: End, second: End) throws {
        let device = LoopDevice()
        let (unit, other) = (
            IOUnit(outputDevice: device, inputDevice: nil), IOUnit(outputDevice: device, inputDevice: nil)
        )
        let (isInside, mayLeave, mustEnd, hasEnded) = (Tally(), Tally(1), Tally(), Tally())
        unsafe unit.setRenderCode { _, _, _, _, _ in
            if mayLeave.now == 1 { return 0 }
            isInside.now = 1
            while mayLeave.now == 0 { usleep(500) }
            isInside.now = 0
            return 0
        }
        unsafe other.setRenderCode { _, _, _, _, _ in
            if mustEnd.now == 1 {
                first(unit)
                mustEnd.now = 2
            }
            return 0
        }
        for unit in [unit, other] {
            try unit.initialize()
            try unit.start()
        }
        mayLeave.now = 0
        #expect(eventually { isInside.now == 1 })
        mustEnd.now = 1
        #expect(eventually { mustEnd.now == 2 })
        Thread.detachNewThread {
            second(unit)
            hasEnded.now = isInside.now == 0 ? 1 : 2
        }
        #expect(remains(forSeconds: 0.1) { hasEnded.now == 0 })
        mayLeave.now = 1
        #expect(eventually { hasEnded.now > 0 })
        expectEqual(hasEnded.now, 1)
        other.end()
        unit.end()
    }
}
