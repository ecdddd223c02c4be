// SPDX-License-Identifier: MIT

import CAQAudioToolbox
import Testing

@testable import AQToolboxFunctions

/// A graph by its C functions.
@safe struct GraphRig: @unchecked Sendable {
    // SAFETY: handles are keys, which nothing reads through, and which all threads may use.
    let graph: AUGraph

    init() throws {
        var made: AUGraph?
        try unsafe #require(newAUGraph(&made) == noErr)
        unsafe graph = try unsafe #require(made)
    }

    func end() { unsafe _ = disposeAUGraph(graph) }

    func add(_ type: UInt32, _ subtype: UInt32) throws -> AUNode {
        let (status, node) = added(type, subtype)
        try #require(status == noErr, "\(status)")
        return node
    }

    func added(_ type: UInt32, _ subtype: UInt32) -> (OSStatus, AUNode) {
        var wanted = AudioComponentDescription()
        (wanted.componentType, wanted.componentSubType) = (type, subtype)
        var node: AUNode = -1
        let status = unsafe auGraphAddNode(graph, &wanted, &node)
        return (status, node)
    }

    func addOutput() throws -> AUNode { try add(kAudioUnitType_Output, kAudioUnitSubType_GenericOutput) }
    func addMixer() throws -> AUNode { try add(kAudioUnitType_Mixer, kAudioUnitSubType_MultiChannelMixer) }
    func addConverter() throws -> AUNode {
        try add(kAudioUnitType_FormatConverter, kAudioUnitSubType_AUConverter)
    }

    /// The unit of a node; nil if there is none.
    func found(_ node: AUNode) -> PulledUnitRig? {
        var unit: AudioUnit?
        let status = unsafe auGraphNodeInfo(graph, node, nil, &unit)
        return status == noErr ? unsafe unit.map { unsafe PulledUnitRig($0) } : nil
    }

    func unit(of node: AUNode) throws -> PulledUnitRig {
        var unit: AudioUnit?
        try unsafe #require(auGraphNodeInfo(graph, node, nil, &unit) == noErr)
        return unsafe PulledUnitRig(try unsafe #require(unsafe unit))
    }

    func connect(_ source: AUNode, _ output: UInt32 = 0, to node: AUNode, _ input: UInt32 = 0) -> OSStatus {
        unsafe auGraphConnectNodeInput(graph, source, output, node, input)
    }

    func setCallback(_ node: AUNode, _ input: UInt32 = 0, _ source: CallbackSource) -> OSStatus {
        var callback = unsafe source.callback
        return unsafe auGraphSetNodeInputCallback(graph, node, input, &callback)
    }

    func start() -> OSStatus {
        for call in [unsafe auGraphOpen(graph), unsafe auGraphInitialize(graph)] where call != noErr {
            return call
        }
        return unsafe auGraphStart(graph)
    }

    func update() -> OSStatus { unsafe auGraphUpdate(graph, nil) }

    var state: (isOpen: Bool, isInitialized: Bool, isRunning: Bool) {
        var flags = (true, true, true)
        unsafe _ = auGraphIsOpen(graph, &flags.0)
        unsafe _ = auGraphIsInitialized(graph, &flags.1)
        unsafe _ = auGraphIsRunning(graph, &flags.2)
        return flags
    }

    func interactions(of node: AUNode) -> [AUNodeInteraction]? {
        var found = unsafe [AUNodeInteraction](repeating: AUNodeInteraction(), count: 8)
        var count: UInt32 = 8
        guard unsafe auGraphGetNodeInteractions(graph, node, &count, &found) == noErr else { return nil }
        return unsafe Array(found.prefix(Int(count)))
    }
}
