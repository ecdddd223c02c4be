// SPDX-License-Identifier: MIT

import AQExpectations
import AVFAudio
import Foundation
import Testing

@Suite("Connections of nodes")
struct NodeConnectionTests {
    /// A source of a constant.
    private func source(_ value: Float) -> AVAudioSourceNode {
        let node = unsafe AVAudioSourceNode { _, _, _, list in
            let buffers = unsafe UnsafeMutableAudioBufferListPointer(list)
            for index in unsafe buffers.indices {
                unsafe buffers[index].mData?.assumingMemoryBound(to: Float.self).update(
                    repeating: value, count: Int(buffers[index].mDataByteSize) / 4)
            }
            return noErr
        }
        return node
    }

    /// Whether all samples of some frames have a value.
    private func renders(_ value: Float, _ rig: OfflineRig) throws -> Bool {
        try rig.render(64).allSatisfy { channel in channel.allSatisfy { $0 == value } }
    }

    @Test("are made to the bus that a program names, and replace what was connected to it")
    func buses() throws {
        let rig = try OfflineRig()
        let engine = rig.engine
        let (one, two, mixer) = (source(0.25), source(0.5), AVAudioMixerNode())
        for node in [one, two, mixer] as [AVAudioNode] { engine.attach(node) }
        engine.connect(mixer, to: engine.mainMixerNode, format: nil)
        engine.connect(one, to: mixer, fromBus: 0, toBus: 3, format: nil)
        #expect(mixer.numberOfInputs == 5 && mixer.nextAvailableInputBus == 0)
        #expect(engine.inputConnectionPoint(for: mixer, inputBus: 3)?.node === one)
        expectEqual(engine.inputConnectionPoint(for: mixer, inputBus: 0), nil)
        try engine.start()
        #expect(try renders(0.25, rig))
        engine.connect(two, to: mixer, fromBus: 0, toBus: 3, format: nil)
        #expect(engine.inputConnectionPoint(for: mixer, inputBus: 3)?.node === two)
        #expect(try renders(0.5, rig))
        // An output that is connected again leaves its first bus.
        engine.connect(two, to: mixer, fromBus: 0, toBus: 1, format: nil)
        expectEqual(engine.inputConnectionPoint(for: mixer, inputBus: 3), nil)
        expectEqual(engine.outputConnectionPoints(for: two, outputBus: 0).map(\.bus), [1])
        #expect(try renders(0.5, rig))
        engine.connect(one, to: mixer, fromBus: 0, toBus: 3, format: nil)
        #expect(try renders(0.75, rig))
    }

    @Test("end at one input of a node, or at all of them, and the sources stay attached")
    func disconnectedInputs() throws {
        let rig = try OfflineRig()
        let engine = rig.engine
        let (one, two, mixer) = (source(0.25), source(0.5), AVAudioMixerNode())
        for node in [one, two, mixer] as [AVAudioNode] { engine.attach(node) }
        engine.connect(mixer, to: engine.mainMixerNode, format: nil)
        engine.connect(one, to: mixer, format: nil)
        engine.connect(two, to: mixer, format: nil)
        try engine.start()
        #expect(try renders(0.75, rig))
        engine.disconnectNodeInput(mixer, bus: 1)
        #expect(try renders(0.25, rig))
        engine.connect(two, to: mixer, format: nil)
        #expect(try renders(0.75, rig))
        engine.disconnectNodeInput(mixer)
        #expect(try renders(0, rig))
        #expect(engine.outputConnectionPoints(for: one, outputBus: 0).isEmpty)
        #expect(engine.outputConnectionPoints(for: two, outputBus: 0).isEmpty)
        #expect(one.engine === engine && engine.attachedNodes.contains(two))
        // The node's output is still connected.
        #expect(engine.inputConnectionPoint(for: engine.mainMixerNode, inputBus: 0)?.node === mixer)
        engine.connect(two, to: mixer, format: nil)
        #expect(try renders(0.5, rig))
    }

    @Test("have the format of their source, which is that of the input that they lead to")
    func inputFormats() throws {
        let rig = try OfflineRig()
        let engine = rig.engine
        let player = try rig.player(sampleRate: 24_000, channels: 1)
        let mixer = engine.mainMixerNode
        let speech = try #require(AVAudioFormat(standardFormatWithSampleRate: 24_000, channels: 1))
        expectEqual(player.outputFormat(forBus: 0), speech)
        expectEqual(mixer.inputFormat(forBus: 0), speech)
        // Nothing is connected there: the mixer's own format.
        expectEqual(mixer.inputFormat(forBus: 1), rig.format)
        expectEqual(mixer.outputFormat(forBus: 0), rig.format)
        expectEqual(engine.outputNode.inputFormat(forBus: 0), rig.format)
        expectEqual(player.inputFormat(forBus: 0).channelCount, 0)
        // An effect does not convert.
        let equalizer = AVAudioUnitEQ(numberOfBands: 1)
        engine.attach(equalizer)
        engine.connect(player, to: equalizer, format: speech)
        engine.connect(equalizer, to: mixer, format: nil)
        expectEqual(equalizer.inputFormat(forBus: 0), speech)
        expectEqual(equalizer.outputFormat(forBus: 0), speech)
        expectEqual(mixer.inputFormat(forBus: 0), speech)
    }

    @Test("to the output node need no mixer")
    func outputNode() throws {
        let rig = try OfflineRig(sampleRate: 32_000, channels: 1)
        let output = rig.engine.outputNode
        #expect(output === rig.engine.outputNode && output.engine === rig.engine)
        #expect(output.numberOfInputs == 1 && output.numberOfOutputs == 0)
        expectEqual(output.outputFormat(forBus: 0), rig.format)
        let node = source(0.25)
        rig.engine.attach(node)
        rig.engine.connect(node, to: output, format: nil)
        try rig.engine.start()
        #expect(try renders(0.25, rig))
        #expect(rig.engine.inputConnectionPoint(for: output, inputBus: 0)?.node === node)
    }

    @Test("of the main mixer to the output node exist from its first use on")
    func mainMixer() throws {
        let rig = try OfflineRig()
        let mixer = rig.engine.mainMixerNode
        #expect(mixer === rig.engine.mainMixerNode && mixer.outputVolume == 1)
        let points = rig.engine.outputConnectionPoints(for: mixer, outputBus: 0)
        #expect(points.count == 1 && points.first?.node === rig.engine.outputNode)
    }
}
