// SPDX-License-Identifier: MIT

import Foundation
import Glibc
import Synchronization

/// Times at which the whole machine stood still: a thread of the highest priority that should run each millisecond did
/// not.
///
/// Audio that is late then, is late in every program. Needs permission for real-time priority; without it nothing is
/// recorded.
public final class StallWatch: Sendable {
    /// A time without any thread of this machine.
    public struct Stall: Sendable {
        /// The host time of its end, in nanoseconds.
        public var end: UInt64
        public var seconds: Double
    }

    private static let shortest: UInt64 = 1_500_000
    private let stalls = Mutex<[Stall]>([])
    private let isEnded = Atomic<Bool>(false)

    public init() {
        Thread.detachNewThread { [self] in
            var parameters = sched_param(sched_priority: sched_get_priority_max(SCHED_FIFO))
            guard unsafe pthread_setschedparam(pthread_self(), SCHED_FIFO, &parameters) == 0 else { return }
            while !isEnded.load(ordering: .relaxed) {
                let begun = HostClock.now
                usleep(1000)
                let (now, shortest) = (HostClock.now, Self.shortest)
                guard now - begun > 1_000_000 + shortest else { continue }
                let stall = Stall(end: now, seconds: Double(now - begun - 1_000_000) / 1e9)
                stalls.withLock { $0.append(stall) }
            }
        }
    }

    /// Ends, and returns all stalls longer than 1.5 ms, in order.
    public func end() -> [Stall] {
        isEnded.store(true, ordering: .relaxed)
        return stalls.withLock { $0 }
    }
}
