import AudioDevices
import Glibc

@testable import AudioQueues

/// Makes callbacks when it is told to, by the thread that tells it: a run loop that a test turns by hand.
final class PumpedContext: CallbackContext {
    private struct State {
        var deliver: Delivery?
        var thread: pthread_t?
        var scheduled = 0
    }

    private struct Delivery: Sendable { let call: @Sendable () -> Bool }

    private let state = Monitor(State())

    /// Makes the calling thread the one on which callbacks are made.
    func adoptThread() { state.withLock { $0.thread = pthread_self() } }

    /// How often the queue asked for callbacks to be made.
    var scheduled: Int { state.withLock { $0.scheduled } }
    /// Whether the queue has let go of it, or never begun.
    var isIdle: Bool { state.withLock { $0.deliver == nil } }

    /// Makes one callback; false if there was none to make.
    @discardableResult
    func pumpOnce() -> Bool { state.withLock { $0.deliver }?.call() ?? false }

    /// Makes callbacks until there is none, and tells how many.
    @discardableResult
    func pump() -> Int {
        var callbacks = 0
        while pumpOnce() { callbacks += 1 }
        return callbacks
    }

    func begin(_ deliver: @escaping @Sendable () -> Bool) throws(QueueError) {
        state.withLock { $0.deliver = Delivery(call: deliver) }
    }

    func schedule() { state.withLock { $0.scheduled += 1 } }

    func end() {
        let ended = state.withLock { state in
            defer { state.deliver = nil }
            return state.deliver
        }
        withExtendedLifetime(ended) {}
    }

    var isCurrent: Bool {
        state.withLock { state in state.thread.map { pthread_equal($0, pthread_self()) != 0 } ?? false }
    }
}
