// SPDX-License-Identifier: MIT

public import CAQCoreMedia

extension CMTimeRange {
    /// Makes the range from a time to another; an invalid one if they are in the wrong order.
    public init(start: CMTime, end: CMTime) { self = CMTimeRangeFromTimeToTime(start: start, end: end) }

    /// The empty range at 0.
    public static var zero: CMTimeRange { kCMTimeRangeZero }
    /// An invalid range.
    public static var invalid: CMTimeRange { kCMTimeRangeInvalid }

    /// Whether the range is valid.
    public var isValid: Bool {
        start.isValid && duration.isValid && duration.epoch == 0 && duration.value >= 0
    }
    /// Whether the start or duration is unknown.
    public var isIndefinite: Bool { isValid && (start.isIndefinite || duration.isIndefinite) }
    /// Whether the duration is 0.
    public var isEmpty: Bool { isValid && duration == .zero }

    /// The first time after the range.
    public var end: CMTime { CMTimeRangeGetEnd(self) }

    /// Returns the smallest range that contains both ranges.
    public func union(_ otherRange: CMTimeRange) -> CMTimeRange {
        CMTimeRangeGetUnion(self, otherRange: otherRange)
    }

    /// Returns the times that both ranges contain.
    public func intersection(_ otherRange: CMTimeRange) -> CMTimeRange {
        CMTimeRangeGetIntersection(self, otherRange: otherRange)
    }

    /// Returns whether the range contains a time.
    public func containsTime(_ time: CMTime) -> Bool { CMTimeRangeContainsTime(self, time: time) }

    /// Returns whether the range contains another.
    public func containsTimeRange(_ range: CMTimeRange) -> Bool {
        CMTimeRangeContainsTimeRange(self, otherRange: range)
    }
}

extension CMTimeRange: @retroactive Equatable {
    /// Whether two ranges have equal starts and durations.
    public static func == (left: CMTimeRange, right: CMTimeRange) -> Bool { CMTimeRangeEqual(left, right) }
}

extension CMSampleTimingInfo {
    /// Times that are all invalid.
    public static var invalid: CMSampleTimingInfo { kCMTimingInfoInvalid }
}
