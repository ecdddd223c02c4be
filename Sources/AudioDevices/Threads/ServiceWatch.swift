// SPDX-License-Identifier: MIT

import CRealTime
import Synchronization

/// Takes real-time priority from threads whose client's code does not return, because such code must not block the
/// machine.
///
/// A thread of a higher priority checks them every 50 ms, until none of them has run client code for a second.
final class ServiceWatch: Sendable {
    /// The time after which client code loses real-time priority at the next check: it is late in any case. Both times
    /// together must be less than the kernel's limit, 150 ms, after which it ends the process (``ThreadPriority``).
    static let longestNanoseconds: UInt64 = 50_000_000
    private static let nanosecondsBetweenChecks: UInt64 = 50_000_000
    private static let checksBeforeRest = 20

    static let shared = ServiceWatch()

    /// A thread that runs a client's code with real-time priority.
    final class Thread: Sendable {
        private let request: PriorityRequest
        /// The host time when the code began; 0 while none runs.
        private let begunAt = Atomic<UInt64>(0)
        /// Whether code has begun since the last check.
        private let hasBegun = Atomic<Bool>(false)

        init(_ request: PriorityRequest) { self.request = request }

        /// Records that code begins, or continues after a wait.
        func begins(at hostTime: UInt64) {
            begunAt.store(hostTime, ordering: .relaxed)
            hasBegun.store(true, ordering: .sequentiallyConsistent)
            ServiceWatch.shared.wakeIfResting()
        }

        func ended() { begunAt.store(0, ordering: .relaxed) }

        func giveBack() { request.giveBack() }

        /// Takes the priority permanently if the code has run too long.
        ///
        /// - Returns: True if code has run since the last check.
        fileprivate func check(at now: UInt64) -> Bool {
            let begunAt = begunAt.load(ordering: .relaxed)
            if begunAt != 0, now > begunAt, now - begunAt >= ServiceWatch.longestNanoseconds {
                request.giveBack()
            }
            return hasBegun.exchange(false, ordering: .sequentiallyConsistent) || begunAt != 0
        }
    }

    private struct State {
        var threads: [Thread] = []
        var isRunning = false
    }

    private let state = Monitor(State())
    /// Whether the watch's thread waits until code begins.
    private let isResting = Atomic<Bool>(false)

    /// Adds a thread.
    ///
    /// - Returns: False if the thread that checks the others cannot be created.
    func add(_ thread: Thread) -> Bool {
        state.withLock { state in
            if !state.isRunning {
                guard DetachedThread.start(named: "aq priority", { [self] in run() }) == 0 else {
                    return false
                }
                state.isRunning = true
            }
            state.threads.append(thread)
            return true
        }
    }

    func remove(_ thread: Thread) {
        state.withLock { $0.threads.removeAll { $0 === thread } }
        state.notifyAll()
    }

    private func wakeIfResting() {
        guard isResting.load(ordering: .sequentiallyConsistent) else { return }
        state.withLock { _ in isResting.store(false, ordering: .relaxed) }
        state.notifyAll()
    }

    private func run() {
        _ = aq_schedule_in_real_time(Int32(ThreadPriority.realTimePriority))
        var idleChecks = 0
        while true {
            isResting.store(idleChecks >= ServiceWatch.checksBeforeRest, ordering: .sequentiallyConsistent)
            let isActive = state.withLock { state in
                // `check` is the left operand, so that every thread is checked.
                state.threads.reduce(false) { $1.check(at: aq_host_time()) || $0 }
            }
            if isActive {
                idleChecks = 0
                isResting.store(false, ordering: .relaxed)
            } else {
                idleChecks += 1
            }
            let isLong = isResting.load(ordering: .relaxed)
            let next = aq_host_time() + ServiceWatch.nanosecondsBetweenChecks
            _ = state.wait(until: isLong ? .max : next) { state in
                !state.threads.isEmpty && (!isLong || isResting.load(ordering: .relaxed))
            }
            if isLong { idleChecks = 0 }
            let isOver = state.withLock { state in
                state.isRunning = !state.threads.isEmpty
                return !state.isRunning
            }
            if isOver { return }
        }
    }
}
