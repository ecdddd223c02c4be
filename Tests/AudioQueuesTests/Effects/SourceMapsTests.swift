// SPDX-License-Identifier: MIT

import AQExpectations
import Testing

@testable import AudioQueues

extension AllTests {
    @Suite("Maps of effects") struct SourceMapsTests {
        @Test("an output frame maps back through both taps and the effects")
        func chain() {
            var maps = SourceMaps()
            maps.turn(rate: 2)
            // The first tap makes 100 frames of 50, the effects 50 of those, and the last tap 10 of 20.
            maps.didTap(frames: 100, from: 0, to: 50)
            maps.didTreat(frames: 50)
            maps.didGive(frames: 10, from: 0, to: 20)
            expectEqual(maps.source(atTreated: 30), 30)
            expectEqual(maps.source(atOutput: 5), 10)
            expectEqual(maps.frameReached, 100)
        }

        @Test("the end of a sequence moves the effects to the first tap's position")
        func end() {
            var maps = SourceMaps()
            maps.turn(rate: 0.5)
            maps.didTap(frames: 100, from: 0, to: 100)
            maps.didTreat(frames: 190)
            maps.endSequence(rate: 0.5)
            expectEqual(maps.frameReached, 100)
        }

        @Test("a restart counts from 0, at the given rate")
        func restart() {
            var maps = SourceMaps()
            maps.didTap(frames: 10, from: 0, to: 10)
            maps.didGive(frames: 10)
            maps.restart(rate: 2)
            #expect(maps.framesTapped == 0 && maps.framesGiven == 0)
            expectEqual(maps.source(atOutput: 10), 20)
        }
    }
}
