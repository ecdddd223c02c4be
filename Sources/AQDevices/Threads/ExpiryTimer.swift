// SPDX-License-Identifier: MIT

import CAQRealTime
import Glibc

/// A timer that any thread sets, and for which one thread waits. Setting it wakes no thread, and never waits.
final class ExpiryTimer: Sendable {
    private let descriptor: Int32

    /// Returns nil if the system has no descriptor left.
    init?() {
        descriptor = aq_timer_make()
        if descriptor < 0 { return nil }
    }

    deinit { if descriptor >= 0 { _ = close(descriptor) } }

    /// Makes the timer expire after a time, instead of at any time set before.
    func set(_ nanoseconds: UInt64) { aq_timer_set(descriptor, nanoseconds) }

    /// Makes the timer wait for its next setting.
    func clear() { aq_timer_clear(descriptor) }

    var hasExpired: Bool {
        var entry = entry
        return unsafe poll(&entry, 1, 0) == 1
    }

    private var entry: pollfd { pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0) }

    /// Waits until a timer has expired.
    static func waitForAny(of timers: [ExpiryTimer]) {
        var entries = timers.map(\.entry)
        // A signal ends the wait too, which does no harm.
        _ = unsafe poll(&entries, nfds_t(entries.count), -1)
    }
}
