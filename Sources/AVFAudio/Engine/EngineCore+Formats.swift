// SPDX-License-Identifier: MIT

import AQGraphs

/// The formats of buses, and the shape of the graph.
extension EngineCore {
    func outputFormat(of part: NodePart) -> GraphFormat { withState { outputFormat(of: part, $0) } }

    /// The format in which a node is rendered: after a change of the device, still that of the start.
    func renderedFormat(of part: NodePart) -> GraphFormat {
        withState { outputFormat(of: part, Self.rendered($0)) }
    }

    private static func rendered(_ state: State) -> State {
        var state = state
        if let started = state.started { state.hardware = started }
        return state
    }

    func inputFormat(of part: NodePart, bus: Int) -> GraphFormat {
        withState { state in
            guard part.kind != .effect,
                let source = source(of: part, bus: bus, state)
            else { return part.kind == .input ? inputHardware(state) : outputFormat(of: part, state) }
            return outputFormat(of: source, state)
        }
    }

    private func source(of part: NodePart, bus: Int, _ state: State) -> NodePart? {
        state.connections.source(of: .init(node: part.number, bus: bus)).flatMap { state.parts[$0] }
    }

    /// The format of a node's output: what the client has chosen, or what the node always has, or that of what follows.
    func outputFormat(of part: NodePart, _ state: State) -> GraphFormat {
        switch part.kind {
        case .input: return inputHardware(state)
        case .output: return outputHardware(state)
        case .player, .mixer: return part.chosenFormat ?? following(part, state)
        case .source: return part.ownFormat ?? part.chosenFormat ?? following(part, state)
        case .effect, .sink:
            if let chosen = part.chosenFormat { return chosen }
            if let source = source(of: part, bus: 0, state) { return outputFormat(of: source, state) }
            return following(part, state)
        }
    }

    /// The format of the first node after this one that has one.
    private func following(_ part: NodePart, _ state: State) -> GraphFormat {
        var next = part
        // A graph has no cycles.
        while let target = state.connections.targets(of: next.number).first.flatMap({ state.parts[$0.node] })
        {
            if target.kind == .output { break }
            if let chosen = target.chosenFormat { return chosen }
            next = target
        }
        return outputHardware(state)
    }

    private func outputHardware(_ state: State) -> GraphFormat {
        state.manual?.format ?? state.hardware.output ?? GraphFormat(sampleRate: 44_100, channels: 2)
    }

    private func inputHardware(_ state: State) -> GraphFormat {
        if state.manual != nil {
            return state.manual?.inputFormat ?? state.manual?.format
                ?? GraphFormat(sampleRate: 0, channels: 0)
        }
        return state.hardware.input ?? GraphFormat(sampleRate: 0, channels: 0)
    }

    /// The graph as it is rendered.
    func shape(_ state: State) -> GraphShape {
        let state = Self.rendered(state)
        var shape = GraphShape(maximumFrames: state.manual?.maximumFrames ?? EngineIO.maximumFrames)
        for (number, part) in state.parts {
            let format = outputFormat(of: part, state)
            guard format.channels > 0, format.sampleRate > 0 else { continue }
            var node = GraphShape.Node(
                part.element, format: format, clock: part.clock, reset: part.resetRequest)
            let sources = state.connections.sources(of: number)
            if let last = sources.keys.max() {
                node.inputs = (0...last).map { bus in
                    sources[bus].map { source in
                        GraphShape.Connection(
                            source: source, format: format,
                            mix: part.kind == .mixer ? state.parts[source]?.mix : nil)
                    }
                }
            }
            node.tap = part.tap?.tap(for: format, maximumFrames: shape.maximumFrames)
            node.isRoot = node.tap != nil || part.kind == .sink
            shape.nodes[number] = node
        }
        shape.output = state.output?.number
        shape.input = state.input?.number
        return shape
    }

    /// The directions of a start: those that the graph needs, or those whose nodes the client has asked for, since a tap or a
    /// connection may follow.
    func startUsage(_ state: State) -> EngineUsage {
        let needed = usage(state)
        if needed.usesOutput || needed.usesInput { return needed }
        return EngineUsage(usesOutput: state.output != nil, usesInput: state.input != nil)
    }

    /// The directions of the device that the graph needs.
    func usage(_ state: State) -> EngineUsage {
        let usesOutput = state.output.map { !state.connections.sources(of: $0.number).isEmpty } ?? false
        let usesInput =
            state.input.map { input in
                input.tap != nil || !state.connections.targets(of: input.number).isEmpty
            } ?? false
        return EngineUsage(usesOutput: usesOutput, usesInput: usesInput)
    }
}
