import CCoreAudio
import CRealTime
import Testing

// The functions of C are found in it by the linker.
@testable import AudioToolboxFunctions

@Suite("Host times") struct HostTimeTests {
    @Test("the time now is that of CLOCK_MONOTONIC in nanoseconds, and grows")
    func now() {
        let before = aq_host_time()
        let now = AudioGetCurrentHostTime()
        #expect((before...aq_host_time()).contains(now))
        #expect(AudioGetCurrentHostTime() >= now)
    }

    @Test("a second has as many ticks as the frequency says")
    func frequency() {
        let ticks = AudioConvertNanosToHostTime(1_000_000_000)
        #expect(Double(ticks) == AudioGetHostClockFrequency())
        #expect(AudioConvertHostTimeToNanos(ticks) == 1_000_000_000)
        #expect(AudioGetHostClockMinimumTimeDelta() >= 1)
    }

    @Test("what was converted there and back is what it was", arguments: [0, 1, 250_000_000, UInt64.max])
    func conversion(nanoseconds: UInt64) {
        #expect(AudioConvertHostTimeToNanos(AudioConvertNanosToHostTime(nanoseconds)) == nanoseconds)
    }
}
