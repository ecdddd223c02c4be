// SPDX-License-Identifier: MIT

import AQExpectations
import CAQCoreAudio
import CAQRealTime
import Testing

// The linker finds the C functions in it.
@testable import AQToolboxFunctions

@Suite("Host times") struct HostTimeTests {
    @Test("the time is that of CLOCK_MONOTONIC in nanoseconds, and increases")
    func now() {
        let before = aq_host_time()
        let now = AudioGetCurrentHostTime()
        #expect((before...aq_host_time()).contains(now))
        #expect(AudioGetCurrentHostTime() >= now)
    }

    @Test("a second has the ticks of the frequency")
    func frequency() {
        let ticks = AudioConvertNanosToHostTime(1_000_000_000)
        expectEqual(Double(ticks), AudioGetHostClockFrequency())
        expectEqual(AudioConvertHostTimeToNanos(ticks), 1_000_000_000)
        #expect(AudioGetHostClockMinimumTimeDelta() >= 1)
    }

    @Test("a value converted there and back is the same", arguments: [0, 1, 250_000_000, UInt64.max])
    func conversion(nanoseconds: UInt64) {
        expectEqual(AudioConvertHostTimeToNanos(AudioConvertNanosToHostTime(nanoseconds)), nanoseconds)
    }
}
