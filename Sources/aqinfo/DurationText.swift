import ToolSupport

/// Durations in digits.
enum DurationText {
    /// `0:03:25.123`: hours, minutes, seconds and milliseconds, rounded.
    static func full(_ seconds: Double) -> String {
        guard seconds.isFinite, seconds.magnitude < 1e12 else { return "?" }
        let milliseconds = Int64((seconds.magnitude * 1000).rounded())
        let (hours, minutes) = (milliseconds / 3_600_000, milliseconds / 60_000 % 60)
        let (whole, fraction) = (milliseconds / 1000 % 60, milliseconds % 1000)
        let sign = seconds < 0 && milliseconds > 0 ? "-" : ""
        return "\(sign)\(hours):\(digits(minutes, 2)):\(digits(whole, 2)).\(digits(fraction, 3))"
    }

    /// `3:25.1` or `1:03:25`, for a scale.
    static func short(_ seconds: Double) -> String {
        guard seconds < 60 else { return TimeParser.clock(seconds) }
        return "0:\(seconds < 9.95 ? "0" : "")\(Decimal.text(seconds, decimals: 1))"
    }

    private static func digits(_ value: Int64, _ count: Int) -> String {
        let text = String(value)
        return String(repeating: "0", count: max(0, count - text.utf8.count)) + text
    }
}
