// SPDX-License-Identifier: MIT

import AQExpectations
import Testing

@testable import AQDevices

@Suite struct PlaybackClockTests {
    /// A clock of one frame a nanosecond from frame 100, audible at time 1000.
    private func runningClock() -> PlaybackClock.State {
        var state = PlaybackClock.State()
        state.jump(to: 100, at: 1000)
        state.limitFrame = 1000
        state.frameRate = 1
        return state
    }

    @Test("the clock runs from its anchor and stops at the last written frame")
    func runs() {
        let state = runningClock()
        expectEqual(state.frame(at: 900), 100)
        expectEqual(state.frame(at: 1050), 150)
        expectEqual(state.frame(at: 9000), 1000)
    }

    @Test("a correction backwards is a standstill, and a correction forwards is a step")
    func corrections() {
        var state = runningClock()
        state.setAnchor(120, at: 1050)
        expectEqual(state.frame(at: 1050), 150)
        expectEqual(state.frame(at: 1070), 150)
        expectEqual(state.frame(at: 1090), 160)
        state.setAnchor(300, at: 1090)
        expectEqual(state.frame(at: 1090), 300)
    }

    @Test("a jump sets the position")
    func jumps() {
        var state = runningClock()
        state.setAnchor(500, at: 1010)
        state.jump(to: 20, at: 1020)
        expectEqual(state.frame(at: 1020), 20)
    }

    @Test("the silence of an underrun is counted once, up to its end")
    func silence() {
        var state = runningClock()
        state.starvedSince = 2000
        expectEqual(state.silence(at: 2100, nominalRate: 0.5), 50)
        state.endSilence(at: 2200, nominalRate: 0.5)
        expectEqual(state.silence(at: 5000, nominalRate: 0.5), 100)
        state.endSilence(at: 6000, nominalRate: 0.5)
        expectEqual(state.silentFrames, 100)
    }
}
