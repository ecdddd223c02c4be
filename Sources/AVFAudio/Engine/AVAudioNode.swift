// SPDX-License-Identifier: MIT

import AQGraphs
public import Foundation

/// A part of an ``AVAudioEngine``: it plays, changes, mixes or records audio.
///
/// Attach a node to an engine, and connect it. Any thread may call a node.
open class AVAudioNode: NSObject {
    let part: NodePart

    init(part: NodePart) {
        self.part = part
        super.init()
        part.object = self
    }

    /// - Parameter element: What renders the node.
    convenience init(element: any GraphElement, inputs: Int, outputs: Int) {
        self.init(part: NodePart(element, .effect, inputs: inputs, outputs: outputs))
    }

    /// The engine that the node is attached to; nil for none.
    open var engine: AVAudioEngine? { part.core?.engine }

    /// The number of input buses. A mixer has any number: this is one more than the last that is connected.
    open var numberOfInputs: Int { part.core?.inputCount(of: part) ?? part.inputs }

    open var numberOfOutputs: Int { part.outputs }

    /// Returns the format of an input: that of the connection.
    ///
    /// - Returns: A format of 0 Hz and no channels if there is no such bus.
    open func inputFormat(forBus bus: AVAudioNodeBus) -> AVAudioFormat {
        guard part.inputs > 0, bus >= 0 else { return .absent }
        return AVAudioFormat.standard(part.core?.inputFormat(of: part, bus: bus) ?? part.ownFormat)
    }

    /// Returns the format of an output: that of the connection, or that which the node would have.
    ///
    /// - Returns: A format of 0 Hz and no channels if there is no such bus.
    open func outputFormat(forBus bus: AVAudioNodeBus) -> AVAudioFormat {
        guard bus >= 0, bus < max(part.outputs, part.kind == .output ? 1 : 0) else { return .absent }
        return AVAudioFormat.standard(part.core?.outputFormat(of: part) ?? part.ownFormat)
    }

    open func name(forInputBus bus: AVAudioNodeBus) -> String? { nil }

    open func name(forOutputBus bus: AVAudioNodeBus) -> String? { nil }

    /// Drops what a player has scheduled. Other nodes are reset by their engine.
    open func reset() { part.core?.reset(part) }

    /// The time of the last slice that the node has rendered; nil unless the engine runs and the node is rendered.
    ///
    /// Its host time is the time at which the slice is audible, or was captured.
    open var lastRenderTime: AVAudioTime? {
        guard let core = part.core, core.isRendering, let time = part.clock.lastTime else { return nil }
        let rate = core.renderedFormat(of: part).sampleRate
        return time.hostTime == 0
            ? AVAudioTime(sampleTime: time.sampleTime, atRate: rate)
            : AVAudioTime(hostTime: time.hostTime, sampleTime: time.sampleTime, atRate: rate)
    }

    /// The delay of the node itself, in seconds. Not measured: 0.
    open var latency: TimeInterval { 0 }

    /// The time from the node's output until it is audible, in seconds; 0 in manual rendering.
    open var outputPresentationLatency: TimeInterval { part.core?.outputLatency ?? 0 }
}

extension AVAudioFormat {
    /// The format of a bus or a device that does not exist: 0 Hz, no channels.
    static var absent: AVAudioFormat { AVAudioFormat(unchecked: AudioStreamBasicDescription()) }

    /// A format of floats with a buffer for each channel; 0 Hz and no channels if there is none.
    static func standard(_ format: GraphFormat?) -> AVAudioFormat {
        guard let format, format.channels > 0, format.sampleRate > 0 else { return .absent }
        if format.labels.isEmpty, format.channels <= 2 {
            return AVAudioFormat(
                standardFormatWithSampleRate: format.sampleRate, channels: UInt32(format.channels)) ?? .absent
        }
        let tag = kAudioChannelLayoutTag_DiscreteInOrder | UInt32(format.channels)
        guard let layout = AVAudioChannelLayout(layoutTag: tag) else { return .absent }
        return AVAudioFormat(standardFormatWithSampleRate: format.sampleRate, channelLayout: layout)
    }

    /// Whether a graph can be rendered in the rate and with the channels.
    var isUsableInGraphs: Bool {
        channelCount > 0 && sampleRate >= 1 && sampleRate <= AudioStreamBasicDescription.maximumSampleRate
    }

    /// The rate and channels, as a graph has them.
    var graphFormat: GraphFormat { GraphFormat(sampleRate: sampleRate, channels: Int(channelCount)) }
}
