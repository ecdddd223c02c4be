import CRealTime
import Synchronization

/// A thread's wish to run before others, and what became of it. From any thread.
package final class PriorityRequest: Sendable {
    package enum Wish: Sendable {
        /// To run as soon as it is woken, whatever else runs.
        case realTime
        /// To get more of the processor than usual threads.
        case high
    }

    package enum Answer: UInt8, Sendable, AtomicRepresentable {
        /// RealtimeKit has not answered yet; the thread runs as any other until it does.
        case awaited
        /// The kernel allowed it.
        case granted
        /// The kernel did not, RealtimeKit did.
        case grantedByRealtimeKit
        /// It was granted by one of them, and given back because the thread had too much to do.
        case givenBack
        /// Neither did.
        case refused
        /// The kernel did not, and there is no RealtimeKit that answers.
        case nobodyToAsk
    }

    package let wish: Wish
    /// The kernel's number of the thread.
    let thread: Int32
    private let state = Atomic<Answer>(.awaited)

    init(_ wish: Wish, thread: Int32) {
        self.wish = wish
        self.thread = thread
    }

    package var answer: Answer { state.load(ordering: .acquiring) }

    /// Has the thread run as any other from now on, if the wish was granted. From any thread, while that one lives.
    package func giveBack() {
        switch answer {
        case .granted, .grantedByRealtimeKit:
            if aq_schedule_thread_as_usual(thread) == 0 { settle(.givenBack) }
        case .awaited, .givenBack, .refused, .nobodyToAsk: break
        }
    }

    func settle(_ answer: Answer) { state.store(answer, ordering: .releasing) }
}
