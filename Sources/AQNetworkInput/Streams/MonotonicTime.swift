// SPDX-License-Identifier: MIT

import Glibc

/// The clock that measures durations.
enum MonotonicTime {
    /// The time in nanoseconds since an arbitrary moment.
    static var nanoseconds: UInt64 {
        var time = timespec()
        unsafe clock_gettime(CLOCK_MONOTONIC, &time)
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }

    static var seconds: Double { Double(nanoseconds) / 1e9 }
}
