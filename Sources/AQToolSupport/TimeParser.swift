// SPDX-License-Identifier: MIT

/// Times on a command line and in a progress line.
public enum TimeParser {
    /// The longest time, over thirty years: it keeps sums of frames from overflowing.
    private static let longestSeconds = 1e9

    /// The number of seconds that `text` means: `90`, `1:30`, `1:02:03.5`, `500ms`, `10s`, `5min` or `2h`.
    ///
    /// - Parameter option: The option of the value, for the message.
    /// - Throws: ``UsageError`` if it is none of these, or negative.
    public static func seconds(_ text: String, option: String) throws(UsageError) -> Double {
        guard let seconds = seconds(text), seconds >= 0, seconds <= longestSeconds else {
            throw UsageError(
                "invalid time '\(text)' for '\(option)'; write seconds (90), 1:30, 1:02:03.5, 500ms or 10s")
        }
        return seconds
    }

    /// A time in a range.
    ///
    /// - Parameter example: A value in the range, for the message.
    /// - Throws: ``UsageError`` also for a time out of the range.
    public static func seconds(
        _ text: String, option: String, in range: ClosedRange<Double>, example: String
    ) throws(UsageError) -> Double {
        let seconds = try seconds(text, option: option)
        guard range.contains(seconds) else {
            let (least, most) = (limit(range.lowerBound), limit(range.upperBound))
            throw UsageError(
                "'\(option) \(text)' is out of range; write \(least) to \(most), such as \(example)")
        }
        return seconds
    }

    /// A limit in the largest unit in which it is a whole number, as the help writes it.
    private static func limit(_ seconds: Double) -> String {
        if seconds > 0, seconds < 1 { return "\(Int(seconds * 1000 + 0.5))ms" }
        let whole = Int(seconds)
        if whole > 60, whole % 3600 == 0 { return "\(whole / 3600)h" }
        return whole > 60 && whole % 60 == 0 ? "\(whole / 60)min" : "\(whole)s"
    }

    private static func seconds(_ text: String) -> Double? {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard let last = parts.last, parts.count > 1 else { return secondsWithUnit(text) }
        guard parts.count <= 3, let seconds = unsignedNumber(last), seconds < 60 else { return nil }
        var minutes = 0.0
        for (index, part) in parts.dropLast().enumerated() {
            guard part.utf8.allSatisfy({ $0 != UInt8(ascii: ".") }), let value = unsignedNumber(part) else {
                return nil
            }
            if index > 0 && value >= 60 { return nil }
            minutes = minutes * 60 + value
        }
        return minutes * 60 + seconds
    }

    private static func secondsWithUnit(_ text: String) -> Double? {
        let digits = text.prefix { $0.isNumber || $0 == "." }
        let unit =
            switch text[digits.endIndex...] {
            case "", "s": 1.0
            case "ms": 0.001
            case "m", "min": 60.0
            case "h": 3600.0
            default: 0.0
            }
        guard unit > 0, let value = unsignedNumber(digits) else { return nil }
        return value * unit
    }

    private static func unsignedNumber(_ text: Substring) -> Double? {
        guard let first = text.utf8.first, first != UInt8(ascii: "-"), first != UInt8(ascii: "+") else {
            return nil
        }
        return DecimalParser.number(text)
    }

    /// `seconds` as `m:ss`, or from one hour `h:mm:ss`; rounded down, as clocks do.
    public static func clock(_ seconds: Double) -> String {
        guard seconds.isFinite, seconds > 0 else { return "0:00" }
        let whole = Int(min(seconds, longestSeconds))
        let (hours, minutes) = (whole / 3600, whole / 60 % 60)
        return hours > 0
            ? "\(hours):\(Decimal.digits(minutes, count: 2)):\(Decimal.digits(whole % 60, count: 2))"
            : "\(minutes):\(Decimal.digits(whole % 60, count: 2))"
    }

    /// The elapsed and the total time: `0:12 / 3:45`, or `0:12/3:45` in compact form.
    ///
    /// - Parameter total: Nil if it is unknown.
    public static func clocks(elapsed: Double, total: Double?, isCompact: Bool = false) -> String {
        guard let total = total.map(clock) else { return clock(elapsed) }
        let elapsed = clock(elapsed)
        if isCompact { return "\(elapsed)/\(total)" }
        // Padded to the width of the total, so that the following parts do not move.
        let padding = String(repeating: " ", count: max(0, total.utf8.count - elapsed.utf8.count))
        return "\(padding)\(elapsed) / \(total)"
    }
}
