// SPDX-License-Identifier: MIT

import AQExpectations
import CoreMedia
import Testing

/// Each operation on times, with the result in all fields.
@Suite("Times") struct TimeArithmeticTests {
    private static let largest = Int64.max
    private static let smallest = Int64.min

    private static let sums: [TimeCase] = [
        TimeCase("one timescale", CMTimeAdd(.fields(1, 10), .fields(2, 10)), .fields(3, 10)),
        TimeCase("a multiple", CMTimeAdd(.fields(1, 10), .fields(1, 5)), .fields(3, 10)),
        TimeCase("none is a multiple", CMTimeAdd(.fields(1, 2), .fields(1, 3)), .fields(5, 6)),
        TimeCase("rates", CMTimeAdd(.fields(1, 44_100), .fields(1, 48_000)), .fields(307, 7_056_000)),
        TimeCase(
            "a multiple that is too large", CMTimeAdd(.fields(1, .max), .fields(1, .max - 1)),
            .fields(2, .max, rounded: true)),
        TimeCase(
            "half the timescale", CMTimeAdd(.fields(largest, 2), .fields(largest, 2)), .fields(largest, 1)),
        TimeCase(
            "half the timescale, rounded", CMTimeAdd(.fields(largest, 3), .fields(1, 3)),
            .fields(3_074_457_345_618_258_603, 1, rounded: true)),
        TimeCase("too large", CMTimeAdd(.fields(largest, 1), .fields(1, 1)), kCMTimePositiveInfinity),
        TimeCase("too small", CMTimeAdd(.fields(smallest, 1), .fields(-1, 1)), kCMTimeNegativeInfinity),
        TimeCase(
            "a rounded time", CMTimeAdd(.fields(1, 2, rounded: true), .fields(1, 2)),
            .fields(2, 2, rounded: true)),
        TimeCase("a duration", CMTimeAdd(.fields(1, 2, epoch: 7), .fields(1, 2)), .fields(2, 2, epoch: 7)),
        TimeCase("one epoch", CMTimeAdd(.fields(1, 2, epoch: 7), .fields(1, 2, epoch: 7)), .fields(2, 2)),
        TimeCase("two epochs", CMTimeAdd(.fields(1, 2, epoch: 7), .fields(1, 2, epoch: 8)), kCMTimeInvalid),
        TimeCase("invalid", CMTimeAdd(kCMTimeInvalid, kCMTimePositiveInfinity), kCMTimeInvalid),
        TimeCase("no timescale", CMTimeAdd(.fields(1, 0), .fields(1, 1)), kCMTimeInvalid),
        TimeCase("infinity", CMTimeAdd(.fields(1, 2), kCMTimeNegativeInfinity), kCMTimeNegativeInfinity),
        TimeCase(
            "two infinities", CMTimeAdd(kCMTimePositiveInfinity, kCMTimePositiveInfinity),
            kCMTimePositiveInfinity),
        TimeCase(
            "infinities of both signs", CMTimeAdd(kCMTimePositiveInfinity, kCMTimeNegativeInfinity),
            kCMTimeInvalid),
        TimeCase("indefinite", CMTimeAdd(kCMTimeIndefinite, .fields(1, 2)), kCMTimeIndefinite),
        TimeCase(
            "indefinite and infinity", CMTimeAdd(kCMTimeIndefinite, kCMTimePositiveInfinity),
            kCMTimePositiveInfinity),
    ]

    @Test("sums", arguments: sums) func sum(_ time: TimeCase) { time.check() }

    private static let differences: [TimeCase] = [
        TimeCase("a multiple", CMTimeSubtract(.fields(3, 10), .fields(1, 5)), .fields(1, 10)),
        TimeCase("negative", CMTimeSubtract(.fields(1, 3), .fields(1, 2)), .fields(-1, 6)),
        TimeCase(
            "one epoch", CMTimeSubtract(.fields(3, 2, epoch: 7), .fields(1, 2, epoch: 7)), .fields(2, 2)),
        TimeCase(
            "a duration", CMTimeSubtract(.fields(3, 2, epoch: 7), .fields(1, 2)), .fields(2, 2, epoch: 7)),
        TimeCase("too large", CMTimeSubtract(.fields(1, 1), .fields(smallest, 1)), kCMTimePositiveInfinity),
        TimeCase(
            "infinity", CMTimeSubtract(.fields(1, 2), kCMTimePositiveInfinity), kCMTimeNegativeInfinity),
        TimeCase(
            "infinities of both signs", CMTimeSubtract(kCMTimePositiveInfinity, kCMTimeNegativeInfinity),
            kCMTimePositiveInfinity),
        TimeCase(
            "infinities of one sign", CMTimeSubtract(kCMTimePositiveInfinity, kCMTimePositiveInfinity),
            kCMTimeInvalid),
    ]

    @Test("differences", arguments: differences) func difference(_ time: TimeCase) { time.check() }

