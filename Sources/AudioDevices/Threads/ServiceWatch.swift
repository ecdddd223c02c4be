import CRealTime
import Synchronization

/// Takes real-time priority from threads whose client's code does not return: such code must not stop the machine.
///
/// A thread of a higher priority checks them every 25 ms, while there are any.
final class ServiceWatch: Sendable {
    /// Code that runs this long is too late for any purpose of real-time priority.
    static let longestNanoseconds: UInt64 = 50_000_000
    private static let nanosecondsBetweenChecks: UInt64 = 25_000_000

    static let shared = ServiceWatch()

    /// A thread that runs code of a client in real time.
    final class Thread: Sendable {
        private let request: PriorityRequest
        /// The host time when the code began; 0 while none runs.
        private let begunAt = Atomic<UInt64>(0)

        init(_ request: PriorityRequest) { self.request = request }

        func begins(at hostTime: UInt64) { begunAt.store(hostTime, ordering: .relaxed) }

        func ended() { begunAt.store(0, ordering: .relaxed) }

        func giveBack() { request.giveBack() }

        /// Takes the priority permanently if the code has run too long.
        fileprivate func check(at now: UInt64) {
            let begunAt = begunAt.load(ordering: .relaxed)
            if begunAt != 0, now > begunAt, now - begunAt >= ServiceWatch.longestNanoseconds {
                request.giveBack()
            }
        }
    }

    private struct State {
        var threads: [Thread] = []
        var isRunning = false
    }

    private let state = Monitor(State())

    /// Adds a thread.
    ///
    /// - Returns: False if there is no thread that could watch it.
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

    private func run() {
        _ = aq_schedule_in_real_time(Int32(ThreadPriority.realTimePriority))
        while true {
            let next = aq_host_time() + ServiceWatch.nanosecondsBetweenChecks
            _ = state.wait(until: next) { !$0.threads.isEmpty }
            let isOver = state.withLock { state in
                state.isRunning = !state.threads.isEmpty
                for thread in state.threads { thread.check(at: aq_host_time()) }
                return !state.isRunning
            }
            if isOver { return }
        }
    }
}
