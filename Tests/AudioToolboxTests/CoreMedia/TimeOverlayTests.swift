// SPDX-License-Identifier: MIT

import AQExpectations
import CoreMedia
import Testing

/// Times and ranges in Swift, and the layout of the structs.
@Suite("Times in Swift") struct TimeOverlayTests {
    @Test("have the published layout") func layout() {
        #expect(MemoryLayout<CMTime>.size == 24 && MemoryLayout<CMTime>.alignment == 4)
        expectEqual(MemoryLayout<CMTime>.offset(of: \.timescale), 8)
        expectEqual(MemoryLayout<CMTime>.offset(of: \.flags), 12)
        expectEqual(MemoryLayout<CMTime>.offset(of: \.epoch), 16)
        expectEqual(MemoryLayout<CMTimeRange>.size, 48)
        expectEqual(MemoryLayout<CMTimeRange>.offset(of: \.duration), 24)
        expectEqual(MemoryLayout<CMSampleTimingInfo>.size, 72)
        expectEqual(MemoryLayout<CMSampleTimingInfo>.offset(of: \.decodeTimeStamp), 48)
        unsafe expectEqual(MemoryLayout<CMBlockBufferCustomBlockSource>.size, 28)
    }

    @Test("have constants") func constants() {
        expectEqual(TimeFields(.zero), TimeFields(.fields(0, 1)))
        #expect(TimeFields(.invalid).flags == 0 && TimeFields(.indefinite).flags == 17)
        #expect(TimeFields(.positiveInfinity).flags == 5 && TimeFields(.negativeInfinity).flags == 9)
        expectEqual(kCMTimeMaxTimescale, Int(Int32.max))
        #expect(!CMSampleTimingInfo.invalid.duration.isValid)
    }

    @Test("have members") func members() {
        let half = CMTime(value: 1, timescale: 2)
        #expect(half.isValid && half.isNumeric && !half.hasBeenRounded && half.seconds == 0.5)
        #expect(CMTime(seconds: 0.1, preferredTimescale: 5).hasBeenRounded)
        #expect(CMTime.positiveInfinity.isPositiveInfinity && !CMTime.positiveInfinity.isNumeric)
        #expect(CMTime.negativeInfinity.isNegativeInfinity && CMTime.indefinite.isIndefinite)
        #expect(!CMTime.invalid.isValid && CMTIME_IS_INVALID(.invalid) && CMTIME_IS_VALID(half))
        #expect(
            CMTIME_IS_NUMERIC(half) && !CMTIME_HAS_BEEN_ROUNDED(half) && CMTIME_IS_INDEFINITE(.indefinite))
        #expect(
            CMTIME_IS_POSITIVEINFINITY(.positiveInfinity) && CMTIME_IS_NEGATIVEINFINITY(.negativeInfinity))
        expectEqual(half.convertScale(600, method: .default).value, 300)
    }

    @Test("have operators") func operators() {
        let (half, third) = (CMTime(value: 1, timescale: 2), CMTime(value: 1, timescale: 3))
        expectEqual(TimeFields(half + third), TimeFields(.fields(5, 6)))
        expectEqual(TimeFields(half - third), TimeFields(.fields(1, 6)))
        #expect(third < half && half >= third && half != third && half == CMTime(value: 2, timescale: 4))
        expectEqual(max(half, third), half)
        var sum = half
        sum += third
        sum -= half
        expectEqual(sum, third)
    }

    @Test("form ranges") func ranges() {
        let second = CMTime(value: 1, timescale: 1)
        let range = CMTimeRange(start: second, duration: second)
        #expect(range.isValid && !range.isEmpty && !range.isIndefinite)
        expectEqual(range.end, CMTime(value: 2, timescale: 1))
        expectEqual(range, CMTimeRange(start: second, end: CMTime(value: 4, timescale: 2)))
        #expect(range.containsTime(second) && !range.containsTime(range.end))
        expectEqual(range.union(.zero), CMTimeRange(start: .zero, end: range.end))
        #expect(range.intersection(.zero) == .zero && CMTimeRange.zero.isEmpty)
        #expect(!CMTimeRange.invalid.isValid && range.containsTimeRange(range))
        #expect(CMTimeRange(start: second, duration: .indefinite).isIndefinite)
    }
}
