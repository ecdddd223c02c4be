// SPDX-License-Identifier: MIT

import AQDevices
import AQGraphs
import Foundation
import Synchronization

/// Nodes, connections and taps.
extension EngineCore {
    func attach(_ node: AVAudioNode) {
        let part = node.part
        if let other = part.core {
            if other !== self {
                MisuseNote.write("cannot attach \(type(of: node)): it is attached to another engine")
            }
            return
        }
        withState { add(part, node, &$0) }
    }

    private func add(_ part: NodePart, _ node: AVAudioNode, _ state: inout State) {
        state.lastNumber += 1
        state.parts[state.lastNumber] = part
        state.nodes[state.lastNumber] = node
        part.move(to: self, number: state.lastNumber)
    }

    func detach(_ node: AVAudioNode) {
        let part = node.part
        guard part.core === self else {
            return MisuseNote.write("cannot detach \(type(of: node)): it is not attached to this engine")
        }
        guard part.kind != .input, part.kind != .output else {
            return MisuseNote.write("the input and output node cannot be detached")
        }
        stopPlayer(part)
        // The block of a tap, and what it keeps alive, is released without the lock.
        let tap = withState { state in
            state.connections.disconnectInput(of: part.number)
            state.connections.disconnectOutput(of: part.number)
            state.parts[part.number] = nil
            defer { part.tap = nil }
            part.tap?.end()
            return part.tap
        }
        withExtendedLifetime(tap) {}
        graphChanged(waits: true)
        obeyIfIdle(part)
        withState { _ = $0.nodes.removeValue(forKey: part.number) }
        part.move(to: nil, number: 0)
    }

    /// Returns the node that `find` gives, which is made and attached if there is none.
    func singleton<Node: AVAudioNode>(
        _ path: WritableKeyPath<State, NodePart?>, _ make: () -> Node
    ) -> Node {
        if let node = withState({ $0[keyPath: path]?.object as? Node }) { return node }
        let node = make()
        return withState { state in
            // Another thread may have made it meanwhile.
            if let made = state[keyPath: path]?.object as? Node { return made }
            if node.part.core == nil { add(node.part, node, &state) }
            state[keyPath: path] = node.part
            return node
        }
    }

    var attachedNodes: Set<AVAudioNode> { withState { Set($0.nodes.values) } }

    /// Connects an output to inputs, and to no others.
    func connect(_ source: AVAudioNode, to points: [(node: AVAudioNode, bus: Int)], _ format: AVAudioFormat?)
    {
        let names = "\(type(of: source)) to \(points.map { "\(type(of: $0.node))" }.joined(separator: ", "))"
        guard source.part.core === self, points.allSatisfy({ $0.node.part.core === self }) else {
            return MisuseNote.write("cannot connect \(names): attach both nodes to the engine first")
        }
        guard source.part.outputs > 0,
            points.allSatisfy({
                $0.bus >= 0 && $0.bus < ($0.node.part.kind == .mixer ? 1_024 : $0.node.part.inputs)
            })
        else { return MisuseNote.write("cannot connect \(names): there is no such bus") }
        if let format, !format.isUsableInGraphs {
            return MisuseNote.write("cannot connect \(names): the format has no channels or no possible rate")
        }
        let isMade = withState { state in
            let inputs = points.map { GraphConnections.Input(node: $0.node.part.number, bus: $0.bus) }
            guard state.connections.connect(source.part.number, to: inputs) else { return false }
            if let format { source.part.chosenFormat = format.graphFormat }
            return true
        }
        guard isMade else {
            return MisuseNote.write("cannot connect \(names): that would make a cycle")
        }
        graphChanged()
    }

    func disconnectInput(_ part: NodePart, bus: Int?) {
        guard part.core === self else { return }
        withState { $0.connections.disconnectInput(of: part.number, bus: bus) }
        graphChanged(waits: true)
    }

    func disconnectOutput(_ part: NodePart) {
        guard part.core === self else { return }
        withState { $0.connections.disconnectOutput(of: part.number) }
        graphChanged(waits: true)
    }

    /// The input of a mixer that a node is connected to; nil for none.
    func inputBus(of mixer: NodePart, from source: NodePart) -> Int? {
        withState { state in
            state.connections.targets(of: source.number).first { $0.node == mixer.number }?.bus
        }
    }

    func nextInput(of part: NodePart) -> Int { withState { $0.connections.nextInput(of: part.number) } }

    func inputCount(of part: NodePart) -> Int {
        guard part.kind == .mixer else { return part.inputs }
        return withState { ($0.connections.sources(of: part.number).keys.max() ?? -1) + 2 }
    }

    func inputPoint(of part: NodePart, bus: Int) -> AVAudioConnectionPoint? {
        withState { state in
            state.connections.source(of: .init(node: part.number, bus: bus)).flatMap { state.nodes[$0] }.map {
                AVAudioConnectionPoint(node: $0, bus: 0)
            }
        }
    }

    func outputPoints(of part: NodePart) -> [AVAudioConnectionPoint] {
        withState { state in
            state.connections.targets(of: part.number).compactMap { input in
                state.nodes[input.node].map { AVAudioConnectionPoint(node: $0, bus: input.bus) }
            }
        }
    }

    func setTap(_ tap: NodeTap?, on part: NodePart) {
        // The block, and what it keeps alive, is released without the lock.
        let earlier = withState { _ in
            defer { part.tap = tap }
            part.tap?.end()
            return part.tap
        }
        let replaced = earlier != nil
        if replaced, tap != nil { MisuseNote.write("a second tap on a node replaces the first") }
        if tap != nil || replaced { graphChanged() }
    }

    func reset(_ part: NodePart) {
        stopPlayer(part)
        part.resetRequest.make()
    }

    func stopPlayer(_ part: NodePart) {
        guard let player = part.player else { return }
        player.stop()
        obeyIfIdle(part)
    }

    /// The node's time of the next slice in manual rendering; nil otherwise.
    private func nextTime(of part: NodePart, _ state: State) -> Int64? {
        guard let manual = state.manual, state.isRunning else { return nil }
        let rate = outputFormat(of: part, state).sampleRate / manual.format.sampleRate
        return Int64((Double(manual.sampleTime.load(ordering: .relaxed)) * rate).rounded())
    }

    /// Makes a player obey its calls although nothing is rendered, or only other nodes are.
    func obeyIfIdle(_ part: NodePart) {
        guard let player = part.player else { return }
        let isDone = whileIdle { state in player.obey(at: nextTime(of: part, state)) }
        if !isDone {
            withState { state in
                // With the lock, so that no plan with the player follows meanwhile.
                guard renderer.usesNewestPlan, !state.builder.renders(part.number) else { return }
                player.obey()
            }
        }
        GraphMessenger.shared.wake()
    }

    /// Waits for the slice that obeys the calls of a player which plays, at most 100 ms. Not in code that renders.
    func awaitObedience(_ part: NodePart) {
        guard let player = part.player, ServingThread.current == nil, !renderer.isRenderingThread else {
            return
        }
        let deadline = HostTime.now + 100_000_000
        while player.isPlaying, withState({ $0.isRunning && $0.manual == nil }),
            !player.hasObeyed || part.clock.lastTime == nil, HostTime.now < deadline
        {
            usleep(500)
        }
    }
}
