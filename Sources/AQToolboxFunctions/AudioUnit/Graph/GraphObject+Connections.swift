// SPDX-License-Identifier: MIT

import AQDevices
import AQUnits
import CAQAudioToolbox

/// The sources of inputs: what the client wants, and how the units follow.
extension GraphObject {
    // MARK: Edits

    /// Sets the source of an input, which replaces another one.
    ///
    /// - Throws: `kAUGraphErr_NodeNotFound`; `kAUGraphErr_InvalidConnection` for a cycle.
    func connect(_ interaction: GraphInteraction) throws(StatusError) {
        let status = state.withLock { state -> OSStatus in
            guard state.index(of: interaction.node) != nil else { return kAUGraphErr_NodeNotFound }
            if let source = interaction.sourceNode {
                guard state.index(of: source) != nil else { return kAUGraphErr_NodeNotFound }
            }
            var wanted = state.wanted.filter { !$0.isAt(interaction.node, interaction.input) }
            wanted.append(interaction)
            guard Self.order(of: state.nodes, wanted) != nil else { return kAUGraphErr_InvalidConnection }
            state.wanted = wanted
            return noErr
        }
        try StatusError.check(status)
    }

    /// Removes the source of an input. It is no error if there is none.
    ///
    /// - Throws: `kAUGraphErr_NodeNotFound`.
    func disconnect(_ node: AUNode, _ input: UInt32) throws(StatusError) {
        let isKnown = state.withLock { state in
            state.wanted.removeAll { $0.isAt(node, input) }
            return state.index(of: node) != nil
        }
        guard isKnown else { throw StatusError(kAUGraphErr_NodeNotFound) }
    }

    func disconnectAll() { state.withLock { $0.wanted = [] } }

    /// The connections and callbacks of a node, as the client wants them.
    ///
    /// - Throws: `kAUGraphErr_NodeNotFound`.
    func interactions(of node: AUNode) throws(StatusError) -> [GraphInteraction] {
        let found = state.withLock { state -> [GraphInteraction]? in
            guard state.index(of: node) != nil else { return nil }
            return state.wanted.filter { $0.node == node || $0.sourceNode == node }
        }
        guard let found else { throw StatusError(kAUGraphErr_NodeNotFound) }
        return found
    }

    // MARK: Units

    /// Makes the units follow what the client wants. New nodes of an initialized graph are initialized before another
    /// node uses them; all other changes are made between two slices.
    ///
    /// Called exclusively.
    ///
    /// - Returns: The status of the first change that failed. The others are made.
    func follow() -> OSStatus {
        let numbers = state.withLock { state in Self.order(of: state.nodes, state.wanted) ?? [] }
        var status = noErr
        func keep(_ next: OSStatus) { if status == noErr { status = next } }
        func isInUse(_ number: AUNode) -> Bool {
            state.withLock { state in state.index(of: number).map { state.nodes[$0].isInitialized } ?? false }
        }
        let inUse = numbers.filter(isInUse)
        for number in numbers where !inUse.contains(number) {
            let isInitialized = isInitialized
            keep(follow(number, again: isInitialized))
            if isInitialized { keep(initialize(number)) }
        }
        guard inUse.contains(where: { !changes(of: $0).isEmpty }) else { return status }
        let isChanged: Void? = slices.change { for number in inUse { keep(follow(number)) } }
        if isChanged == nil { keep(kAUGraphErr_CannotDoInCurrentContext) }
        return status
    }

    /// Initializes the unit of a node, unless a listener has changed the graph's state meanwhile.
    func initialize(_ number: AUNode) -> OSStatus {
        let found = state.withLock { state in state.index(of: number).map { state.nodes[$0] } }
        guard let found, let instance = found.instance else { return noErr }
        do throws(UnitError) { try instance.unit.initialize() } catch { return error.code.rawValue }
        let isPart = state.withLock { state in
            guard state.isInitialized, let index = state.index(of: number),
                state.nodes[index].instance === instance
            else { return false }
            state.nodes[index].isInitialized = true
            return true
        }
        if !isPart { instance.unit.uninitialize() }
        return noErr
    }

    /// Makes the inputs of a node's unit follow.
    ///
    /// - Parameter again: Whether connections that the unit has are made again, which takes formats over.
    private func follow(_ number: AUNode, again: Bool = false) -> OSStatus {
        var status = noErr
        for (input, source) in changes(of: number, again: again) {
            let next = apply(source, at: number, input)
            if status == noErr { status = next }
        }
        return status
    }

    /// The inputs of a node whose source is not the one that the client wants.
    ///
    /// - Parameter again: Whether all connections count as changes.
    private func changes(
        of number: AUNode, again: Bool = false
    ) -> [(input: UInt32, source: GraphInteraction.Source?)] {
        state.withLock { state in
            let wanted = state.wanted.filter { $0.node == number }
            let applied = state.applied.filter { $0.node == number }
            let removed = applied.filter { old in !wanted.contains { $0.input == old.input } }
            let added = wanted.filter { !applied.contains($0) || (again && $0.sourceNode != nil) }
            return removed.map { ($0.input, nil) } + added.map { ($0.input, $0.source) }
        }
    }

    /// Sets the source of an input of a node's unit, or removes it.
    func apply(_ source: GraphInteraction.Source?, at number: AUNode, _ input: UInt32) -> OSStatus {
        let (node, unit) = state.withLock { state -> (GraphNode?, UnitInstance?) in
            var unit: UnitInstance?
            if case .node(let number, _) = source {
                unit = state.index(of: number).flatMap { state.nodes[$0].instance }
            }
            return (state.index(of: number).map { state.nodes[$0] }, unit)
        }
        guard let node else { return kAUGraphErr_NodeNotFound }
        do throws(UnitError) { try node.set(input, to: source, from: unit) } catch {
            // An input that no longer exists has no source.
            guard source == nil, error.code == .invalidElement else { return error.code.rawValue }
        }
        state.withLock { state in
            // A listener may have closed the graph.
            let current = state.index(of: number).flatMap { state.nodes[$0].instance }
            guard current === node.instance else { return }
            state.applied.removeAll { $0.isAt(number, input) }
            if let source {
                state.applied.append(GraphInteraction(node: number, input: input, source: source))
            }
        }
        return noErr
    }

    /// The nodes in an order in which each one follows its sources; nil if there is a cycle. Captured audio does not
    /// depend on the unit's own input.
    private static func order(of nodes: [GraphNode], _ interactions: [GraphInteraction]) -> [AUNode]? {
        var waiting = nodes.map(\.number)
        let captures = Set(nodes.filter { $0.captures(1) }.map(\.number))
        let edges = interactions.compactMap { interaction -> (source: AUNode, node: AUNode)? in
            guard case .node(let source, let output) = interaction.source,
                !(output == 1 && captures.contains(source))
            else { return nil }
            return (source, interaction.node)
        }
        var order: [AUNode] = []
        while !waiting.isEmpty {
            let blocked = Set(edges.filter { waiting.contains($0.source) }.map(\.node))
            let ready = waiting.filter { !blocked.contains($0) }
            guard !ready.isEmpty else { return nil }
            order += ready
            waiting.removeAll { !blocked.contains($0) }
        }
        return order
    }
}
