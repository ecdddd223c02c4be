// SPDX-License-Identifier: MIT

import Glibc

/// The scheduling of a thread, as the system granted it.
struct GrantedPriority: Equatable, Sendable {
    enum Level: String, Sendable {
        /// Runs as soon as it is woken, before all normal threads.
        case realTime
        /// Gets more processor time than normal threads.
        case high
        case normal
    }

    var level: Level
    /// The real-time priority, or the nice value.
    var value: Int

    /// The scheduling of the calling thread.
    static var ofCallingThread: GrantedPriority {
        // The flag that children do not inherit the priority.
        let policy = sched_getscheduler(0) & ~resetOnFork
        if policy == SCHED_RR || policy == SCHED_FIFO {
            var parameters = sched_param()
            // SAFETY: sched_getparam fills a local.
            unsafe _ = sched_getparam(0, &parameters)
            return GrantedPriority(level: .realTime, value: Int(parameters.sched_priority))
        }
        // 0 is the calling thread, in spite of POSIX.
        let nice = Int(getpriority(Int32(PRIO_PROCESS.rawValue), 0))
        return GrantedPriority(level: nice < 0 ? .high : .normal, value: nice)
    }

    private static let resetOnFork: Int32 = 0x4000_0000

    /// The text of the report.
    ///
    /// - Parameter kernelGrantsHigh: Whether the kernel grants this process high priority. If it does not, RealtimeKit
    ///   has granted it. Real-time priority for callbacks is requested from the kernel only.
    func text(kernelGrantsHigh: Bool) -> String {
        switch level {
        case .realTime: "real-time, priority \(value), granted by the kernel"
        case .high: "high, nice value \(value), granted by \(kernelGrantsHigh ? "the kernel" : "RealtimeKit")"
        case .normal: "normal, nice value \(value): neither the kernel nor RealtimeKit granted more"
        }
    }

    /// Whether the kernel grants this process high priority. Called on the main thread.
    static var isHighGrantedByKernel: Bool {
        let nice = getpriority(Int32(PRIO_PROCESS.rawValue), 0)
        guard setpriority(Int32(PRIO_PROCESS.rawValue), 0, nice - 1) == 0 else { return false }
        _ = setpriority(Int32(PRIO_PROCESS.rawValue), 0, nice)
        return true
    }
}
