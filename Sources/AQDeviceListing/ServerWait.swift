// SPDX-License-Identifier: MIT

import AQDevices
import Glibc
public import AQToolSupport

/// The wait for a sound server at the start of a tool.
public enum ServerWait {
    private static let pollMicroseconds: UInt32 = 100_000

    /// Waits until a sound server answers, at most `seconds`. If none does, the device reports the reason.
    ///
    /// Signals have their default actions, so Ctrl-C ends the process.
    public static func wait(seconds: Double, _ console: Console) {
        let end = MonotonicClock.seconds + seconds
        var hasReported = false
        while true {
            let left = end - MonotonicClock.seconds
            guard left > 0 else { return }
            if (try? PulseDevice.list(timeoutSeconds: min(left, 5))) != nil { return }
            if !hasReported {
                let limit = Decimal.text(seconds, decimals: seconds < 10 ? 1 : 0)
                console.warning("no sound server answers; waiting up to \(limit) s")
                hasReported = true
            }
            usleep(pollMicroseconds)
        }
    }
}
