// SPDX-License-Identifier: MIT

import AQDevices
import AQExpectations
import Testing

@testable import AudioQueues

extension AllTests {
    @Suite("Timeline of an output queue") struct OutputTimelineTests {
        private func position(timeline: Double, played: Double, gaps: Int = 0) -> PlaybackPosition {
            PlaybackPosition(
                timelineFrames: timeline, playedFrames: played, otherFrames: timeline - played, hostTime: 0,
                isRunning: true, discontinuities: gaps)
        }

        private func time(
            _ timeline: inout OutputTimeline, _ position: PlaybackPosition, source: Double? = nil,
            isExact: Bool = true
        ) -> Double {
            timeline.time(at: position, sourceFrames: source, isExact: isExact, for: nil).sampleTime
        }

        @Test("the next frame follows the frames on the way, and the silence that was played between")
        func nextFrame() {
            var timeline = OutputTimeline()
            timeline.framesOnTheWay += 100
            expectEqual(timeline.nextFrame(at: nil), 100)
            expectEqual(timeline.nextFrame(at: position(timeline: 60, played: 40)), 120)
            timeline.framesOnTheWay = 0
            expectEqual(timeline.nextFrame(at: position(timeline: 60, played: 40)), 20)
        }

        @Test("time never runs backwards, and moves only with exact positions, until another start")
        func monotonic() {
            var timeline = OutputTimeline()
            expectEqual(time(&timeline, position(timeline: 50, played: 50)), 50)
            expectEqual(time(&timeline, position(timeline: 40, played: 40)), 50)
            expectEqual(time(&timeline, position(timeline: 90, played: 90), isExact: false), 50)
            timeline.start()
            expectEqual(time(&timeline, position(timeline: 10, played: 10)), 10)
        }

        @Test("frames that effects have stretched stay on the timeline after a reset")
        func stretched() {
            var timeline = OutputTimeline()
            expectEqual(time(&timeline, position(timeline: 100, played: 100), source: 200), 200)
            timeline.keepStretchedTime(at: position(timeline: 100, played: 100), sourceFrames: 200)
            // The device has dropped its frames and continues its count; effects count from 0.
            let next = position(timeline: 110, played: 10)
            expectEqual(time(&timeline, next, source: 20), 220)
            expectEqual(timeline.otherFrames(at: next), 200)
        }

        @Test("an observer is notified of a gap once, even if its stream was replaced")
        func gaps() {
            var timeline = OutputTimeline()
            let observer = QueueTimeline(discontinuities: timeline.allGaps(0))
            func isReported(_ gaps: Int) -> Bool {
                let position = position(timeline: 1, played: 1, gaps: gaps)
                return timeline.time(at: position, sourceFrames: nil, isExact: true, for: observer)
                    .isDiscontinuous
            }
            #expect(isReported(1) && !isReported(1))
            timeline.endGaps(at: 2)
            #expect(isReported(0) && !isReported(0))
        }
    }
}
