// SPDX-License-Identifier: MIT

/// Renders a node. Kept when the graph changes, unless the formats or the largest slice change.
///
/// Used by one rendering thread at a time. A render neither waits nor allocates memory.
package protocol GraphKernel: AnyObject, Sendable {
    /// Renders a slice.
    ///
    /// - Parameter target: Memory in the node's output format, which is filled completely.
    /// - Returns: False if all samples are 0.
    func render(_ target: PlanarSamples, _ call: RenderCall) -> Bool

    /// Drops the audio that is held.
    func reset()
}

/// A render of one node.
package struct RenderCall {
    /// The time of the slice, in frames of the node's output.
    package let time: SliceTime
    /// The output format.
    package let format: GraphFormat
    package let turn: RenderTurn
    let edges: [PlanEdge?]

    /// The number of input buses.
    package var inputCount: Int { edges.count }

    /// Renders the source of an input bus, in the format of the input.
    ///
    /// A bus may be rendered several times during a slice; it then continues.
    ///
    /// - Parameter time: The time of the first frame, in frames of the input.
    /// - Returns: False if all samples are 0, also without a source.
    package func render(input bus: Int, _ target: PlanarSamples, time: SliceTime) -> Bool {
        guard bus < edges.count, let edge = edges[bus] else {
            target.silence()
            return false
        }
        return edge.render(target, time, turn)
    }

    /// Returns what the source of an input sets for this mixer; nil without a source.
    func mix(ofInput bus: Int) -> MixControls? { bus < edges.count ? edges[bus]?.mix : nil }
}

/// One call of the graph's output, or of its captured audio.
package struct RenderTurn {
    /// The number of the call.
    let number: UInt64
    /// Whether the caller waits for the result, so that a node may read files itself.
    package let isOffline: Bool
    /// The number of resets of the whole graph until now.
    let resets: UInt64
}
