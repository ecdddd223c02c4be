// SPDX-License-Identifier: MIT

import AQExpectations
import AQTestSupport
import Testing

@testable import AQDevices

/// Capture times computed from arrivals.
@Suite("Arrival times")
struct PulseArrivalTimesTests {
    private let start: UInt64 = 5_000_000_000

    /// The capture time of the frames before `frame`, with a clock that runs at `rate` times the host's.
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

    @Test("a device clock that drifts is followed", arguments: [0.9995, 1.0005])
    func drift(rate: Double) {
        var times = PulseArrivalTimes(sampleRate: 48_000)
        for fragment in 1...12_000 {
            let frame = Int64(fragment) * 480
            times.arrived(endFrame: frame, at: captured(frame, rate: rate))
        }
        // Two windows of 2 s are kept.
        let nanoseconds: Double = 4 * 0.0005 * 1e9 + 1e6
        #expect(abs(error(times, 12_000 * 480, rate: rate)) < nanoseconds)
    }

    @Test("a late first arrival is forgotten, and time never runs backwards")
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

    @Test("a known latency is subtracted, and frames are counted by host time")
    func latency() {
        var times = PulseArrivalTimes(sampleRate: 48_000)
        times.addLatency(nanoseconds: 20e6)
        for fragment in 1...100 {
            let frame = Int64(fragment) * 480
            times.arrived(endFrame: frame, at: captured(frame) + 20_000_000)
        }
        #expect(abs(error(times, 48_000)) < 1e3)
        #expect(abs(times.frames(by: captured(24_000)) - 24_000) <= 1)
        #expect(times.frames(by: start - 1_000_000_000) < 0)
    }

    @Test("frames after a gap are late, frames that were only delayed are not")
    func lateness() {
        var times = PulseArrivalTimes(sampleRate: 48_000)
        times.arrived(endFrame: 480, at: captured(480))
        #expect(times.lateness(endFrame: 960, at: captured(960)) < 1e3)
        #expect(abs(times.lateness(endFrame: 960, at: captured(48_960)) - 1e9) < 1e3)
        times.restart(at: 480)
        expectEqual(times.lateness(endFrame: 960, at: captured(48_960)), 0)
    }

    // MARK: Monitors

    /// Blocks of a monitor that arrive when their first frame is audible, in consecutive pieces.
    private func hear(
        _ times: inout PulseArrivalTimes, blocks: Range<Int>, blockFrames: Int64, pieces: Int64 = 1,
        lateness: (Int) -> UInt64 = { _ in 0 }
    ) {
        for block in blocks {
            let start = Int64(block) * blockFrames
            for piece in 1...pieces {
                let arrival = captured(start) + lateness(block) + UInt64(piece) * 20_000
                times.arrived(endFrame: start + blockFrames * piece / pieces, at: arrival)
            }
        }
    }

    @Test("a monitor's frames are captured when audible", arguments: [40, 80, 240, 24_000] as [Int64])
    func monitor(blockFrames: Int64) {
        var times = PulseArrivalTimes(sampleRate: 48_000)
        times.isMonitor = true
        hear(&times, blocks: 0..<100, blockFrames: blockFrames)
        #expect(abs(error(times, 50 * blockFrames)) < 30_000)
        // A microphone's frames would have been captured before they arrive.
        times.isMonitor = false
        hear(&times, blocks: 100..<200, blockFrames: blockFrames)
        let block = Double(blockFrames) / 48_000 * 1e9
        #expect(abs(error(times, 150 * blockFrames) + block) < 30_000)
    }

    @Test("the pieces of a monitor's block have one time", arguments: [2, 5] as [Int64])
    func pieces(pieces: Int64) {
        var times = PulseArrivalTimes(sampleRate: 48_000)
        times.isMonitor = true
        hear(&times, blocks: 0..<400, blockFrames: 480, pieces: pieces) { $0 % 3 == 1 ? 4_000_000 : 0 }
        #expect(abs(error(times, 480 * 400)) < 30_000)
    }

    @Test("blocks of another length and late blocks do not move a monitor's time")
    func otherBlocks() {
        var times = PulseArrivalTimes(sampleRate: 48_000)
        times.isMonitor = true
        hear(&times, blocks: 0..<1, blockFrames: 48_000)
        #expect(abs(error(times, 0)) < 30_000)
        hear(&times, blocks: 200..<4000, blockFrames: 240) { $0 % 2 == 0 ? 4_500_000 : 0 }
        #expect(abs(error(times, 240 * 4000)) < 30_000)
        hear(&times, blocks: 20_000..<25_000, blockFrames: 48) { $0 % 500 == 0 ? 0 : 900_000 }
        #expect(abs(error(times, 48 * 25_000)) < 30_000)
    }
}
