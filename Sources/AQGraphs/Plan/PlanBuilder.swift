// SPDX-License-Identifier: MIT

/// Makes plans of a graph, and keeps the kernels and conversions that a change does not concern.
///
/// Used with the graph's lock held.
package struct PlanBuilder {
    private struct KeptKernel {
        var setup: KernelSetup
        var kernel: any GraphKernel
    }

    private struct InputBus: Hashable {
        var node: Int
        var bus: Int
        var source: Int
    }

    private var kernels: [Int: KeptKernel] = [:]
    private var conversions: [InputBus: RateConversion] = [:]

    package init() {}

    /// Returns a plan. Nodes that cannot be rendered in their formats are left out: their targets are silent.
    package mutating func plan(_ shape: GraphShape) -> GraphPlan {
        var visit = Visit(shape: shape, users: Self.users(shape))
        let output = shape.output.flatMap { node($0, &visit) }
        let usesInput = shape.input.map { visit.nodes[$0] != nil } ?? false
        var (captured, others): ([GraphPlan.Root], [GraphPlan.Root]) = ([], [])
        for (number, description) in shape.nodes.sorted(by: { $0.key < $1.key }) where description.isRoot {
            // A node that the output renders is no root.
            guard visit.nodes[number] == nil, let node = node(number, &visit) else { continue }
            let root = GraphPlan.Root(
                node: node,
                memory: PlanarMemory(channels: node.format.channels, capacityFrames: shape.maximumFrames))
            if !usesInput, Self.depends(number, on: shape.input, shape) {
                captured.append(root)
            } else {
                others.append(root)
            }
        }
        kernels = kernels.filter { visit.nodes[$0.key] != nil }
        conversions = conversions.filter { visit.conversions.contains($0.key) }
        return GraphPlan(
            output: output.map { GraphPlan.Root(node: $0, memory: nil) }, captured: captured, others: others,
            maximumFrames: shape.maximumFrames)
    }

    /// Whether the last plan renders a node.
    package func renders(_ number: Int) -> Bool { kernels[number] != nil }

    private struct Visit {
        let shape: GraphShape
        /// The number of inputs that use each node.
        let users: [Int: Int]
        var nodes: [Int: PlanNode] = [:]
        var open: Set<Int> = []
        var conversions: Set<InputBus> = []
    }

    private mutating func node(_ number: Int, _ visit: inout Visit) -> PlanNode? {
        if let made = visit.nodes[number] { return made }
        // A cycle of connections is open where it began.
        guard let description = visit.shape.nodes[number], visit.open.insert(number).inserted else {
            return nil
        }
        defer { visit.open.remove(number) }
        var edges: [PlanEdge?] = []
        for (bus, connection) in description.inputs.enumerated() {
            edges.append(
                connection.flatMap { edge(InputBus(node: number, bus: bus, source: $0.source), $0, &visit) })
        }
        let setup = KernelSetup(
            inputs: zip(description.inputs, edges).map { $1 == nil ? nil : $0?.format },
            output: description.format, maximumFrames: visit.shape.maximumFrames)
        guard let kernel = kernel(number, description.element, setup) else { return nil }
        let node = PlanNode(
            kernel, of: description, edges: edges,
            sharedFrames: visit.users[number, default: 0] > 1 ? visit.shape.maximumFrames : 0)
        visit.nodes[number] = node
        return node
    }

    private mutating func edge(
        _ bus: InputBus, _ connection: GraphShape.Connection, _ visit: inout Visit
    ) -> PlanEdge? {
        guard let source = node(connection.source, &visit) else { return nil }
        var conversion: RateConversion?
        if source.format.sampleRate != connection.format.sampleRate {
            let setup = RateConversion.Setup(
                source: source.format, targetRate: connection.format.sampleRate,
                maximumFrames: visit.shape.maximumFrames)
            conversion = conversions[bus].flatMap { $0.setup == setup ? $0 : nil } ?? RateConversion(setup)
            guard let conversion else { return nil }
            conversions[bus] = conversion
            visit.conversions.insert(bus)
        }
        return PlanEdge(
            from: source, to: connection.format, mix: connection.mix, conversion: conversion,
            maximumFrames: visit.shape.maximumFrames)
    }

    private mutating func kernel(
        _ number: Int, _ element: any GraphElement, _ setup: KernelSetup
    ) -> (any GraphKernel)? {
        if let kept = kernels[number], kept.setup == setup { return kept.kernel }
        guard let kernel = element.makeKernel(setup) else { return nil }
        kernels[number] = KeptKernel(setup: setup, kernel: kernel)
        return kernel
    }

    private static func users(_ shape: GraphShape) -> [Int: Int] {
        var users: [Int: Int] = [:]
        for node in shape.nodes.values {
            for connection in node.inputs { if let connection { users[connection.source, default: 0] += 1 } }
        }
        return users
    }

    /// Whether a node renders another, directly or through others.
    private static func depends(_ number: Int, on other: Int?, _ shape: GraphShape) -> Bool {
        guard let other else { return false }
        var (waiting, seen) = ([number], Set<Int>())
        while let next = waiting.popLast() {
            if next == other { return true }
            guard seen.insert(next).inserted else { continue }
            waiting += shape.nodes[next]?.inputs.compactMap { $0?.source } ?? []
        }
        return false
    }
}
