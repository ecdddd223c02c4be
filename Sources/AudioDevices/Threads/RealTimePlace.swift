import Synchronization

/// A place among the queues of this process whose callbacks may run in real time, until it is let go of.
///
/// Of many queues none is so urgent: hundreds of real-time threads on a few processors spend more on displacing each
/// other than on sound, until the kernel takes the processors from all of them for a time.
package final class RealTimePlace: Sendable {
    package static let number = 8

    /// The places that there are.
    package final class Pool: Sendable {
        fileprivate let taken = Atomic<Int>(0)

        package init() {}

        /// Takes a place; nil when none is left.
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
