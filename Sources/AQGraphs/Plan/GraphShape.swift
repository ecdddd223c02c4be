// SPDX-License-Identifier: MIT

/// A graph: nodes and what their inputs are connected to.
package struct GraphShape {
    package struct Node {
        /// Renders the node.
        package var element: any GraphElement
        /// The format of the output.
        package var format: GraphFormat
        /// The connection of each input bus; nil for none.
        package var inputs: [Connection?] = []
        package var clock: NodeClock
        package var reset: ResetRequest
        package var tap: Tap?
        /// Whether the node is rendered even if no other uses it.
        package var isRoot = false

        package init(
            _ element: any GraphElement, format: GraphFormat, clock: NodeClock = NodeClock(),
            reset: ResetRequest = ResetRequest()
        ) {
            self.element = element
            self.format = format
            self.clock = clock
            self.reset = reset
        }
    }

    /// A connection of an input to the output of another node.
    package struct Connection {
        /// The number of the node.
        package var source: Int
        /// The format in which the input gets the samples.
        package var format: GraphFormat
        /// The volume and position, if the input is that of a mixer.
        package var mix: MixControls?

        package init(source: Int, format: GraphFormat, mix: MixControls? = nil) {
            self.source = source
            self.format = format
            self.mix = mix
        }
    }

    package var nodes: [Int: Node] = [:]
    /// The node that is rendered by the output.
    package var output: Int?
    /// The node of captured audio.
    package var input: Int?
    /// The most frames of a slice.
    package var maximumFrames: Int

    package init(maximumFrames: Int) { self.maximumFrames = maximumFrames }
}
