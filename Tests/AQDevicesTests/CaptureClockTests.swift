// SPDX-License-Identifier: MIT

import AQExpectations
import Testing

@testable import AQDevices

@Suite struct CaptureClockTests {
    /// A clock of one frame a microsecond with fragments of 100 frames.
    private func running() -> CaptureClock.State {
        var state = CaptureClock.State()
        state.restart(at: 1_000_000)
        state.frameRate = 1e-3
        state.limitFrame = 100
        return state
    }

    @Test("continues between two fragments, by at most one fragment")
    func limit() {
        let state = running()
        expectEqual(state.frame(at: 0), 0)
        expectEqual(state.frame(at: 1_050_000), 50)
        expectEqual(state.frame(at: 1_100_000), 100)
        expectEqual(state.frame(at: 9_000_000), 100)
    }

    @Test("never steps backwards if a fragment is late")
    func late() {
        var state = running()
        let reported = state.frame(at: 1_090_000)
        // A hundred frames are due, but eighty were captured.
        state.setAnchor(frame: 80, at: 1_090_000)
        state.limitFrame = 180
        expectEqual(reported, 90)
        expectEqual(state.frame(at: 1_090_000), 90)
        expectEqual(state.frame(at: 1_095_000), 90)
        expectEqual(state.frame(at: 1_110_000), 100)
    }

    @Test("readers get complete states in order while the device's thread writes")
    func concurrent() async {
        let clock = CaptureClock()
        await withTaskGroup(of: Bool.self) { group in
            group.addTask {
                var state = CaptureClock.State()
                for frame in 1...20_000 {
                    state.setAnchor(frame: Double(frame), at: UInt64(frame))
                    state.limitFrame = Double(frame)
                    state.lostFrames = Int64(frame)
                    state.holeFrames = Int64(frame)
                    clock.publish(state)
                }
                return true
            }
            for _ in 0..<2 {
                group.addTask {
                    var last = 0.0
                    for _ in 0..<20_000 {
                        let position = clock.position()
                        guard position.timelineFrames >= last,
                            position.lostFrames == position.holeFrames,
                            position.timelineFrames == Double(position.lostFrames)
                        else { return false }
                        last = position.timelineFrames
                    }
                    return true
                }
            }
            for await isRight in group { #expect(isRight) }
        }
    }
}
