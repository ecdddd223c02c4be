// SPDX-License-Identifier: MIT

import Glibc

/// The clock that is never set back.
public enum MonotonicClock {
    /// CLOCK_MONOTONIC now, in seconds.
    public static var seconds: Double {
        var time = timespec()
        // SAFETY: clock_gettime fills a local.
        unsafe _ = clock_gettime(CLOCK_MONOTONIC, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
