// SPDX-License-Identifier: MIT

import AQTestSupport
import CAQProcessors
import Foundation
import Glibc
import Synchronization

/// Times at which threads that were to run at once did not get a processor.
///
/// Its threads sleep for a millisecond or two, and record how much later they run.
public final class StallWatch: Sendable {
    /// The thread that records stalls.
    public enum Witness: Sendable {
        /// One of the highest priority, which waits only if no thread of the machine runs. Without permission for
        /// real-time priority nothing is recorded.
        case highestPriority
        /// One of normal priority on each processor, which waits as the threads there do. A thread that may run on any
        /// processor is given an idle one, and waits for nothing.
        case normalPriority
    }

    /// A time without a processor.
    public struct Stall: Sendable {
        /// The host time of its end, in nanoseconds.
        public var end: UInt64
        public var seconds: Double
    }

    private let shortestSeconds: Double
    private let stalls = Mutex<[Stall]>([])
    private let isEnded = Atomic<Bool>(false)

    /// Begins to record stalls of more than so many seconds.
    public init(_ witness: Witness, longerThan seconds: Double) {
        shortestSeconds = seconds
        switch witness {
        case .highestPriority:
            Thread.detachNewThread { [self] in
                var parameters = sched_param(sched_priority: sched_get_priority_max(SCHED_FIFO))
                guard unsafe pthread_setschedparam(pthread_self(), SCHED_FIFO, &parameters) == 0 else {
                    return
                }
                record(sleepingMicroseconds: 1_000)
            }
        case .normalPriority:
            // Numbers of processors may have gaps.
            for processor in (0..<1024).filter({ aq_may_use_processor(Int32($0)) }) {
                Thread.detachNewThread { [self] in
                    if aq_use_only_processor(Int32(processor)) { record(sleepingMicroseconds: 2_000) }
                }
            }
        }
    }

    private func record(sleepingMicroseconds microseconds: UInt32) {
        while !isEnded.load(ordering: .relaxed) {
            let begun = HostClock.now
            usleep(microseconds)
            let now = HostClock.now
            let seconds = HostClock.seconds(from: begun, to: now) - Double(microseconds) / 1e6
            if seconds > shortestSeconds { stalls.withLock { $0.append(Stall(end: now, seconds: seconds)) } }
        }
    }

    /// The longest stall that ended since a host time.
    public func longest(since hostTime: UInt64) -> Stall? {
        stalls.withLock { stalls in
            stalls.reversed().prefix { $0.end >= hostTime }.max { $0.seconds < $1.seconds }
        }
    }

    /// Ends, and returns all stalls, in order.
    public func end() -> [Stall] {
        isEnded.store(true, ordering: .relaxed)
        return stalls.withLock { $0 }
    }
}
