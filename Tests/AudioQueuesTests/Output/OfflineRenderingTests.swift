// SPDX-License-Identifier: MIT

import AQExpectations
import Testing

@testable import AudioQueues

extension AllTests {
    @Suite("Progress of offline rendering") struct OfflineRenderingTests {
        @Test("frames are taken up to the end of a buffer, which is returned before the next")
        func held() {
            var rendering = OfflineRendering()
            rendering.hold(.endMark(number: 1), openFrames: 100)
            rendering.framesInDevice += 300
            #expect(rendering.takeRendered() == nil)
            #expect(rendering.take(frames: 60) == 60 && rendering.take(frames: 60) == 40)
            expectEqual(rendering.take(frames: 60), 0)
            expectEqual(rendering.takeRendered()?.number, 1)
            #expect(rendering.take(frames: 500) == 200 && rendering.framesInDevice == 0)
        }

        @Test("a buffer is held for the frames that were decoded before it, passed on or not")
        func position() {
            var rendering = OfflineRendering()
            rendering.framesInDevice += 50
            _ = rendering.take(frames: 20)
            rendering.hold(.endMark(number: 1), openFrames: 7)
            rendering.framesInDevice += 7
            expectEqual(rendering.take(frames: 100), 37)
            #expect(rendering.takeRendered() != nil)
        }

        @Test("a reset takes held buffers below its limit, and another stream begins")
        func restart() {
            var rendering = OfflineRendering()
            rendering.hold(.endMark(number: 4), openFrames: 10)
            rendering.framesInDevice += 10
            rendering.hasGivenAll = true
            #expect(rendering.takeHeld(below: 4) == nil)
            expectEqual(rendering.takeHeld(below: 5)?.number, 4)
            let stream = rendering.stream
            rendering.restart()
            #expect(rendering.stream != stream && rendering.framesInDevice == 0 && !rendering.hasGivenAll)
        }
    }
}
