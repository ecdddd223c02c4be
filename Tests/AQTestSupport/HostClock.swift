// SPDX-License-Identifier: MIT

import Glibc

/// The host's clock, CLOCK_MONOTONIC, in nanoseconds.
public enum HostClock {
    public static var now: UInt64 {
        var time = timespec()
        unsafe clock_gettime(CLOCK_MONOTONIC, &time)
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }

    /// The host time `seconds` from now.
    public static func time(inSeconds seconds: Double) -> UInt64 { now + UInt64(seconds * 1e9) }

    /// Seconds from one host time to another, negative when `end` is the earlier.
    public static func seconds(from start: UInt64, to end: UInt64) -> Double {
        end >= start ? Double(end - start) / 1e9 : -Double(start - end) / 1e9
    }

    /// The bound on a measured time, in seconds: `seconds` with AQ_LONG=1, else at least 0.1, as a busy machine is late.
    public static func bound(_ seconds: Double) -> Double { Environment.isLong ? seconds : max(seconds, 0.1) }

    /// Waits until a host time that is the input of a test.
    public static func wait(until hostTime: UInt64) {
        while true {
            let seconds = seconds(from: now, to: hostTime)
            if seconds <= 0 { return }
            var interval = timespec(tv_sec: 0, tv_nsec: Int(min(seconds, 0.5) * 1e9))
            unsafe nanosleep(&interval, nil)
        }
    }

    /// Polls `condition` every few milliseconds until it holds; false after `seconds`.
    ///
    /// For conditions without a wait, such as another process's socket.
    public static func poll(
        upToSeconds seconds: Double, every intervalSeconds: Double = 0.005,
        until condition: () throws -> Bool
    ) rethrows -> Bool {
        let deadline = time(inSeconds: seconds)
        while try !condition() {
            if now >= deadline { return false }
            var interval = timespec(tv_sec: 0, tv_nsec: Int(intervalSeconds * 1e9))
            unsafe nanosleep(&interval, nil)
        }
        return true
    }
}
