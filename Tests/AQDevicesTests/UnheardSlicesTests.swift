// SPDX-License-Identifier: MIT

import AQExpectations
import Testing

@testable import AQDevices

/// Times in milliseconds, with slices of 10 ms.
@Suite("Slices that no device takes are rendered") struct UnheardSlicesTests {
    private var slices = UnheardSlices(frames: 480, sampleRate: 48_000)

    private func time(_ milliseconds: Double) -> UInt64 { 1_000_000_000 + UInt64(milliseconds * 1e6) }

    private mutating func expectNone(at milliseconds: Double) {
        let slice = take(at: milliseconds)
        expectEqual(slice?.audible, nil)
    }

    private mutating func take(at milliseconds: Double) -> (audible: Double, missed: Int)? {
        slices.take(at: time(milliseconds)).map {
            (Double($0.hostTime - time(0)) / 1e6, $0.missedFrames)
        }
    }

    @Test("one after another, after the last that a device took, with its latency")
    mutating func pace() {
        #expect(!slices.isActive)
        expectNone(at: 1000)
        slices.begin(at: time(3), after: (time(0), time(15)))
        #expect(slices.isActive)
        expectEqual(slices.wakeUpTime(after: time(3)), time(10))
        expectNone(at: 9.9)
        for index in 1...100 {
            let due = Double(10 * index)
            let slice = take(at: due + 0.2)
            expectEqual(slice?.audible, due + 15)
            expectEqual(slice?.missed, 0)
            expectNone(at: due + 0.2)
        }
        slices.end()
        expectNone(at: 9999)
        expectEqual(slices.wakeUpTime(after: time(0)), .max)
    }

    @Test("at once if the device had stalled before it was lost")
    mutating func stalled() {
        slices.begin(at: time(500), after: (time(0), time(15)))
        let slice = take(at: 500)
        expectEqual(slice?.audible, 500)
    }

    @Test("with the usual pace after a short delay, and without those of a long one")
    mutating func late() {
        slices.begin(at: time(0), after: (time(0), time(0)))
        var slice = take(at: 19)
        expectEqual(slice?.audible, 10)
        slice = take(at: 20)
        expectEqual(slice?.audible, 20)
        slice = take(at: 1055)
        expectEqual(slice?.audible, 1050)
        expectEqual(slice?.missed, 102 * 480)
        expectNone(at: 1055)
        slice = take(at: 1060)
        expectEqual(slice?.audible, 1060)
        expectEqual(slice?.missed, 0)
    }

    @Test("in groups, if they are shorter than the time between two wake-ups")
    mutating func groups() {
        slices = UnheardSlices(frames: 1, sampleRate: 48_000)
        slices.begin(at: time(0), after: (time(0), time(0)))
        var (now, count, missed) = (time(0), 0, 0)
        for _ in 0..<100 {
            let next = slices.wakeUpTime(after: now)
            expectEqual(next, now + 500_000)
            now = next
            while let slice = slices.take(at: now) {
                count += 1
                missed += slice.missedFrames
            }
        }
        #expect(abs(count - 2400) <= 1)
        expectEqual(missed, 0)
    }

    @Test(
        "at plausible times, whatever time the last slice had",
        arguments: [UInt64(0), 1, 999_999_999, .max - 5_000_000, .max])
    mutating func hostileTimes(audible: UInt64) throws {
        slices.begin(at: time(0), after: (time(0), audible))
        let taken = slices.take(at: time(10))
        let slice = try #require(taken)
        #expect(slice.hostTime >= time(10))
        #expect(slice.hostTime <= time(1010))
    }
}
