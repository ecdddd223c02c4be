import Synchronization

/// One of the limited slots for queues of this process whose callbacks may run in real time, until released.
///
/// With many queues none is so urgent: hundreds of real-time threads on a few processors spend most of their time
/// preempting each other, until the kernel throttles all of them.
package final class RealTimePlace: Sendable {
    package static let number = 8

    /// The available slots.
    package final class Pool: Sendable {
        fileprivate let taken = Atomic<Int>(0)

        package init() {}

        /// Takes a slot; nil if none is free.
        package func take() -> RealTimePlace? {
            if taken.add(1, ordering: .relaxed).newValue <= number { return RealTimePlace(self) }
            taken.subtract(1, ordering: .relaxed)
            return nil
        }
    }

    private let pool: Pool

    private init(_ pool: Pool) { self.pool = pool }

    deinit { pool.taken.subtract(1, ordering: .relaxed) }
}
