// SPDX-License-Identifier: MIT

import AQGraphs
import AQThreads

/// A node as its engine uses it: its element, and the settings of its buses.
final class NodePart: @unchecked Sendable {
    // SAFETY: the lock of the engine's core protects what changes, and `place` has a lock of its own.

    enum Kind: Sendable {
        case player, source, mixer, effect, sink
        case input, output
    }

    let element: any GraphElement
    let kind: Kind
    let inputs: Int
    let outputs: Int
    let clock = NodeClock()
    let resetRequest = ResetRequest()
    /// The volume and the position in the mixer that follows.
    let mix = MixControls()

    /// The node. Kept alive by its client, and while it is attached by the engine.
    weak var object: AVAudioNode?
    private let place: Monitor<(core: EngineCore?, number: Int)> = Monitor((nil, 0))

    /// The format that a connection has set; nil for that of what follows.
    var chosenFormat: GraphFormat?
    /// The format that the node always has; nil for none.
    var ownFormat: GraphFormat?
    var tap: NodeTap?

    init(_ element: any GraphElement, _ kind: Kind, inputs: Int, outputs: Int) {
        self.element = element
        self.kind = kind
        self.inputs = inputs
        self.outputs = outputs
    }

    /// The core of the engine that the node is attached to.
    var core: EngineCore? { place.withLock { $0.core } }

    /// The node's number in the engine's graph.
    var number: Int { place.withLock { $0.number } }

    func move(to core: EngineCore?, number: Int) { place.withLock { $0 = (core, number) } }

    var player: PlayerElement? { element as? PlayerElement }
}
