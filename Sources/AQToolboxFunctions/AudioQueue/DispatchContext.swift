// SPDX-License-Identifier: MIT

import AQDevices
import AudioQueues
import Synchronization

/// The context of callbacks on a client's dispatch queue: one block for each callback, so that waiting blocks
/// of the client run in between.
final class DispatchContext: CallbackContext, Sendable {
    /// The function that runs one callback, in a struct because a plain closure would be wrapped again at
    /// each read from the lock.
    private struct Delivery: Sendable {
        let call: @Sendable () -> Bool
    }

    private let queue: any ClientDispatchQueue
    private let delivery = Monitor<Delivery?>(nil)
    /// Whether a submitted block has not begun.
    private let isPending = Atomic<Bool>(false)

    init(_ queue: any ClientDispatchQueue) { self.queue = queue }

    func begin(_ deliver: @escaping @Sendable () -> Bool) throws(QueueError) {
        delivery.withLock { $0 = Delivery(call: deliver) }
    }

    func schedule() {
        guard !isPending.exchange(true, ordering: .acquiringAndReleasing) else { return }
        queue.perform(on: self)
    }

    func end() {
        let ended = delivery.withLock { delivery in
            defer { delivery = nil }
            return delivery
        }
        // Released outside the lock, because the closure may release the queue.
        withExtendedLifetime(ended) {}
    }

    var isCurrent: Bool { queue.isCurrent }

    /// Runs one callback, in a block of the queue.
    func perform() {
        // Cleared first: a callback scheduled from here on may be too late for this block.
        isPending.store(false, ordering: .sequentiallyConsistent)
        guard let delivery = delivery.withLock({ $0 }) else { return }
        if delivery.call() { schedule() }
    }
}

/// A client's dispatch queue, whose blocks run one at a time even if it is concurrent.
protocol ClientDispatchQueue: Sendable {
    /// Runs ``DispatchContext/perform()`` in a block, and returns at once.
    func perform(on context: DispatchContext)
    /// Whether the calling thread runs a block of the client's queue.
    var isCurrent: Bool { get }
}
