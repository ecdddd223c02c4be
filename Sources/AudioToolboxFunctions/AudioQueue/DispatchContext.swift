import AudioDevices
import AudioQueues
import Synchronization

/// Makes a queue's callbacks on a client's dispatch queue, one block a callback: blocks of the client's own that wait
/// there come between.
final class DispatchContext: CallbackContext, Sendable {
    /// What makes one callback. A bare closure that is handed out of the lock would be wrapped anew each time.
    private struct Delivery: Sendable {
        let call: @Sendable () -> Bool
    }

    private let queue: any ClientDispatchQueue
    private let delivery = Monitor<Delivery?>(nil)
    /// Whether a block is under way that has not begun.
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
        // Outside the lock: with it goes, maybe, the queue.
        withExtendedLifetime(ended) {}
    }

    var isCurrent: Bool { queue.isCurrent }

    /// What a block does.
    func perform() {
        // First: what is scheduled from here on may be what this block comes too late for.
        isPending.store(false, ordering: .sequentiallyConsistent)
        guard let delivery = delivery.withLock({ $0 }) else { return }
        if delivery.call() { schedule() }
    }
}

/// A dispatch queue of a client's, whose blocks run one at a time even if the client's queue is a concurrent one.
protocol ClientDispatchQueue: Sendable {
    /// Runs ``DispatchContext/perform()`` in a block, and returns at once.
    func perform(on context: DispatchContext)
    /// Whether the calling thread runs a block of the client's queue.
    var isCurrent: Bool { get }
}
