import CRealTime
import Synchronization

/// A thread's request for a higher priority, and the result. From any thread.
package final class PriorityRequest: Sendable {
    package enum Priority: Sendable {
        /// Runs as soon as it is woken, before all other threads.
        case realTime
        /// Gets more processor time than normal threads.
        case high
    }

    package enum Answer: UInt8, Sendable, AtomicRepresentable {
        /// RealtimeKit has not answered; until then the thread has normal priority.
        case awaited
        /// The kernel allowed it.
        case granted
        /// The kernel refused it, RealtimeKit granted it.
        case grantedByRealtimeKit
        /// It was granted, and returned because the thread had too much to do.
        case givenBack
        /// Both refused it.
        case refused
        /// The kernel refused it, and no RealtimeKit answers.
        case nobodyToAsk
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

    /// Restores normal priority if the request was granted. From any thread, while the thread exists.
    package func giveBack() {
        switch answer {
        case .granted, .grantedByRealtimeKit:
            if aq_schedule_thread_as_usual(thread) == 0 { settle(.givenBack) }
        case .awaited, .givenBack, .refused, .nobodyToAsk: break
        }
    }

    func settle(_ answer: Answer) { state.store(answer, ordering: .releasing) }
}
