// SPDX-License-Identifier: MIT

import AQToolSupport

/// Durations in digits.
enum DurationText {
    /// A text such as `0:03:25.123`: hours, minutes, seconds and milliseconds, rounded.
    static func full(_ seconds: Double) -> String {
        guard seconds.isFinite, seconds.magnitude < 1e12 else { return "?" }
        let milliseconds = Int64((seconds.magnitude * 1000).rounded())
        let (hours, minutes) = (milliseconds / 3_600_000, milliseconds / 60_000 % 60)
        let (whole, fraction) = (milliseconds / 1000 % 60, milliseconds % 1000)
        let sign = seconds < 0 && milliseconds > 0 ? "-" : ""
        let clock = "\(hours):\(Decimal.digits(minutes, count: 2)):\(Decimal.digits(whole, count: 2))"
        return "\(sign)\(clock).\(Decimal.digits(fraction, count: 3))"
    }

    /// A text such as `3:25.1` or `1:03:25`, for a scale.
    static func short(_ seconds: Double) -> String {
        guard seconds < 60 else { return TimeParser.clock(seconds) }
        return "0:\(seconds < 9.95 ? "0" : "")\(Decimal.text(seconds, decimals: 1))"
    }
}
