// SPDX-License-Identifier: MIT

import AQExpectations
import CoreMedia
import Testing

@Suite("Ranges of times") struct TimeRangeTests {
    private func range(_ start: Int64, _ end: Int64) -> CMTimeRange {
        CMTimeRangeFromTimeToTime(start: .fields(start, 10), end: .fields(end, 10))
    }

    private func isSame(_ left: CMTimeRange, _ right: CMTimeRange) -> Bool {
        TimeFields(left.start) == TimeFields(right.start)
            && TimeFields(left.duration) == TimeFields(right.duration)
    }

    @Test("are made of a start and a duration, or an end") func make() {
        let made = CMTimeRangeMake(start: .fields(1, 2, epoch: 4), duration: .fields(3, 2))
        #expect(isSame(made, CMTimeRange(start: .fields(1, 2, epoch: 4), duration: .fields(3, 2))))
        expectEqual(TimeFields(CMTimeRangeGetEnd(made)), TimeFields(.fields(4, 2, epoch: 4)))
        #expect(isSame(range(2, 5), CMTimeRange(start: .fields(2, 10), duration: .fields(3, 10))))
    }

    @Test("are invalid with a negative duration, or one with an epoch") func invalid() {
        #expect(isSame(CMTimeRangeMake(start: .zero, duration: .fields(1, 2, epoch: 1)), kCMTimeRangeInvalid))
        #expect(isSame(range(5, 2), kCMTimeRangeInvalid))
        for end in [CMTime.zero, .fields(7, 10)] {
            #expect(
                isSame(CMTimeRangeFromTimeToTime(start: .positiveInfinity, end: end), kCMTimeRangeInvalid))
            #expect(
                isSame(CMTimeRangeFromTimeToTime(start: end, end: .negativeInfinity), kCMTimeRangeInvalid))
        }
        let backwards = CMTimeRange(start: .zero, duration: .fields(-1, 2))
        #expect(!CMTimeRangeGetEnd(backwards).isValid)
        #expect(!CMTimeRangeContainsTime(backwards, time: .zero))
        #expect(isSame(CMTimeRangeGetUnion(backwards, otherRange: range(0, 1)), kCMTimeRangeInvalid))
        #expect(isSame(CMTimeRangeGetIntersection(backwards, otherRange: range(0, 1)), kCMTimeRangeInvalid))
    }

    @Test("have a union and an intersection") func combination() {
        #expect(isSame(CMTimeRangeGetUnion(range(1, 3), otherRange: range(5, 9)), range(1, 9)))
        #expect(isSame(CMTimeRangeGetIntersection(range(1, 6), otherRange: range(5, 9)), range(5, 6)))
        #expect(isSame(CMTimeRangeGetIntersection(range(1, 5), otherRange: range(5, 9)), kCMTimeRangeZero))
    }

    @Test("contain times and ranges") func containment() {
        #expect(CMTimeRangeContainsTime(range(1, 5), time: .fields(1, 10)))
        #expect(!CMTimeRangeContainsTime(range(1, 5), time: .fields(5, 10)))
        #expect(!CMTimeRangeContainsTime(range(1, 5), time: .invalid))
        #expect(CMTimeRangeContainsTimeRange(range(1, 5), otherRange: range(2, 5)))
        #expect(!CMTimeRangeContainsTimeRange(range(1, 5), otherRange: range(2, 6)))
        #expect(!CMTimeRangeContainsTimeRange(range(1, 5), otherRange: kCMTimeRangeInvalid))
    }

    @Test("are equal by value") func equality() {
        let other = CMTimeRange(start: .fields(1, 5), duration: .fields(6, 20))
        #expect(CMTimeRangeEqual(range(2, 5), other))
        #expect(!CMTimeRangeEqual(range(2, 5), range(2, 6)))
    }

    @Test("may be endless") func endless() {
        let endless = CMTimeRangeMake(start: .zero, duration: .positiveInfinity)
        #expect(CMTimeRangeContainsTime(endless, time: .fields(.max, 1)))
        #expect(CMTimeRangeGetEnd(endless).isPositiveInfinity)
    }
}
