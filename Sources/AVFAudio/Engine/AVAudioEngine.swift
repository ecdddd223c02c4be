// SPDX-License-Identifier: MIT

public import Foundation

/// A graph of nodes that renders audio in real time, to a device, or for a caller (manual rendering).
///
/// Attach nodes, connect them, and start the engine. The graph may be changed at any time, also while the engine runs;
/// the change takes effect with the next slice. The engine follows the default devices of the sound server, and goes on
/// if one disappears. Any thread may call it.
///
/// Calls that raise exceptions on Apple's systems are ignored here, with a line on standard error.
open class AVAudioEngine: NSObject {
    let core = EngineCore()

    public override init() {
        super.init()
        core.setEngine(self)
    }

    deinit { core.close() }

    // MARK: Nodes

    /// Adds a node, which the engine keeps alive. Does nothing if it is attached already.
    open func attach(_ node: AVAudioNode) { core.attach(node) }

    /// Removes a node and its connections. Returns when it is not rendered any more.
    open func detach(_ node: AVAudioNode) { core.detach(node) }

    open var attachedNodes: Set<AVAudioNode> { core.attachedNodes }

    /// The loudspeaker. Made at the first use.
    open var outputNode: AVAudioOutputNode { core.singleton(\.output) { AVAudioOutputNode(core) } }

    /// The microphone. Made at the first use; without a device its formats have 0 Hz and no channels.
    open var inputNode: AVAudioInputNode { core.singleton(\.input) { AVAudioInputNode(core) } }

    /// A mixer that is connected to the output node. Made at the first use.
    open var mainMixerNode: AVAudioMixerNode {
        let output = outputNode
        return core.singleton(\.mainMixer) {
            let mixer = AVAudioMixerNode()
            core.attach(mixer)
            core.connect(mixer, to: [(output, 0)], nil)
            return mixer
        }
    }

    // MARK: Connections

    /// Connects the output of a node to the first input of another, or the first free one of a mixer.
    ///
    /// - Parameter format: The format of the output; nil for that of what follows. Rates and channels are converted where
    ///   they differ.
    open func connect(_ node1: AVAudioNode, to node2: AVAudioNode, format: AVAudioFormat?) {
        let bus = (node2 as? AVAudioMixerNode).map { mixer in
            core.inputBus(of: node2.part, from: node1.part) ?? mixer.nextAvailableInputBus
        }
        core.connect(node1, to: [(node2, bus ?? 0)], format)
    }

    /// Connects an output to an input. Earlier connections of both are removed.
    open func connect(
        _ node1: AVAudioNode, to node2: AVAudioNode, fromBus bus1: AVAudioNodeBus, toBus bus2: AVAudioNodeBus,
        format: AVAudioFormat?
    ) {
        guard bus1 == 0 else {
            return MisuseNote.write("cannot connect output \(bus1): nodes have one output")
        }
        core.connect(node1, to: [(node2, bus2)], format)
    }

    /// Connects an output to several inputs, and to no others.
    open func connect(
        _ sourceNode: AVAudioNode, to destNodes: [AVAudioConnectionPoint], fromBus sourceBus: AVAudioNodeBus,
        format: AVAudioFormat?
    ) {
        guard sourceBus == 0 else {
            return MisuseNote.write("cannot connect output \(sourceBus): nodes have one output")
        }
        core.connect(
            sourceNode, to: destNodes.compactMap { point in point.node.map { ($0, point.bus) } }, format)
    }

    open func disconnectNodeInput(_ node: AVAudioNode) { core.disconnectInput(node.part, bus: nil) }

    open func disconnectNodeInput(_ node: AVAudioNode, bus: AVAudioNodeBus) {
        core.disconnectInput(node.part, bus: bus)
    }

    open func disconnectNodeOutput(_ node: AVAudioNode) { core.disconnectOutput(node.part) }

    open func disconnectNodeOutput(_ node: AVAudioNode, bus: AVAudioNodeBus) {
        if bus == 0 { core.disconnectOutput(node.part) }
    }

    /// Returns where an input gets its audio from; nil if it is not connected.
    open func inputConnectionPoint(
        for node: AVAudioNode, inputBus bus: AVAudioNodeBus
    ) -> AVAudioConnectionPoint? {
        core.inputPoint(of: node.part, bus: bus)
    }

    open func outputConnectionPoints(
        for node: AVAudioNode, outputBus bus: AVAudioNodeBus
    ) -> [AVAudioConnectionPoint] {
        bus == 0 ? core.outputPoints(of: node.part) : []
    }

    // MARK: Life

    /// Makes what ``start()`` needs, so that it is faster.
    open func prepare() { core.prepare() }

    /// Starts, and returns when the devices run. Does nothing if the engine runs.
    ///
    /// - Throws: `kAudioUnitErr_FailedInitialization` if neither the output, the main mixer nor the input node was asked for;
    ///   `kAudioHardwareBadDeviceError` without a device or a sound server.
    open func start() throws { try core.start() }

    /// Stops rendering. Players keep what is scheduled, and go on after the next ``start()``.
    open func pause() { core.pause() }

    /// Stops rendering, and leaves the devices. Players stop.
    open func stop() { core.stop() }

    /// Drops what players have scheduled, and while no device renders the audio that other nodes hold. In manual rendering,
    /// the time becomes 0.
    open func reset() { core.reset() }

    open var isRunning: Bool { core.isRendering }

    /// Has no effect: the devices are left by ``stop()``.
    open var isAutoShutdownEnabled = false
}
