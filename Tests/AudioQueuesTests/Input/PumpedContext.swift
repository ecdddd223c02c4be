// SPDX-License-Identifier: MIT

import AQDevices
import Glibc

@testable import AudioQueues

/// Runs callbacks on the calling thread on request: a run loop controlled by a test.
final class PumpedContext: CallbackContext {
    private struct State {
        var deliver: Delivery?
        var thread: pthread_t?
        var scheduled = 0
    }

    private struct Delivery: Sendable { let call: @Sendable () -> Bool }

    private let state = Monitor(State())

    /// Makes the calling thread that of the callbacks.
    func adoptThread() { state.withLock { $0.thread = pthread_self() } }

    /// How often the queue requested callbacks.
    var scheduled: Int { state.withLock { $0.scheduled } }
    /// Whether the queue has released it, or never used it.
    var isIdle: Bool { state.withLock { $0.deliver == nil } }

    /// Runs one callback; false if none was pending.
    @discardableResult
    func pumpOnce() -> Bool { state.withLock { $0.deliver }?.call() ?? false }

    /// Runs callbacks until none is pending, and returns their number.
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
