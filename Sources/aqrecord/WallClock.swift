// SPDX-License-Identifier: MIT

import Glibc
import AQToolSupport

/// Converts host times to the time of day.
enum WallClock {
    /// Returns the nanoseconds since 1970 at `hostTime`, from the current difference between the clocks.
    static func time(atHostTime hostTime: UInt64) -> UInt64 {
        now(CLOCK_REALTIME) &- now(CLOCK_MONOTONIC) &+ hostTime
    }

    /// `nanoseconds` since 1970 as `2026-11-21T04:56:07.123Z` (ISO 8601, UTC).
    static func text(_ nanoseconds: UInt64) -> String {
        var seconds = time_t(nanoseconds / 1_000_000_000)
        var parts = unsafe tm()
        // SAFETY: gmtime_r reads and fills locals.
        guard unsafe gmtime_r(&seconds, &parts) != nil else { return "" }
        let date = unsafe [parts.tm_year + 1900, parts.tm_mon + 1, parts.tm_mday]
        let time = unsafe [parts.tm_hour, parts.tm_min, parts.tm_sec]
        let milliseconds = Decimal.digits(nanoseconds / 1_000_000 % 1000, count: 3)
        return "\(joined(date, "-"))T\(joined(time, ":")).\(milliseconds)Z"
    }

    private static func now(_ clock: clockid_t) -> UInt64 {
        var time = timespec()
        // SAFETY: clock_gettime fills a local.
        unsafe _ = clock_gettime(clock, &time)
        return UInt64(bitPattern: Int64(time.tv_sec)) &* 1_000_000_000
            &+ UInt64(bitPattern: Int64(time.tv_nsec))
    }

    private static func joined(_ parts: [Int32], _ separator: String) -> String {
        parts.map { Decimal.digits($0, count: 2) }.joined(separator: separator)
    }
}
