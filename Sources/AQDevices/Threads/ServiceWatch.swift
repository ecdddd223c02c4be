// SPDX-License-Identifier: MIT

import CAQRealTime
import Glibc
import Synchronization

/// Takes real-time priority from threads whose client's code does not return, because such code must not block the
/// machine.
///
/// Each begin of the code sets a timer of its thread anew, so that a timer expires only if code runs too long, or no code
/// begins for that time. A thread of a higher priority waits for the timers.
final class ServiceWatch: Sendable {
    /// The longest time for which client code keeps real-time priority: longer code is late in any case.
    static let longestNanoseconds: UInt64 = 50_000_000

    static let shared = ServiceWatch()

    /// A thread that runs a client's code with real-time priority.
    final class Thread: Sendable {
        private let request: PriorityRequest
        fileprivate let timer: ExpiryTimer
        /// The host time when the code began; 0 while none runs.
        private let begunAt = Atomic<UInt64>(0)

        /// Returns nil if the system cannot make a timer.
        init?(_ request: PriorityRequest) {
            guard let timer = ExpiryTimer() else { return nil }
            self.timer = timer
            self.request = request
        }

        /// Records that code begins, or continues after a wait.
        func begins(at hostTime: UInt64) {
            begunAt.store(hostTime, ordering: .sequentiallyConsistent)
            timer.set(ServiceWatch.longestNanoseconds)
        }

        func ended() { begunAt.store(0, ordering: .sequentiallyConsistent) }

        func giveBack() { request.giveBack() }

        /// Takes the priority permanently if the code has run too long.
        fileprivate func expired(at now: UInt64) {
            timer.clear()
            let begunAt = begunAt.load(ordering: .sequentiallyConsistent)
            guard begunAt != 0, now > begunAt else { return }
            if now - begunAt >= ServiceWatch.longestNanoseconds { request.giveBack() }
        }
    }

    private struct State {
        var threads: [Thread] = []
        var isRunning = false
        /// Expires when the threads have changed.
        var change: ExpiryTimer?
    }

    private let state = Monitor(State())

    /// Adds a thread.
    ///
    /// - Returns: False if the thread that waits for the timers cannot be created.
    func add(_ thread: Thread) -> Bool {
        state.withLock { state in
            if state.change == nil { state.change = ExpiryTimer() }
            guard let change = state.change else { return false }
            if !state.isRunning {
                guard DetachedThread.start(named: "aq priority", { [self] in run(change) }) == 0 else {
                    return false
                }
                state.isRunning = true
            }
            state.threads.append(thread)
            change.set(1)
            return true
        }
    }

    func remove(_ thread: Thread) {
        state.withLock { state in
            state.threads.removeAll { $0 === thread }
            state.change?.set(1)
        }
    }

    private func run(_ change: ExpiryTimer) {
        _ = aq_schedule_in_real_time(Int32(ThreadPriority.realTimePriority))
        while true {
            let threads = state.withLock { state in
                change.clear()
                state.isRunning = !state.threads.isEmpty
                return state.threads
            }
            if threads.isEmpty { return }
            ExpiryTimer.waitForAny(of: [change] + threads.map(\.timer))
            for thread in threads where thread.timer.hasExpired { thread.expired(at: aq_host_time()) }
        }
    }
}
