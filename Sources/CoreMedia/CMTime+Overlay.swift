// SPDX-License-Identifier: MIT

// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import CAQCoreMedia

extension CMTime {
    /// Makes a time of value / timescale seconds; an invalid one if the timescale is not positive.
    public init(value: CMTimeValue, timescale: CMTimeScale) {
        self = CMTimeMake(value: value, timescale: timescale)
    }

    /// Makes a time of a number of seconds, rounded to the nearest unit of the timescale.
    public init(seconds: Double, preferredTimescale: CMTimeScale) {
        self = CMTimeMakeWithSeconds(seconds, preferredTimescale: preferredTimescale)
    }

    /// An invalid time.
    public static var invalid: CMTime { kCMTimeInvalid }
    /// A valid time that is unknown.
    public static var indefinite: CMTime { kCMTimeIndefinite }
    /// A time after every number.
    public static var positiveInfinity: CMTime { kCMTimePositiveInfinity }
    /// A time before every number.
    public static var negativeInfinity: CMTime { kCMTimeNegativeInfinity }
    /// 0.
    public static var zero: CMTime { kCMTimeZero }

    /// Whether the time is valid.
    public var isValid: Bool { flags.contains(.valid) }
    /// Whether the time is later than every number.
    public var isPositiveInfinity: Bool { isValid && flags.contains(.positiveInfinity) }
    /// Whether the time is earlier than every number.
    public var isNegativeInfinity: Bool { isValid && flags.contains(.negativeInfinity) }
    /// Whether the time is unknown.
    public var isIndefinite: Bool { isValid && flags.contains(.indefinite) }
    /// Whether the time is a number.
    public var isNumeric: Bool { isValid && flags.isDisjoint(with: .impliedValueFlagsMask) }
    /// Whether the time is a number that is not exact.
    public var hasBeenRounded: Bool { isNumeric && flags.contains(.hasBeenRounded) }

    /// The seconds; infinity for an infinite time, NaN for one that is unknown or invalid.
    public var seconds: Double { CMTimeGetSeconds(self) }

    /// Returns the time with another timescale.
    public func convertScale(_ newTimescale: CMTimeScale, method: CMTimeRoundingMethod) -> CMTime {
        CMTimeConvertScale(self, timescale: newTimescale, method: method)
    }
}

extension CMTime: @retroactive Comparable {
    /// Whether two times are equal, as `CMTimeCompare` orders them: 1/2 equals 2/4.
    public static func == (left: CMTime, right: CMTime) -> Bool { CMTimeCompare(left, right) == 0 }
    /// Whether a time is less than another, as `CMTimeCompare` orders them.
    public static func < (left: CMTime, right: CMTime) -> Bool { CMTimeCompare(left, right) < 0 }

    /// The sum of two times.
    public static func + (left: CMTime, right: CMTime) -> CMTime { CMTimeAdd(left, right) }
    /// The difference of two times.
    public static func - (left: CMTime, right: CMTime) -> CMTime { CMTimeSubtract(left, right) }
    /// Adds a time.
    public static func += (left: inout CMTime, right: CMTime) { left = left + right }
    /// Subtracts a time.
    public static func -= (left: inout CMTime, right: CMTime) { left = left - right }
}

/// Whether a time is valid.
public func CMTIME_IS_VALID(_ time: CMTime) -> Bool { time.isValid }
/// Whether a time is not valid.
public func CMTIME_IS_INVALID(_ time: CMTime) -> Bool { !time.isValid }
/// Whether a time is later than every number.
public func CMTIME_IS_POSITIVEINFINITY(_ time: CMTime) -> Bool { time.isPositiveInfinity }
/// Whether a time is earlier than every number.
public func CMTIME_IS_NEGATIVEINFINITY(_ time: CMTime) -> Bool { time.isNegativeInfinity }
/// Whether a time is unknown.
public func CMTIME_IS_INDEFINITE(_ time: CMTime) -> Bool { time.isIndefinite }
/// Whether a time is a number.
public func CMTIME_IS_NUMERIC(_ time: CMTime) -> Bool { time.isNumeric }
/// Whether a time is a number that is not exact.
public func CMTIME_HAS_BEEN_ROUNDED(_ time: CMTime) -> Bool { time.hasBeenRounded }
