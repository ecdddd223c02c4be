// SPDX-License-Identifier: MIT

import CAQRealTime
import Synchronization

/// A thread's request for a higher priority, and the result. May be used from any thread.
package final class PriorityRequest: Sendable {
    package enum Priority: Sendable {
        /// Runs as soon as it is woken, before all other threads.
        case realTime
        /// Gets more processor time than normal threads.
        case high
    }

    package enum Answer: UInt8, Sendable, AtomicRepresentable {
        /// RealtimeKit has not answered; the thread has normal priority.
        case awaited
        /// The kernel granted the priority.
        case granted
        /// The kernel refused the priority, and RealtimeKit granted it.
        case grantedByRealtimeKit
        /// The priority was granted, and given up because the thread had too much work.
        case givenBack
        /// The kernel refused the priority, and RealtimeKit refused it too or was not asked.
        case refused
        /// The kernel refused the priority, and no RealtimeKit answers.
        case unavailable
    }

    package let priority: Priority
    /// The kernel's thread ID.
    let thread: Int32
    private let state = Atomic<Answer>(.awaited)

    init(_ priority: Priority, thread: Int32) {
        self.priority = priority
        self.thread = thread
    }

    package var answer: Answer { state.load(ordering: .acquiring) }

    /// Restores normal priority if the request was granted. May be called from any thread while the requesting thread
    /// exists.
    package func giveBack() {
        switch answer {
        case .granted, .grantedByRealtimeKit:
            if aq_schedule_thread_as_usual(thread) == 0 { settle(.givenBack) }
        case .awaited, .givenBack, .refused, .unavailable: break
        }
    }

    func settle(_ answer: Answer) { state.store(answer, ordering: .releasing) }
}
