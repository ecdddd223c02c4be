// SPDX-License-Identifier: MIT

import AQDevices
import AQExpectations
import Testing

@testable import AudioQueues

extension AllTests {
    @Suite("Timeline of an input queue") struct InputTimelineTests {
        /// Runs a test with an item of 10 frames of 2 bytes.
        private func withItem(_ body: (InputItem) -> Void) throws {
            var pool = BufferPool()
            defer { pool.freeAll() }
            let buffer = try pool.allocate(byteCapacity: 20, descriptionCapacity: 0)
            let record = try #require(pool[buffer])
            body(
                unsafe InputItem(
                    number: 1, buffer: buffer, data: record.data, room: record.data, frames: 10,
                    bytesPerFrame: 2, packets: 10, descriptions: nil))
        }

        @Test(
            "frames that are missing before a buffer are lost; a buffer without frames is after the last")
        func buffers() throws {
            try withItem { item in
                var timeline = InputTimeline()
                let first = timeline.fill(item, capturedBytes: 20, frame: 3, hostTime: 77)
                expectEqual(
                    first.info,
                    InputBufferInfo(sampleTime: 3, hostTime: 77, packetCount: 10, lostFramesBefore: 3))
                #expect(timeline.isLatestFull)
                // An extra byte is not a frame.
                let next = timeline.fill(item, capturedBytes: 9, frame: 13, hostTime: 99)
                #expect(next.capturedBytes == 8 && next.info.lostFramesBefore == 0 && !timeline.isLatestFull)
                expectEqual(timeline.empty(item).info.sampleTime, 17)
                expectEqual(timeline.fill(item, capturedBytes: 0, frame: 20, hostTime: 1).info.sampleTime, 20)
                timeline.end(at: CapturePosition(), wasCapturing: true)
                expectEqual(timeline.empty(item).info.sampleTime, 0)
            }
        }

        @Test("the counts of a run are kept once, until the next start")
        func counts() {
            var timeline = InputTimeline()
            timeline.keepCounts(CapturePosition(overruns: 1))
            timeline.keepCounts(CapturePosition(overruns: 2))
            #expect(timeline.areCountsKept && timeline.counts(CapturePosition(overruns: 3)).overruns == 1)
            timeline.start()
            #expect(!timeline.areCountsKept && timeline.counts(CapturePosition(overruns: 3)).overruns == 3)
        }

        @Test("gaps of all runs are summed, without those after the end of a run or before it")
        func gaps() {
            var timeline = InputTimeline()
            expectEqual(timeline.allGaps(2), 2)
            timeline.keepCounts(CapturePosition(discontinuities: 3))
            timeline.end(at: CapturePosition(discontinuities: 9), wasCapturing: true)
            expectEqual(timeline.allGaps(0), 3)
            timeline.end(at: CapturePosition(discontinuities: 9), wasCapturing: false)
            expectEqual(timeline.allGaps(1), 4)
        }

        @Test("time never runs backwards, until another start or a new timeline of the device")
        func time() {
            var timeline = InputTimeline()
            func time(_ frames: Double) -> Double {
                timeline.time(at: CapturePosition(timelineFrames: frames), for: nil).sampleTime
            }
            #expect(time(50) == 50 && time(40) == 50)
            timeline.start()
            expectEqual(time(30), 30)
            timeline.restart()
            expectEqual(time(10), 10)
        }

        @Test("the number of captured frames never decreases when frames that wait for a buffer are lost")
        func captured() {
            var timeline = InputTimeline()
            func captured(_ frames: Double, lost: Int64) -> Double {
                let position = CapturePosition(timelineFrames: frames, lostFrames: lost)
                return timeline.time(at: position, for: nil).playedFrames
            }
            #expect(captured(50, lost: 0) == 50 && captured(60, lost: 30) == 50)
            expectEqual(captured(100, lost: 30), 70)
            timeline.start()
            expectEqual(captured(20, lost: 0), 20)
        }
    }
}
