// SPDX-License-Identifier: MIT

import AQExpectations
import Testing

@testable import AQDevices

/// Frames at 1000 Hz, in fragments of a tenth of a second.
@Suite struct GapWatchTests {
    private static let millisecond: UInt64 = 1_000_000

    /// Ten fragments in time, from 1 s on.
    private func watch() -> GapWatch {
        var watch = GapWatch(sampleRate: 1000)
        for index in 1...10 {
            watch.times.arrived(endFrame: Int64(100 * index), at: time(1000 + 100 * index))
        }
        return watch
    }

    private func time(_ milliseconds: Int) -> UInt64 { UInt64(milliseconds) * Self.millisecond }

    private func mustWait(_ watch: inout GapWatch, endFrame: Int64, at milliseconds: Int) -> Bool {
        watch.times.arrived(endFrame: endFrame, at: time(milliseconds))
        return watch.mustCheckAgain(
            from: 1000, to: endFrame, at: time(milliseconds), fragmentSeconds: 0.1, hasCaptured: true)
    }

    @Test("frames that are on time, or a little late, are taken at once", arguments: [2100, 2300])
    func inTime(milliseconds: Int) {
        var watch = watch()
        #expect(!mustWait(&watch, endFrame: 1100, at: milliseconds))
        expectEqual(watch.gap, .none)
    }

    @Test("late frames are checked again, and were only delayed if others make up for it")
    func heldUp() {
        var watch = watch()
        #expect(mustWait(&watch, endFrame: 1100, at: 3000))
        #expect(watch.isToWait(at: time(3100)))
        expectEqual(watch.secondCheck, time(3150))
        #expect(!mustWait(&watch, endFrame: 2100, at: 3150))
        expectEqual(watch.gap, .none)
    }

    @Test("frames that stay late follow a gap, and their times before may still be correct")
    func gap() {
        var watch = watch()
        #expect(mustWait(&watch, endFrame: 1100, at: 3000))
        #expect(mustWait(&watch, endFrame: 1200, at: 3150))
        expectEqual(watch.gap, .possible)
        // By the earlier times, 2050 frames would have been captured.
        #expect(watch.endFrame(at: time(3050)) > 2000)
        #expect(!mustWait(&watch, endFrame: 1250, at: 3200))
        #expect(watch.endFrame(at: time(9000)) < 8000)
    }

    @Test("after an interruption the first frames are checked again, once")
    func interruption() {
        var watch = watch()
        watch.gap = .certain
        #expect(mustWait(&watch, endFrame: 1100, at: 2100))
        #expect(!mustWait(&watch, endFrame: 1150, at: 2150))
        expectEqual(watch.gap, .certain)
    }
}
