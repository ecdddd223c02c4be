// SPDX-License-Identifier: MIT

import AQExpectations
import CoreAudioTypes
import AQTestSupport
import Testing

@testable import AQUnits

@Suite("The observers of renders")
struct RenderHooksTests {
    @Test("are called before and after each render, in order, until they are removed")
    func observers() {
        let hooks = RenderHooks()
        let (before, after, other) = (Tally(), Tally(), Tally())
        hooks.addObserver(
            1,
            unsafe RenderCode { actions, _, _, _, _ in
                if unsafe actions.pointee.contains(.preRender) { before.add() }
                if unsafe actions.pointee.contains(.postRenderError) { after.add() }
                return 0
            })
        hooks.addObserver(
            2,
            unsafe RenderCode { _, _, _, _, _ in
                other.add()
                return 0
            })
        expectEqual(render(hooks), -1)
        #expect((before.now, after.now, other.now) == (1, 1, 2))
        hooks.removeObserver(1)
        hooks.removeObserver(7)
        expectEqual(render(hooks), -1)
        #expect((before.now, after.now, other.now) == (1, 1, 4))
        expectEqual(hooks.takeLastError(), -1)
        expectEqual(hooks.takeLastError(), 0)
    }

    private func render(_ hooks: RenderHooks) -> Int32 {
        var actions: RenderActions = []
        var time = AudioTimeStamp()
        return unsafe hooks.observed(&actions, &time, bus: 0, frames: 1, nil) { _, _ in -1 }
    }
}
