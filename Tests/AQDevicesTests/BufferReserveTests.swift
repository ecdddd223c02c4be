// SPDX-License-Identifier: MIT

import AQExpectations
import Testing

@testable import AQDevices

/// The amount of a client's buffers in reserve.
@Suite("The reserve of three buffers")
struct BufferReserveTests {
    private let second: UInt64 = 1_000_000_000

    private func make(_ buffers: Int, _ frames: Int) -> BufferReserve {
        BufferReserve(
            totalFrames: buffers * frames, buffers: buffers, requestFrames: max(1, frames / 2),
            sampleRate: 48_000)
    }

    @Test("one of three or more buffers is kept in reserve, and none of fewer")
    func oneOfThree() {
        expectEqual(make(1, 480).frames, 0)
        expectEqual(make(2, 480).frames, 0)
        expectEqual(make(3, 480).frames, 480)
        expectEqual(make(8, 480).frames, 480)
        expectEqual(BufferReserve().frames, 0)
    }

    @Test("half a millisecond remains to be played, and the steps are those of the device's events")
    func leastHeld() {
        expectEqual(make(3, 48).frames, 48)
        expectEqual(make(3, 24).frames, 24)
        // 24 of 60 frames stay beside the returned buffer; of the other 16, one step of 10.
        expectEqual(make(3, 20).frames, 10)
        expectEqual(make(3, 12).frames, 0)
        expectEqual(make(3, 1).frames, 0)
    }

    @Test("after an underrun half is kept in reserve for a fiftieth of a second")
    func shortage() {
        var reserve = make(3, 48)
        reserve.runsShort(at: 10 * second)
        expectEqual(reserve.frames, 24)
        #expect(reserve.isGiven)
        reserve.recover(at: 10 * second + second / 100)
        expectEqual(reserve.frames, 24)
        // Another underrun in that time restarts it.
        reserve.runsShort(at: 10 * second + second / 100)
        reserve.recover(at: 10 * second + second / 40)
        expectEqual(reserve.frames, 24)
        reserve.recover(at: 10 * second + second / 20)
        expectEqual(reserve.frames, 48)
        #expect(!reserve.isGiven)
    }

    @Test("frequent underruns suspend it for longer and longer; rare ones do not")
    func again() {
        expectEqual(waits(everySeconds: 0), [0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24])
        expectEqual(waits(everySeconds: 60), Array(repeating: 0.02, count: 10))
        // A machine that stalls twice per second.
        expectEqual(waits(everySeconds: 0.5), Array(repeating: 0.02, count: 10))
    }

    @Test("after several underruns nothing is kept in reserve, and half again once they are rare")
    func nothing() {
        var reserve = make(3, 48)
        var kept: [Int] = []
        var now = 10 * second
        for pause in [0, 0, 0, 0, 0, 1, 1, 1, 1] {
            reserve.runsShort(at: now)
            kept.append(reserve.frames)
            now += 2 * second
            reserve.recover(at: now)
            now += UInt64(pause) * second
        }
        // The time doubles from 0.02 to 0.64 s, which is long, and halves from there.
        expectEqual(kept, [24, 24, 24, 24, 24, 0, 24, 24, 24])
    }

    /// The times of the smaller reserve after each of ten underruns at this distance.
    private func waits(everySeconds pause: Double) -> [Double] {
        var reserve = make(3, 48)
        var now = 10 * second
        return (0..<10).map { _ in
            reserve.runsShort(at: now)
            let start = now
            while reserve.isGiven {
                now += second / 100
                reserve.recover(at: now)
            }
            let waited = now - start
            now += UInt64(pause * 1e9)
            return Double(waited) / 1e9
        }
    }

    @Test("long buffers are waited for in rounds")
    func longBuffers() {
        var reserve = make(3, 48_000)
        reserve.runsShort(at: 10 * second)
        reserve.recover(at: 21 * second)
        expectEqual(reserve.frames, 24_000)
        reserve.recover(at: 22 * second)
        expectEqual(reserve.frames, 48_000)
    }

    @Test("without a reserve an underrun changes nothing")
    func none() {
        var reserve = make(2, 480)
        reserve.runsShort(at: second)
        #expect(!reserve.isGiven)
        reserve.recover(at: 9 * second)
        expectEqual(reserve.frames, 0)
    }
}
