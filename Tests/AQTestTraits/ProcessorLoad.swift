// SPDX-License-Identifier: MIT

import AQTestSupport

/// The time that all processors spend on programs of normal and higher priority, since a moment.
struct ProcessorLoad {
    private var hostTime = HostClock.now
    private var times = ProcessorLoad.times()

    /// The share of the processors' time that was used since the last answer, 0 to 1. Nil if that was less than
    /// `seconds` ago.
    mutating func share(overSeconds seconds: Double) -> Double? {
        guard HostClock.seconds(from: hostTime, to: HostClock.now) >= seconds * 0.9 else { return nil }
        let last = times
        self = ProcessorLoad()
        let total = times.total - last.total
        return total > 0 ? Double(times.busy - last.busy) / Double(total) : 0
    }

    /// The sums of all processors since the system started, in ticks.
    private static func times() -> (busy: Int, total: Int) {
        let text = String(decoding: SystemFile.contents(ofPath: "/proc/stat"), as: UTF8.self)
        // user, nice, system, idle, iowait, irq, softirq, steal
        let ticks = text.prefix { $0 != "\n" }.split(separator: " ").dropFirst().prefix(8).compactMap {
            Int($0)
        }
        guard ticks.count == 8 else { return (0, 0) }
        let total = ticks.reduce(0, +)
        return (total - ticks[1] - ticks[3] - ticks[4], total)
    }
}
