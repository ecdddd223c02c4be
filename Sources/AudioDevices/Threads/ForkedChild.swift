import Glibc
import Synchronization

/// Whether this process was forked from one that used devices before.
///
/// A fork copies memory and locks but no threads: connections and queues of the parent would wait for ever in the child.
package enum ForkedChild {
    private static let isOne = Atomic<Bool>(false)
    private static let registration: Int32 = {
        // Made before any fork, since the handler may not wait for another thread that makes it.
        isOne.store(false, ordering: .relaxed)
        return pthread_atfork(nil, nil, { ForkedChild.isOne.store(true, ordering: .relaxed) })
    }()

    /// True in a child that was forked after its parent had begun to use devices.
    ///
    /// The question itself counts as use.
    package static var isCurrent: Bool {
        _ = registration
        return isOne.load(ordering: .relaxed)
    }
}