    private static let products: [TimeCase] = [
        TimeCase("an integer", CMTimeMultiply(.fields(1, 3), multiplier: 3), .fields(3, 3)),
        TimeCase(
            "half the timescale", CMTimeMultiply(.fields(largest, 2), multiplier: 2), .fields(largest, 1)),
        TimeCase("too large", CMTimeMultiply(.fields(largest, 1), multiplier: 2), kCMTimePositiveInfinity),
        TimeCase("too small", CMTimeMultiply(.fields(largest, 1), multiplier: -2), kCMTimeNegativeInfinity),
        TimeCase(
            "an epoch", CMTimeMultiply(.fields(1, 3, epoch: 2), multiplier: 3), .fields(3, 3, epoch: 2)),
        TimeCase(
            "infinity", CMTimeMultiply(kCMTimePositiveInfinity, multiplier: -1), kCMTimeNegativeInfinity),
        TimeCase("indefinite", CMTimeMultiply(kCMTimeIndefinite, multiplier: 5), kCMTimeIndefinite),
        TimeCase("invalid", CMTimeMultiply(kCMTimeInvalid, multiplier: 5), kCMTimeInvalid),
    ]

    @Test("products", arguments: products) func product(_ time: TimeCase) { time.check() }

    private static let fractionalProducts: [TimeCase] = [
        TimeCase(
            "a larger timescale", CMTimeMultiplyByFloat64(.fields(1, 600), multiplier: 0.5),
            .fields(64, 76_800)),
        TimeCase(
            "a sufficient timescale", CMTimeMultiplyByFloat64(.fields(1, 90_000), multiplier: 0.5),
            .fields(1, 90_000, rounded: true)),
        TimeCase(
            "exact", CMTimeMultiplyByFloat64(.fields(3, 48_000), multiplier: -1.5), .fields(-9, 96_000)),
        TimeCase(
            "rounded", CMTimeMultiplyByFloat64(.fields(1, 3), multiplier: 1 / 3.0),
            .fields(10_923, 98_304, rounded: true)),
        TimeCase(
            "one", CMTimeMultiplyByFloat64(.fields(largest, 1), multiplier: 1), .fields(largest, 1)),
        TimeCase(
            "a tiny factor", CMTimeMultiplyByFloat64(.fields(1, 1), multiplier: 1e-300),
            .fields(0, 65_536, rounded: true)),
        TimeCase(
            "a tiny factor of a large time",
            CMTimeMultiplyByFloat64(.fields(1 << 62, 1), multiplier: 0x1p-62),
            .fields(65_536, 65_536)),
        TimeCase(
            "a huge factor", CMTimeMultiplyByFloat64(.fields(-1, 1), multiplier: 1e300),
            kCMTimeNegativeInfinity),
        TimeCase("zero", CMTimeMultiplyByFloat64(.fields(5, 90_000), multiplier: 0), .fields(0, 90_000)),
        TimeCase(
            "infinity", CMTimeMultiplyByFloat64(.fields(1, 2), multiplier: -.infinity),
            kCMTimeNegativeInfinity),
        TimeCase(
            "zero and infinity", CMTimeMultiplyByFloat64(.fields(0, 2), multiplier: .infinity),
            kCMTimeInvalid),
        TimeCase(
            "not a number", CMTimeMultiplyByFloat64(.fields(1, 2), multiplier: .nan), kCMTimeInvalid),
        TimeCase(
            "of infinity", CMTimeMultiplyByFloat64(kCMTimePositiveInfinity, multiplier: -0.5),
            kCMTimeNegativeInfinity),
    ]

    @Test("products with fractions", arguments: fractionalProducts)
    func fractionalProduct(_ time: TimeCase) { time.check() }

    @Test(
        "other timescales, by each rounding method",
        arguments: [
            (CMTime.fields(1, 3), 10, [3, 3, 4, 4, 4, 3]),
            (CMTime.fields(-1, 3), 10, [-3, -3, -4, -4, -3, -4]),
            (CMTime.fields(5, 10), 1, [1, 0, 1, 0, 1, 0]),
            (CMTime.fields(-5, 10), 1, [-1, 0, -1, -1, 0, -1]),
            (CMTime.fields(4, 10), 1, [0, 0, 1, 0, 1, 0]),
        ] as [(CMTime, Int32, [Int64])])
    func rounding(time: CMTime, timescale: Int32, values: [Int64]) {
        let methods: [CMTimeRoundingMethod] = [
            .roundHalfAwayFromZero, .roundTowardZero, .roundAwayFromZero, .quickTime,
            .roundTowardPositiveInfinity, .roundTowardNegativeInfinity,
        ]
        for (method, value) in zip(methods, values) {
            let converted = CMTimeConvertScale(time, timescale: timescale, method: method)
            expectEqual(TimeFields(converted), TimeFields(.fields(value, timescale, rounded: true)))
        }
    }

    private static let unknownMethod = CMTimeRoundingMethod(rawValue: 99) ?? .default

