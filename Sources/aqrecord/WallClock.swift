import Glibc

/// The time of day for a host time.
enum WallClock {
    /// Nanoseconds since 1970 at `hostTime`, by the present state of the clocks.
    static func time(atHostTime hostTime: UInt64) -> UInt64 {
        now(CLOCK_REALTIME) &- now(CLOCK_MONOTONIC) &+ hostTime
    }

    /// `nanoseconds` since 1970 as `2026-11-21T04:56:07.123Z` (ISO 8601, UTC).
    static func text(_ nanoseconds: UInt64) -> String {
        var seconds = time_t(nanoseconds / 1_000_000_000)
        var parts = unsafe tm()
        // SAFETY: gmtime_r reads and fills locals.
        guard unsafe gmtime_r(&seconds, &parts) != nil else { return "" }
        let date =
            unsafe "\(Int(parts.tm_year) + 1900)-\(digits(Int(parts.tm_mon) + 1))-\(digits(Int(parts.tm_mday)))"
        let time =
            unsafe "\(digits(Int(parts.tm_hour))):\(digits(Int(parts.tm_min))):\(digits(Int(parts.tm_sec)))"
        return "\(date)T\(time).\(digits(Int(nanoseconds / 1_000_000 % 1000), width: 3))Z"
    }

    private static func now(_ clock: clockid_t) -> UInt64 {
        var time = timespec()
        // SAFETY: clock_gettime fills a local.
        unsafe _ = clock_gettime(clock, &time)
        return UInt64(bitPattern: Int64(time.tv_sec)) &* 1_000_000_000
            &+ UInt64(bitPattern: Int64(time.tv_nsec))
    }

    private static func digits(_ value: Int, width: Int = 2) -> String {
        let text = String(value)
        return String(repeating: "0", count: max(0, width - text.utf8.count)) + text
    }
}
