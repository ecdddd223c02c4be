// SPDX-License-Identifier: MIT

/// The nodes of a graph in the order of their connections. Another graph is another plan.
///
/// Used by the rendering thread.
package final class GraphPlan: PassedObject, @unchecked Sendable {
    // SAFETY: nothing changes; the memory belongs to the rendering thread.

    /// The end of the graph; nil if nothing is connected to the output.
    let output: Root?
    /// The ends that need captured audio, and are rendered when there is some.
    let captured: [Root]
    /// Other ends, which are rendered with the output.
    let others: [Root]
    let maximumFrames: Int

    /// A node that no other renders.
    struct Root {
        let node: PlanNode
        /// Memory for its slices. The output is rendered into the caller's.
        let memory: PlanarMemory?
    }

    init(output: Root?, captured: [Root], others: [Root], maximumFrames: Int) {
        self.output = output
        self.captured = captured
        self.others = others
        self.maximumFrames = maximumFrames
    }
}
