// SPDX-License-Identifier: MIT

import Glibc
import Synchronization

/// Detects a process that was forked from one that had used devices.
///
/// A fork copies memory and locks but no threads: in the child, the parent's connections and queues would wait forever.
package enum ForkedChild {
    private static let isOne = Atomic<Bool>(false)
    private static let registration: Int32 = {
        // The flag is initialised before any fork, because the handler must not wait for another thread that
        // initialises it.
        isOne.store(false, ordering: .relaxed)
        return pthread_atfork(nil, nil, { ForkedChild.isOne.store(true, ordering: .relaxed) })
    }()

    /// Whether this process was forked after its parent had begun to use devices.
    ///
    /// Reading this property counts as use.
    package static var isCurrent: Bool {
        _ = registration
        return isOne.load(ordering: .relaxed)
    }
}
