// SPDX-License-Identifier: MIT

public import CAQCoreMedia

// The published functions for ranges of times. All may be called from any thread, including real-time ones.

/// Returns a range; an invalid one if the duration has an epoch.
@_cdecl("CMTimeRangeMake")
public func cmTimeRangeMake(_ start: CMTime, _ duration: CMTime) -> CMTimeRange {
    duration.epoch == 0 ? CMTimeRange(start: start, duration: duration) : .invalidRange
}

/// Returns the range from a time to another; an invalid one if they are of different epochs, or in the wrong order.
@_cdecl("CMTimeRangeFromTimeToTime")
public func cmTimeRangeFromTimeToTime(_ start: CMTime, _ end: CMTime) -> CMTimeRange {
    CMTimeRange(start: start, end: end)
}

/// Returns the first time after a range; an invalid time for an invalid range.
@_cdecl("CMTimeRangeGetEnd")
public func cmTimeRangeGetEnd(_ range: CMTimeRange) -> CMTime { range.endTime }

/// Returns the smallest range that contains both ranges; an invalid one if one of them is invalid.
@_cdecl("CMTimeRangeGetUnion")
public func cmTimeRangeGetUnion(_ range: CMTimeRange, _ otherRange: CMTimeRange) -> CMTimeRange {
    guard range.isValidRange, otherRange.isValidRange else { return .invalidRange }
    return CMTimeRange(
        start: cmTimeMinimum(range.start, otherRange.start),
        end: cmTimeMaximum(range.endTime, otherRange.endTime))
}

/// Returns the times that both ranges contain: `kCMTimeRangeZero` if there are none, an invalid range if one of the
/// ranges is invalid.
@_cdecl("CMTimeRangeGetIntersection")
public func cmTimeRangeGetIntersection(_ range: CMTimeRange, _ otherRange: CMTimeRange) -> CMTimeRange {
    guard range.isValidRange, otherRange.isValidRange else { return .invalidRange }
    let start = cmTimeMaximum(range.start, otherRange.start)
    let end = cmTimeMinimum(range.endTime, otherRange.endTime)
    guard CMTime.order(start, end) < 0 else {
        return CMTimeRange(start: .number(0, 1), duration: .number(0, 1))
    }
    return CMTimeRange(start: start, end: end)
}

/// Returns whether two ranges have equal starts and durations.
@_cdecl("CMTimeRangeEqual")
public func cmTimeRangeEqual(_ range1: CMTimeRange, _ range2: CMTimeRange) -> Bool {
    CMTime.order(range1.start, range2.start) == 0 && CMTime.order(range1.duration, range2.duration) == 0
}

/// Returns whether a range contains a time: not the one at its end.
@_cdecl("CMTimeRangeContainsTime")
public func cmTimeRangeContainsTime(_ range: CMTimeRange, _ time: CMTime) -> Bool {
    range.isValidRange && time.kind != .invalid && CMTime.order(range.start, time) <= 0
        && CMTime.order(time, range.endTime) < 0
}

/// Returns whether a range contains another.
@_cdecl("CMTimeRangeContainsTimeRange")
public func cmTimeRangeContainsTimeRange(_ range: CMTimeRange, _ otherRange: CMTimeRange) -> Bool {
    range.isValidRange && otherRange.isValidRange && CMTime.order(range.start, otherRange.start) <= 0
        && CMTime.order(otherRange.endTime, range.endTime) <= 0
}

extension CMTimeRange {
    fileprivate static var invalidRange: CMTimeRange {
        CMTimeRange(start: .kind(.invalid), duration: .kind(.invalid))
    }

    fileprivate init(start: CMTime, end: CMTime) {
        let duration = CMTime.difference(end, start)
        self = duration.isLength ? CMTimeRange(start: start, duration: duration) : .invalidRange
    }

    fileprivate var isValidRange: Bool { start.kind != .invalid && duration.isLength }

    fileprivate var endTime: CMTime { isValidRange ? CMTime.sum(start, duration) : .kind(.invalid) }
}

extension CMTime {
    /// Whether this can be the duration of a range. Infinities have the value 0.
    fileprivate var isLength: Bool {
        kind != .invalid && kind != .negativeInfinity && value >= 0 && epoch == 0
    }
}
