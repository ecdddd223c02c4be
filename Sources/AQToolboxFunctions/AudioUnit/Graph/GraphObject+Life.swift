// SPDX-License-Identifier: MIT

import AQDevices
import AQUnits
import CAQAudioToolbox

/// The life of a graph: open with units, initialized, running.
extension GraphObject {
    /// Makes the units. Does nothing if the graph is open.
    ///
    /// - Throws: The errors of making a unit; then no unit is left.
    func open() throws(StatusError) {
        try exclusively { () throws(StatusError) in
            guard !state.withLock({ $0.isOpen }) else { return }
            var nodes = state.withLock { $0.nodes }
            do throws(StatusError) {
                for index in nodes.indices { try open(&nodes[index]) }
            } catch {
                for index in nodes.indices { nodes[index].close() }
                throw error
            }
            state.withLock { state in
                state.nodes = nodes
                state.isOpen = true
            }
        }
    }

    /// Stops, uninitializes and ends the units. The nodes and connections remain.
    func close() throws(StatusError) { try exclusively { () throws(StatusError) in end() } }

    /// Ends the units. Called exclusively.
    func end() {
        let nodes = state.withLock { state in
            let nodes = state.nodes
            for index in state.nodes.indices {
                (state.nodes[index].instance, state.nodes[index].isInitialized) = (nil, false)
            }
            (state.isOpen, state.isInitialized, state.applied) = (false, false, [])
            return nodes
        }
        close(nodes)
    }

    /// Ends the units of nodes that the graph no longer has. Called exclusively.
    func close(_ nodes: [GraphNode]) {
        let instances = nodes.compactMap(\.instance)
        state.withLock { $0.leaving += instances }
        for node in nodes where node.isOutput { try? node.instance?.unit.stop() }
        for var node in Self.outputFirst(nodes) { node.close() }
        state.withLock { state in
            state.leaving.removeAll { unit in instances.contains { $0 === unit } }
        }
    }

    /// Nodes in the order in which they end: the output uses the others.
    private static func outputFirst(_ nodes: [GraphNode]) -> [GraphNode] {
        nodes.filter(\.isOutput) + nodes.filter { !$0.isOutput }
    }

    /// Connects the units, which takes formats over from source to destination, and initializes them.
    ///
    /// - Throws: `kAUGraphErr_CannotDoInCurrentContext` if the graph is not open; the errors of connections and units,
    ///   and then no unit is initialized.
    func initialize() throws(StatusError) {
        try exclusively { () throws(StatusError) in
            let (isOpen, isInitialized) = state.withLock { ($0.isOpen, $0.isInitialized) }
            guard isOpen else { throw StatusError(kAUGraphErr_CannotDoInCurrentContext) }
            guard !isInitialized else { return }
            state.withLock { $0.isInitialized = true }
            let status = follow()
            guard status == noErr else {
                uninitializeUnits()
                throw StatusError(status)
            }
        }
    }

    func uninitialize() throws(StatusError) {
        try exclusively { () throws(StatusError) in uninitializeUnits() }
    }

    private func uninitializeUnits() {
        let nodes = state.withLock { state in
            state.isInitialized = false
            for index in state.nodes.indices { state.nodes[index].isInitialized = false }
            return state.nodes
        }
        stopOutput()
        for node in Self.outputFirst(nodes) {
            // A listener may have initialized the graph again.
            if isInitialized { return }
            node.instance?.unit.uninitialize()
        }
    }

    /// Applies edits that wait, and starts the output.
    ///
    /// - Throws: `kAudioUnitErr_Uninitialized`, `kAUGraphErr_OutputNodeErr` without an output, and the output's error.
    func start() throws(StatusError) {
        let output = try exclusively { () throws(StatusError) in
            let (isInitialized, output) = state.withLock { ($0.isInitialized, self.output(in: $0)) }
            guard isInitialized else { throw StatusError(kAudioUnitErr_Uninitialized) }
            guard let output else { throw StatusError(kAUGraphErr_OutputNodeErr) }
            try StatusError.check(follow())
            return output
        }
        // The unit can be started and stopped by several threads, and calls listeners.
        do throws(UnitError) {
            try slices.suspended { () throws(UnitError) in try output.unit.start() }
        } catch { throw StatusError(error.code.rawValue) }
    }

    /// Stops the output; within a callback without waiting for it.
    func stop() { slices.suspended { stopOutput() } }

    func stopOutput() {
        // An output can always be stopped.
        try? state.withLock { output(in: $0) }?.unit.stop()
    }

    private func output(in state: State) -> UnitInstance? {
        state.outputIndex.flatMap { state.nodes[$0].instance }
    }

    /// Applies edits of an open graph.
    ///
    /// - Throws: `kAUGraphErr_CannotDoInCurrentContext` within a slice, and then edits continue to wait; the first error
    ///   of a connection or unit.
    func update() throws(StatusError) {
        try exclusively { () throws(StatusError) in
            guard state.withLock({ $0.isOpen }) else { return }
            try StatusError.check(follow())
        }
    }

    var isOpen: Bool { state.withLock { $0.isOpen } }
    var isInitialized: Bool { state.withLock { $0.isInitialized } }

    /// Whether the output runs. Answers without waiting.
    var isRunning: Bool {
        guard let output = state.withLock({ output(in: $0) }) else { return false }
        let place = UnitProperty(kAudioOutputUnitProperty_IsRunning, kAudioUnitScope_Global, 0)
        guard case .bytes(let bytes)? = try? output.unit.value(of: place) else { return false }
        return bytes.contains { $0 != 0 }
    }
}
