// SPDX-License-Identifier: MIT

import AQDevices
import AQUnits
import CAQAudioToolbox

/// A graph of audio units: the nodes, the sources of their inputs as the client wants them, and as the units have them.
///
/// An edit changes only what the client wants. The units follow when the graph is initialized, updated or started.
///
/// May be used from any thread. Calls that change the units are made by one thread at a time, and not within a slice.
final class GraphObject: Sendable {
    struct State {
        var nodes: [GraphNode] = []
        var nextNode: AUNode = 1
        /// The sources that the client wants, in the order in which they were set.
        var wanted: [GraphInteraction] = []
        /// The sources that the units have.
        var applied: [GraphInteraction] = []
        var observers: [GraphCallback] = []
        var isOpen = false
        var isInitialized = false
        /// Units that are no longer part of the graph, and whose end a call waits for.
        var leaving: [UnitInstance] = []
        /// The thread in a call that changes the units; 0 for none.
        var caller: UInt = 0
        /// The number of its calls within each other.
        var callDepth = 0
        var isDisposed = false
        /// Whether the units have been ended after that.
        var hasEnded = false

        func index(of node: AUNode) -> Int? { nodes.firstIndex { $0.number == node } }

        var outputIndex: Int? { nodes.firstIndex { $0.isOutput } }
    }

    /// The graphs of this process.
    static let table = HandleTable<GraphObject>()

    let state = Monitor(State())
    let slices = GraphSlices()

    // MARK: Nodes

    /// Adds a node; in an open graph with its unit.
    ///
    /// - Throws: `kAUGraphErr_InvalidAudioUnit`, `kAUGraphErr_OutputNodeErr` for a second output, and the errors of
    ///   making a unit.
    func addNode(_ description: AudioComponentDescription) throws(StatusError) -> AUNode {
        let registry = AudioComponentRegistry.shared
        guard let component = unsafe registry.next(after: nil, matching: description),
            let entry = unsafe registry[component]
        else { throw StatusError(kAUGraphErr_InvalidAudioUnit) }
        return try exclusively { () throws(StatusError) in
            let (number, isOpen, hasOutput) = state.withLock { state in
                defer { state.nextNode += 1 }
                return (state.nextNode, state.isOpen, state.outputIndex != nil)
            }
            var node = unsafe GraphNode(number, entry, component)
            if node.isOutput, hasOutput { throw StatusError(kAUGraphErr_OutputNodeErr) }
            if isOpen { try open(&node) }
            state.withLock { $0.nodes.append(node) }
            return number
        }
    }

    /// Removes a node, its unit, and the connections to and from it.
    ///
    /// - Throws: `kAUGraphErr_NodeNotFound`; `kAUGraphErr_CannotDoInCurrentContext` within a slice.
    func removeNode(_ number: AUNode) throws(StatusError) {
        try exclusively { () throws(StatusError) in
            guard state.withLock({ $0.index(of: number) }) != nil else {
                throw StatusError(kAUGraphErr_NodeNotFound)
            }
            func concerns(_ interaction: GraphInteraction) -> Bool {
                interaction.node == number || interaction.sourceNode == number
            }
            let isChanged: Void? = slices.change {
                for interaction in state.withLock({ $0.applied.filter(concerns) }) {
                    _ = apply(nil, at: interaction.node, interaction.input)
                }
            }
            guard isChanged != nil else { throw StatusError(kAUGraphErr_CannotDoInCurrentContext) }
            let removed = state.withLock { state in
                state.wanted.removeAll(where: concerns)
                state.applied.removeAll(where: concerns)
                return state.index(of: number).map { state.nodes.remove(at: $0) }
            }
            if let removed { close([removed]) }
        }
    }

    /// The description and the unit of a node.
    ///
    /// - Throws: `kAUGraphErr_NodeNotFound`.
    func node(_ number: AUNode) throws(StatusError) -> GraphNode {
        let found = state.withLock { state in state.index(of: number).map { state.nodes[$0] } }
        guard let found else { throw StatusError(kAUGraphErr_NodeNotFound) }
        return found
    }

    /// Makes the unit of a node that is not yet, or no longer, part of the graph.
    func open(_ node: inout GraphNode) throws(StatusError) {
        try node.open()
        guard node.isOutput, let instance = node.instance else { return }
        instance.addObserver(slices.observer())
        for observer in state.withLock({ $0.observers }) { observer.add(to: instance) }
    }

    // MARK: Observers

    func addObserver(_ observer: GraphCallback) {
        let output = state.withLock { state in
            state.observers.append(observer)
            return state.outputIndex.flatMap { state.nodes[$0].instance }
        }
        if let output { observer.add(to: output) }
    }

    /// Removes an observer; it is no error if there is none.
    func removeObserver(_ observer: GraphCallback) {
        let output = state.withLock { state -> UnitInstance? in
            guard let index = state.observers.lastIndex(of: observer) else { return nil }
            state.observers.remove(at: index)
            return state.outputIndex.flatMap { state.nodes[$0].instance }
        }
        if let output { observer.remove(from: output) }
    }
}

extension GraphCallback {
    fileprivate var parts: (procedure: AURenderCallback, context: UnsafeMutableRawPointer?) {
        // SAFETY: made from a procedure.
        unsafe (
            unsafeBitCast(procedure, to: AURenderCallback.self), UnsafeMutableRawPointer(bitPattern: context)
        )
    }

    fileprivate func add(to instance: UnitInstance) {
        unsafe instance.addObserver(parts.procedure, parts.context)
    }

    fileprivate func remove(from instance: UnitInstance) {
        unsafe instance.removeObserver(parts.procedure, parts.context)
    }
}
