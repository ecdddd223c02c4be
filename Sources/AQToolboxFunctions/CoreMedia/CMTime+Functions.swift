// SPDX-License-Identifier: MIT

public import CAQCoreMedia
import Glibc

// The published functions for times. All may be called from any thread, including real-time ones, except
// `CMTimeShow`.

/// Returns value / timescale seconds; an invalid time if the timescale is not positive.
@_cdecl("CMTimeMake")
public func cmTimeMake(_ value: Int64, _ timescale: Int32) -> CMTime { .number(value, timescale) }

/// Returns value / timescale seconds in an epoch; an invalid time if the timescale is not positive.
@_cdecl("CMTimeMakeWithEpoch")
public func cmTimeMakeWithEpoch(_ value: Int64, _ timescale: Int32, _ epoch: Int64) -> CMTime {
    .number(value, timescale, epoch: epoch)
}

/// Returns a number of seconds, rounded to the nearest unit.
///
/// If the value does not fit, the timescale is halved until it does. If it does not even with timescale 1, the
/// time is infinite. NaN and a timescale that is not positive make an invalid time.
@_cdecl("CMTimeMakeWithSeconds")
public func cmTimeMakeWithSeconds(_ seconds: Float64, _ preferredTimescale: Int32) -> CMTime {
    .seconds(seconds, timescale: preferredTimescale)
}

/// Returns the seconds of a time, without its epoch; NaN for one that is unknown or invalid.
@_cdecl("CMTimeGetSeconds")
public func cmTimeGetSeconds(_ time: CMTime) -> Float64 {
    switch time.kind {
    case .number: Float64(time.value) / Float64(time.timescale)
    case .positiveInfinity: .infinity
    case .negativeInfinity: -.infinity
    case .indefinite, .invalid: .nan
    }
}

/// Returns a time with another timescale; infinity if the value does not fit.
///
/// A time that is not a number is returned as it is. For a timescale that is not positive the result is invalid.
/// An unknown method is the default one.
@_cdecl("CMTimeConvertScale")
public func cmTimeConvertScale(
    _ time: CMTime, _ newTimescale: Int32, _ method: CMTimeRoundingMethod
) -> CMTime {
    guard time.kind == .number else { return .kind(time.kind) }
    guard newTimescale > 0 else { return .kind(.invalid) }
    guard newTimescale != time.timescale,
        let seconds = ExactSeconds(Int128(time.value), over: Int128(time.timescale))
    else { return time }
    let isQuickTime = method == .quickTime
    let isCoarser = newTimescale < time.timescale
    var (value, isExact) = seconds.value(
        timescale: newTimescale,
        isQuickTime ? (isCoarser ? .roundTowardZero : .roundAwayFromZero) : method)
    if isQuickTime, value == 0, time.value < 0 { value = -1 }
    guard let value = Int64(exactly: value) else { return .infinity(isNegative: time.value < 0) }
    return .number(value, newTimescale, epoch: time.epoch, isRounded: time.isRounded || !isExact)
}

/// Returns the sum of two times.
///
/// The timescale is that of both, or their least common multiple, or the largest if that is too large. If the value
/// does not fit, it is halved until the value does; if it never does, the result is infinite. The result of epochs
/// that differ, and of infinities of both signs, is invalid.
@_cdecl("CMTimeAdd")
public func cmTimeAdd(_ left: CMTime, _ right: CMTime) -> CMTime { .sum(left, right) }

/// Returns the difference of two times, as ``cmTimeAdd(_:_:)``.
@_cdecl("CMTimeSubtract")
public func cmTimeSubtract(_ left: CMTime, _ right: CMTime) -> CMTime { .difference(left, right) }

/// Returns the product of a time and an integer, with the same timescale if the value fits.
@_cdecl("CMTimeMultiply")
public func cmTimeMultiply(_ time: CMTime, _ multiplier: Int32) -> CMTime { time.times(Int64(multiplier)) }

/// Returns the product of a time and a number.
///
/// The timescale is doubled until it is 65536 at least. A factor that is not a number makes the result invalid, and
/// so does an infinite factor of a time of 0. An infinite time remains infinite, also if the factor is 0.
@_cdecl("CMTimeMultiplyByFloat64")
public func cmTimeMultiplyByFloat64(_ time: CMTime, _ multiplier: Float64) -> CMTime {
    switch time.kind {
    case .number: break
    case .negativeInfinity, .positiveInfinity:
        if multiplier.isNaN { return .kind(.invalid) }
        return .kind(multiplier < 0 ? time.kind.negated : time.kind)
    case .indefinite, .invalid: return .kind(time.kind)
    }
    let isNegative = (time.value < 0) != (multiplier < 0)
    guard multiplier.isFinite else {
        return multiplier.isNaN || time.value == 0 ? .kind(.invalid) : .infinity(isNegative: isNegative)
    }
    guard let product = ExactSeconds(time, times: multiplier) else {
        return .infinity(isNegative: isNegative)
    }
    var timescale = time.timescale
    while timescale < 65_536 { timescale *= 2 }
    return product.time(timescale: timescale, epoch: time.epoch, isRounded: time.isRounded)
}

/// Returns -1, 0 or 1 if the first time is less than, equal to or greater than the second.
@_cdecl("CMTimeCompare")
public func cmTimeCompare(_ time1: CMTime, _ time2: CMTime) -> Int32 { CMTime.order(time1, time2) }

/// Returns the lesser time, or the first if they are equal.
@_cdecl("CMTimeMinimum")
public func cmTimeMinimum(_ time1: CMTime, _ time2: CMTime) -> CMTime {
    CMTime.order(time1, time2) <= 0 ? time1 : time2
}

/// Returns the greater time, or the first if they are equal.
@_cdecl("CMTimeMaximum")
public func cmTimeMaximum(_ time1: CMTime, _ time2: CMTime) -> CMTime {
    CMTime.order(time1, time2) >= 0 ? time1 : time2
}

/// Returns a time without its sign.
@_cdecl("CMTimeAbsoluteValue")
public func cmTimeAbsoluteValue(_ time: CMTime) -> CMTime {
    switch time.kind {
    case .number: time.value < 0 ? time.times(-1) : time
    case .negativeInfinity: .kind(.positiveInfinity)
    case .positiveInfinity, .indefinite, .invalid: .kind(time.kind)
    }
}

/// Prints a time to standard error: `{1/10 = 0.100}`.
@_cdecl("CMTimeShow")
public func cmTimeShow(_ time: CMTime) {
    let line = Array("\(time.summary)\n".utf8)
    _ = unsafe write(STDERR_FILENO, line, line.count)
}

extension CMTime {
    /// The text of `CMTimeShow`.
    fileprivate var summary: String {
        switch kind {
        case .invalid: return "{INVALID}"
        case .indefinite: return "{INDEFINITE}"
        case .positiveInfinity: return "{+INFINITY}"
        case .negativeInfinity: return "{-INFINITY}"
        case .number: break
        }
        let (whole, rest) = value.magnitude.quotientAndRemainder(dividingBy: UInt64(timescale))
        let thousandths = String(rest * 1000 / UInt64(timescale))
        let fraction = String(repeating: "0", count: 3 - thousandths.count) + thousandths
        var text = "{\(value)/\(timescale) = \(value < 0 ? "-" : "")\(whole).\(fraction)"
        if epoch != 0 { text += ", epoch=\(epoch)" }
        if isRounded { text += ", rounded" }
        return text + "}"
    }
}
