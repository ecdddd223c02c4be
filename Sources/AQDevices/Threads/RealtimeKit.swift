// SPDX-License-Identifier: MIT

import CAQRealTimeKit

/// Asks RealtimeKit, the daemon that grants priorities on desktops, for priorities that the kernel refused.
///
/// This requires communication with other processes, so a separate thread does it. The thread is created when there is
/// a request, and ends when there is none. If the daemon refuses a priority or does not answer, it is not asked for
/// that priority again.
final class RealtimeKit: Sendable {
    /// The instance that uses the system's message bus.
    static let shared = RealtimeKit()

    /// The maximum number of threads of this process that get high priority from RealtimeKit.
    static let greatestNumberOfHighThreads = 8

    private struct State {
        var waiting: [PriorityRequest] = []
        var hasHelper = false
        var highThreads = 0
        /// Answers that apply to all further requests.
        var known: [PriorityRequest.Priority: PriorityRequest.Answer] = [:]

        mutating func settle(_ priority: PriorityRequest.Priority, _ answer: PriorityRequest.Answer) {
            known[priority] = answer
            for request in waiting where request.priority == priority { request.settle(answer) }
            waiting.removeAll { $0.priority == priority }
        }
    }

    private let address: String?
    private let state = Monitor(State())

    /// - Parameter address: The D-Bus address of a bus; nil for the system bus.
    init(address: String? = nil) { self.address = address }

    /// Makes the helper thread send `request`, and returns at once.
    func ask(for request: PriorityRequest) {
        let needsHelper = state.withLock { state in
            if let answer = state.known[request.priority] {
                request.settle(answer)
                return false
            }
            state.waiting.append(request)
            defer { state.hasHelper = true }
            return !state.hasHelper
        }
        guard needsHelper else { return }
        let status = DetachedThread.start(named: "aq priority") { [self] in serve() }
        if status != 0 {
            state.withLock { state in
                for request in state.waiting { request.settle(.unavailable) }
                state.waiting = []
                state.hasHelper = false
            }
        }
    }

    private func serve() {
        guard let kit = unsafe aq_rtkit_open(address) else {
            state.withLock { state in
                state.settle(.realTime, .unavailable)
                state.settle(.high, .unavailable)
                state.hasHelper = false
            }
            return
        }
        while let request = next() {
            let answer =
                switch request.priority {
                case .realTime:
                    unsafe aq_rtkit_make_real_time(kit, request.thread, ThreadPriority.realTimePriority)
                case .high:
                    unsafe aq_rtkit_make_high_priority(kit, request.thread, ThreadPriority.niceValue)
                }
            settle(request, answer)
        }
        unsafe aq_rtkit_close(kit)
    }

    private func next() -> PriorityRequest? {
        state.withLock { state in
            if state.waiting.isEmpty {
                state.hasHelper = false
                return nil
            }
            return state.waiting.removeFirst()
        }
    }

    private func settle(_ request: PriorityRequest, _ answer: aq_rtkit_answer) {
        state.withLock { state in
            if answer == aq_rtkit_granted {
                if request.priority == .high { state.highThreads += 1 }
                if state.highThreads == RealtimeKit.greatestNumberOfHighThreads {
                    state.settle(.high, .refused)
                }
                request.settle(.grantedByRealtimeKit)
                return
            }
            let failure: PriorityRequest.Answer = answer == aq_rtkit_refused ? .refused : .unavailable
            // The failure does not apply to other threads if the requesting thread has ended.
            if aq_rtkit_has_thread(request.thread) { state.settle(request.priority, failure) }
            request.settle(failure)
        }
    }
}
