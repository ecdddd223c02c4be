import SeededRandom
import Testing

@testable import AudioDevices

/// How times of capture are told from arrivals.
@Suite("Arrival times")
struct PulseArrivalTimesTests {
    private let start: UInt64 = 5_000_000_000

    /// When the frames before `frame` were captured, with a clock that runs at `rate` times the host's.
    private func captured(_ frame: Int64, rate: Double = 1) -> UInt64 {
        start + UInt64(Double(frame) / 48_000 / rate * 1e9)
    }

    private func error(_ times: PulseArrivalTimes, _ frame: Int64, rate: Double = 1) -> Double {
        Double(Int64(bitPattern: times.hostTime(of: frame) &- captured(frame, rate: rate)))
    }

    @Test("arrivals that vary give times that do not")
    func jitter() {
        var times = PulseArrivalTimes(sampleRate: 48_000)
        var generator = SplitMix(7)
        var last: UInt64 = 0
        for fragment in 1...2000 {
            let frame = Int64(fragment) * 480
            let delay = fragment % 10 == 0 ? 0 : UInt64.random(in: 0...30_000_000, using: &generator)
            times.arrived(endFrame: frame, at: captured(frame) + delay)
            if fragment > 30 { #expect(abs(error(times, frame)) < 1e6) }
            #expect(times.hostTime(of: frame) > last)
            last = times.hostTime(of: frame)
        }
    }

    @Test("a device's clock that drifts is followed", arguments: [0.9995, 1.0005])
    func drift(rate: Double) {
        var times = PulseArrivalTimes(sampleRate: 48_000)
        for fragment in 1...12_000 {
            let frame = Int64(fragment) * 480
            times.arrived(endFrame: frame, at: captured(frame, rate: rate))
        }
        // Two windows of 2 s are remembered.
        #expect(abs(error(times, 12_000 * 480, rate: rate)) < 4 * 0.0005 * 1e9 + 1e6)
    }

    @Test("a first arrival that was late is forgotten, and time never turns back")
    func lateStart() {
        var times = PulseArrivalTimes(sampleRate: 48_000)
        var last: UInt64 = 0
        for fragment in 1...100 {
            let frame = Int64(fragment) * 480
            let lateness = fragment < 5 ? 200_000_000 - UInt64(fragment - 1) * 10_000_000 : 0
            times.arrived(endFrame: frame, at: captured(frame) + lateness)
            #expect(times.hostTime(of: frame) > last)
            last = times.hostTime(of: frame)
        }
        #expect(abs(error(times, 48_000)) < 1e6)
    }

    @Test("a known latency is taken off, and frames are counted by host time")
    func latency() {
        var times = PulseArrivalTimes(sampleRate: 48_000)
        times.latencyNanoseconds = 20e6
        for fragment in 1...100 {
            let frame = Int64(fragment) * 480
            times.arrived(endFrame: frame, at: captured(frame) + 20_000_000)
        }
        #expect(abs(error(times, 48_000)) < 1e3)
        #expect(abs(times.frames(by: captured(24_000)) - 24_000) <= 1)
        #expect(times.frames(by: start - 1_000_000_000) < 0)
    }

    @Test("frames behind a gap are late, those that were held up are not")
    func lateness() {
        var times = PulseArrivalTimes(sampleRate: 48_000)
        times.arrived(endFrame: 480, at: captured(480))
        #expect(times.lateness(endFrame: 960, at: captured(960)) < 1e3)
        #expect(abs(times.lateness(endFrame: 960, at: captured(48_960)) - 1e9) < 1e3)
        times.restart()
        #expect(times.lateness(endFrame: 960, at: captured(48_960)) == 0)
    }
}
