// SPDX-License-Identifier: MIT

import Synchronization

/// A request to drop the audio that a node holds, which the node's next slice obeys.
package final class ResetRequest: Sendable {
    private let isOpen = Atomic<Bool>(false)

    package init() {}

    /// Makes the request. Any thread.
    package func make() { isOpen.store(true, ordering: .releasing) }

    /// Returns whether the request was made, and ends it. The rendering thread.
    func take() -> Bool {
        // Mostly there is none, and a read is cheaper.
        guard isOpen.load(ordering: .relaxed) else { return false }
        return isOpen.exchange(false, ordering: .acquiring)
    }
}
