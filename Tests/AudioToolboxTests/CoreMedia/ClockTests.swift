// SPDX-License-Identifier: MIT

import AQExpectations
import CoreMedia
import Testing

@testable import AQToolboxFunctions

@Suite("The clock of host times") struct ClockTests {
    @Test("is one object, with the time of the host in nanoseconds") func hostTime() {
        let clock = CMClockGetHostTimeClock()
        #expect(clock === CMClock.hostTimeClock && CFGetTypeID(clock) == CMClockGetTypeID())
        let before = AudioGetCurrentHostTime()
        let time = CMClockGetTime(clock)
        let after = CMClockConvertHostTimeToSystemUnits(clock.time)
        #expect(time.timescale == 1_000_000_000 && time.epoch == 0)
        #expect(before <= UInt64(time.value) && UInt64(time.value) <= after)
    }

    @Test("converts times of audio") func conversion() {
        expectEqual(CMClockMakeHostTimeFromSystemUnits(1_500_000_000), CMTime(value: 3, timescale: 2))
        expectEqual(CMClockMakeHostTimeFromSystemUnits(.max).value, .max)
        expectEqual(CMClockConvertHostTimeToSystemUnits(CMTime(value: 3, timescale: 2)), 1_500_000_000)
        for time in [CMTime(value: -1, timescale: 2), .invalid, .indefinite, .positiveInfinity] {
            expectEqual(CMClockConvertHostTimeToSystemUnits(time), 0)
        }
    }

    @Test("has no time for another object") func wrongObject() {
        expectEqual(cmClockGetTime(nil).flags, [])
    }
}
