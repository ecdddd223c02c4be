// SPDX-License-Identifier: MIT

/// The connections of a graph: each input has at most one source.
package struct GraphConnections: Sendable {
    /// An input bus of a node.
    package struct Input: Hashable, Sendable {
        package var node: Int
        package var bus: Int

        package init(node: Int, bus: Int) {
            self.node = node
            self.bus = bus
        }
    }

    /// The source of each input.
    private var sources: [Input: Int] = [:]

    package init() {}

    package func source(of input: Input) -> Int? { sources[input] }

    /// The inputs that a node is connected to, ordered.
    package func targets(of node: Int) -> [Input] {
        sources.filter { $0.value == node }.map(\.key).sorted { ($0.node, $0.bus) < ($1.node, $1.bus) }
    }

    /// The sources of the inputs of a node, by bus.
    package func sources(of node: Int) -> [Int: Int] {
        var result: [Int: Int] = [:]
        for (input, source) in sources where input.node == node { result[input.bus] = source }
        return result
    }

    /// The first input bus without a source.
    package func nextInput(of node: Int) -> Int {
        let used = sources(of: node)
        return (0...).first { used[$0] == nil } ?? 0
    }

    /// Connects a node to inputs, and to no others. The inputs' earlier sources are disconnected.
    ///
    /// - Returns: False, and nothing is changed, if that made a cycle.
    package mutating func connect(_ node: Int, to inputs: [Input]) -> Bool {
        guard !inputs.contains(where: { $0.node == node || depends(node, on: $0.node) }) else { return false }
        disconnectOutput(of: node)
        for input in inputs { sources[input] = node }
        return true
    }

    package mutating func disconnectInput(of node: Int, bus: Int? = nil) {
        sources = sources.filter { $0.key.node != node || (bus ?? $0.key.bus) != $0.key.bus }
    }

    package mutating func disconnectOutput(of node: Int) { sources = sources.filter { $0.value != node } }

    /// Whether a node gets audio from another, directly or through others.
    private func depends(_ node: Int, on other: Int) -> Bool {
        var (waiting, seen) = ([node], Set<Int>())
        while let next = waiting.popLast() {
            if next == other { return true }
            guard seen.insert(next).inserted else { continue }
            waiting += sources(of: next).values
        }
        return false
    }
}
