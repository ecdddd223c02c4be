// SPDX-License-Identifier: MIT

import Synchronization

/// A request to drop the audio that a node holds, which the node's next slice obeys.
package final class ResetRequest: Sendable {
    private let isOpen = Atomic<Bool>(false)
    /// The number of resets of the whole graph that this node has obeyed, or that came before it was rendered. Used by the
    /// rendering thread.
    private let obeyed = Atomic<UInt64>(.max)

    package init() {}

    /// Makes the request. Any thread.
    package func make() { isOpen.store(true, ordering: .releasing) }

    /// Returns whether a request was made for the node or the whole graph, and ends it. The rendering thread.
    ///
    /// - Parameter resets: The number of resets of the whole graph.
    func take(_ resets: UInt64) -> Bool {
        let before = obeyed.load(ordering: .relaxed)
        if before != resets {
            obeyed.store(resets, ordering: .relaxed)
            isOpen.store(false, ordering: .relaxed)
            return before != .max
        }
        // Mostly there is none, and a read is cheaper.
        guard isOpen.load(ordering: .relaxed) else { return false }
        return isOpen.exchange(false, ordering: .acquiring)
    }
}