    private static let conversions: [TimeCase] = [
        TimeCase(
            "exact", CMTimeConvertScale(.fields(1, 10, epoch: 3), timescale: 600, method: .default),
            .fields(60, 600, epoch: 3)),
        TimeCase(
            "an unknown method",
            CMTimeConvertScale(.fields(1, 2), timescale: 1, method: unknownMethod),
            .fields(1, 1, rounded: true)),
        TimeCase(
            "too large", CMTimeConvertScale(.fields(largest, 1), timescale: 2, method: .default),
            kCMTimePositiveInfinity),
        TimeCase(
            "no timescale", CMTimeConvertScale(.fields(1, 1), timescale: 0, method: .default), kCMTimeInvalid),
        TimeCase(
            "infinity", CMTimeConvertScale(kCMTimeNegativeInfinity, timescale: 600, method: .default),
            kCMTimeNegativeInfinity),
    ]

    @Test("other timescales", arguments: conversions) func conversion(_ time: TimeCase) { time.check() }

    private static let made: [TimeCase] = [
        TimeCase("value", CMTimeMake(value: -3, timescale: 5), .fields(-3, 5)),
        TimeCase("no timescale", CMTimeMake(value: 3, timescale: 0), kCMTimeInvalid),
        TimeCase("a negative timescale", CMTimeMake(value: 3, timescale: .min), kCMTimeInvalid),
        TimeCase("epoch", CMTimeMakeWithEpoch(value: 3, timescale: 5, epoch: 9), .fields(3, 5, epoch: 9)),
        TimeCase("seconds", CMTimeMakeWithSeconds(0.5, preferredTimescale: 600), .fields(300, 600)),
        TimeCase(
            "rounded seconds", CMTimeMakeWithSeconds(0.1, preferredTimescale: 5),
            .fields(1, 5, rounded: true)),
        TimeCase(
            "many seconds", CMTimeMakeWithSeconds(1e10, preferredTimescale: .max),
            .fields(5_368_709_110_000_000_000, 536_870_911)),
        TimeCase(
            "too many seconds", CMTimeMakeWithSeconds(-1e300, preferredTimescale: .max),
            kCMTimeNegativeInfinity),
        TimeCase(
            "infinite seconds", CMTimeMakeWithSeconds(.infinity, preferredTimescale: 1),
            kCMTimePositiveInfinity),
        TimeCase("not a number", CMTimeMakeWithSeconds(.nan, preferredTimescale: 1), kCMTimeInvalid),
        TimeCase("seconds, no timescale", CMTimeMakeWithSeconds(1, preferredTimescale: 0), kCMTimeInvalid),
        TimeCase("no sign", CMTimeAbsoluteValue(.fields(-3, 5, epoch: 9)), .fields(3, 5, epoch: 9)),
        TimeCase(
            "no sign of the smallest value", CMTimeAbsoluteValue(.fields(smallest, 2)), .fields(1 << 62, 1)),
        TimeCase(
            "no sign of infinity", CMTimeAbsoluteValue(kCMTimeNegativeInfinity), kCMTimePositiveInfinity),
        TimeCase("the lesser", CMTimeMinimum(.fields(1, 2), .fields(1, 3)), .fields(1, 3)),
        TimeCase("the lesser of equals", CMTimeMinimum(.fields(1, 2), .fields(2, 4)), .fields(1, 2)),
        TimeCase("the greater", CMTimeMaximum(.fields(1, 2), kCMTimeIndefinite), kCMTimeIndefinite),
    ]

    @Test("that are made", arguments: made) func make(_ time: TimeCase) { time.check() }

    @Test("are ordered, also if they are not numbers") func order() {
        let ascending: [CMTime] = [
            kCMTimeNegativeInfinity, .fields(Self.smallest, 1), .fields(-1, 3), .fields(0, 9),
            .fields(Self.largest, .max), .fields(Self.largest, 1), .fields(-5, 1, epoch: 1),
            kCMTimeIndefinite,
            kCMTimePositiveInfinity, kCMTimeInvalid,
        ]
        for (index, left) in ascending.enumerated() {
            for (other, right) in ascending.enumerated() {
                expectEqual(CMTimeCompare(left, right), (index < other ? -1 : index > other ? 1 : 0))
            }
        }
        expectEqual(CMTimeCompare(.fields(1, 3), .fields(2, 6)), 0)
        expectEqual(CMTimeCompare(.fields(1, 0), kCMTimeInvalid), 0)
    }

    @Test("in seconds") func seconds() {
        expectEqual(CMTimeGetSeconds(.fields(1, 4, epoch: 8)), 0.25)
        expectEqual(CMTimeGetSeconds(kCMTimeNegativeInfinity), -.infinity)
        expectEqual(CMTimeGetSeconds(kCMTimePositiveInfinity), .infinity)
        for time in [kCMTimeIndefinite, kCMTimeInvalid, .fields(1, 0)] {
            #expect(CMTimeGetSeconds(time).isNaN)
        }
        // Prints to standard error, which the programs' tests read.
        CMTimeShow(.fields(-1, 3))
    }
}
