// SPDX-License-Identifier: MIT

import AQExpectations
import CAQAudioToolbox
import CoreAudioTypes
import Synchronization
import AQTestSupport
import Testing

@testable import AQToolboxFunctions

/// Graphs whose output is rendered by hand.
@Suite("Graphs of units") struct GraphTests {
    @Test("are opened, initialized, started, and ended in turn") func life() throws {
        let rig = try GraphRig()
        let (output, mixer) = (try rig.addOutput(), try rig.addMixer())
        #expect(rig.state == (false, false, false))
        expectEqual(rig.connect(mixer, to: output), noErr)
        let source = CallbackSource(0.25)
        expectEqual(rig.setCallback(mixer, 1, source), noErr)
        unsafe expectEqual(auGraphInitialize(rig.graph), kAUGraphErr_CannotDoInCurrentContext)
        unsafe expectEqual(auGraphOpen(rig.graph), noErr)
        unsafe expectEqual(auGraphOpen(rig.graph), noErr)
        #expect(rig.state == (true, false, false))
        unsafe expectEqual(auGraphStart(rig.graph), kAudioUnitErr_Uninitialized)
        let unit = try rig.unit(of: output)
        expectEqual(unit.render(8).status, kAudioUnitErr_Uninitialized)
        unsafe expectEqual(auGraphInitialize(rig.graph), noErr)
        unsafe expectEqual(auGraphStart(rig.graph), noErr)
        #expect(rig.state == (true, true, true))
        expectEqual(unit.render(constant: 64), 0.25)
        unsafe expectEqual(auGraphStop(rig.graph), noErr)
        #expect(rig.state == (true, true, false))
        unsafe expectEqual(auGraphUninitialize(rig.graph), noErr)
        #expect(rig.state == (true, false, false))
        expectEqual(unit.render(8).status, kAudioUnitErr_Uninitialized)
        unsafe expectEqual(auGraphClose(rig.graph), noErr)
        #expect(rig.state == (false, false, false))
        expectEqual(unit.render(8).status, kAudio_ParamError)
        // The nodes and connections remain.
        expectEqual(rig.start(), noErr)
        try expectEqual(rig.unit(of: output).render(constant: 8), 0.25)
        let last = try rig.unit(of: output)
        rig.end()
        expectEqual(last.render(8).status, kAudio_ParamError)
        unsafe expectEqual(auGraphStop(rig.graph), kAudio_ParamError)
        unsafe expectEqual(disposeAUGraph(rig.graph), kAudio_ParamError)
    }

    @Test("take formats over from source to destination when they are initialized") func formats() throws {
        let rig = try GraphRig()
        defer { rig.end() }
        let (output, mixer, converter) = (try rig.addOutput(), try rig.addMixer(), try rig.addConverter())
        // In an order that is not that of the audio.
        expectEqual(rig.connect(mixer, to: output), noErr)
        expectEqual(rig.connect(converter, to: mixer, 4), noErr)
        unsafe expectEqual(auGraphOpen(rig.graph), noErr)
        let format = AudioStreamBasicDescription.float(isInterleaved: false, channels: 2, sampleRate: 48_000)
        let shorts = AudioStreamBasicDescription.signedInteger(bits: 16, channels: 2, sampleRate: 48_000)
        let id = kAudioUnitProperty_StreamFormat
        try expectEqual(rig.unit(of: mixer).set(id, kAudioUnitScope_Output, to: format), noErr)
        try expectEqual(rig.unit(of: converter).set(id, kAudioUnitScope_Output, to: shorts), noErr)
        unsafe expectEqual(auGraphInitialize(rig.graph), noErr)
        #expect(try rig.unit(of: output).get(id, kAudioUnitScope_Input, as: shorts).isSame(as: format))
        #expect(try rig.unit(of: mixer).get(id, kAudioUnitScope_Input, 4, as: format).isSame(as: shorts))
    }

    @Test("take formats over again when they are initialized again", arguments: [false, true])
    func formatsAgain(wasInitialized: Bool) throws {
        let rig = try GraphRig()
        defer { rig.end() }
        let (output, mixer) = (try rig.addOutput(), try rig.addMixer())
        expectEqual(rig.connect(mixer, to: output), noErr)
        unsafe expectEqual(auGraphOpen(rig.graph), noErr)
        if wasInitialized {
            unsafe expectEqual(auGraphInitialize(rig.graph), noErr)
            unsafe expectEqual(auGraphUninitialize(rig.graph), noErr)
        } else {
            expectEqual(rig.update(), noErr)
        }
        let format = AudioStreamBasicDescription.float(isInterleaved: false, channels: 2, sampleRate: 22_050)
        let id = kAudioUnitProperty_StreamFormat
        try expectEqual(rig.unit(of: mixer).set(id, kAudioUnitScope_Output, to: format), noErr)
        unsafe expectEqual(auGraphInitialize(rig.graph), noErr)
        let found = try rig.unit(of: output).get(id, kAudioUnitScope_Input, as: AudioStreamBasicDescription())
        #expect(found.isSame(as: format))
    }

    @Test("describe their nodes and the sources of inputs") func nodes() throws {
        let rig = try GraphRig()
        defer { rig.end() }
        let (output, mixer) = (try rig.addOutput(), try rig.addMixer())
        #expect(output != mixer)
        var description = AudioComponentDescription()
        var unit: AudioUnit? = unsafe AudioUnit(bitPattern: 7)
        unsafe expectEqual(auGraphNodeInfo(rig.graph, mixer, &description, &unit), noErr)
        expectEqual(description.componentSubType, kAudioUnitSubType_MultiChannelMixer)
        unsafe expectEqual(unit, nil)
        let source = CallbackSource(0)
        expectEqual(rig.connect(mixer, to: output), noErr)
        expectEqual(rig.setCallback(mixer, 3, source), noErr)
        let found = try unsafe #require(rig.interactions(of: mixer))
        try unsafe #require(found.count == 2)
        unsafe expectEqual(found[0].nodeInteractionType, kAUNodeInteraction_Connection)
        unsafe expectEqual(found[0].nodeInteraction.connection.sourceNode, mixer)
        unsafe expectEqual(found[0].nodeInteraction.connection.destNode, output)
        unsafe expectEqual(found[1].nodeInteractionType, kAUNodeInteraction_InputCallback)
        unsafe expectEqual(found[1].nodeInteraction.inputCallback.destInputNumber, 3)
        unsafe expectEqual(
            found[1].nodeInteraction.inputCallback.cback.inputProcRefCon,
            Unmanaged.passUnretained(source).toOpaque())
        unsafe expectEqual(rig.interactions(of: output)?.count, 1)
        var count: UInt32 = 1
        var one = unsafe AUNodeInteraction()
        #expect(unsafe auGraphGetNodeInteractions(rig.graph, mixer, &count, nil) == noErr && count == 2)
        count = 1
        #expect(unsafe auGraphGetNodeInteractions(rig.graph, mixer, &count, &one) == noErr && count == 1)
        unsafe caShow(UnsafeMutableRawPointer(rig.graph))
        unsafe expectEqual(auGraphClearConnections(rig.graph), noErr)
        unsafe expectEqual(rig.interactions(of: mixer)?.isEmpty, true)
    }

    @Test("refuse nodes that do not exist, second outputs, unknown units and cycles") func refusals() throws {
        let rig = try GraphRig()
        defer { rig.end() }
        let (output, one, other) = (try rig.addOutput(), try rig.addConverter(), try rig.addConverter())
        expectEqual(
            rig.added(kAudioUnitType_Output, kAudioUnitSubType_DefaultOutput).0, kAUGraphErr_OutputNodeErr)
        expectEqual(rig.added(kAudioUnitType_Effect, 0).0, kAUGraphErr_InvalidAudioUnit)
        expectEqual(rig.connect(one, to: other), noErr)
        expectEqual(rig.connect(other, to: one), kAUGraphErr_InvalidConnection)
        expectEqual(rig.connect(one, to: one), kAUGraphErr_InvalidConnection)
        for node in [0, -1, 99, AUNode.max, .min] {
            expectEqual(rig.connect(node, to: output), kAUGraphErr_NodeNotFound)
            expectEqual(rig.connect(one, to: node), kAUGraphErr_NodeNotFound)
            expectEqual(rig.setCallback(node, 0, CallbackSource(0)), kAUGraphErr_NodeNotFound)
            unsafe expectEqual(auGraphDisconnectNodeInput(rig.graph, node, 0), kAUGraphErr_NodeNotFound)
            unsafe expectEqual(auGraphRemoveNode(rig.graph, node), kAUGraphErr_NodeNotFound)
            unsafe expectEqual(auGraphNodeInfo(rig.graph, node, nil, nil), kAUGraphErr_NodeNotFound)
            #expect(unsafe rig.interactions(of: node) == nil)
        }
        var node: AUNode = 0
        unsafe expectEqual(auGraphAddNode(rig.graph, nil, &node), kAudio_ParamError)
        unsafe expectEqual(auGraphSetNodeInputCallback(rig.graph, one, 0, nil), kAudio_ParamError)
        unsafe expectEqual(auGraphIsOpen(rig.graph, nil), kAudio_ParamError)
        // An input that does not exist is found out when the units are connected.
        expectEqual(rig.connect(one, to: output, 5), noErr)
        unsafe expectEqual(auGraphOpen(rig.graph), noErr)
        unsafe expectEqual(auGraphInitialize(rig.graph), kAudioUnitErr_InvalidElement)
        #expect(rig.state == (true, false, false))
        unsafe expectEqual(auGraphDisconnectNodeInput(rig.graph, output, 5), noErr)
        unsafe expectEqual(auGraphInitialize(rig.graph), noErr)
    }

    @Test("need an output to start") func outputMissing() throws {
        let rig = try GraphRig()
        defer { rig.end() }
        let mixer = try rig.addMixer()
        expectEqual(rig.start(), kAUGraphErr_OutputNodeErr)
        try expectEqual(rig.unit(of: mixer).render(constant: 8), 0)
        unsafe expectEqual(auGraphStop(rig.graph), noErr)
    }

    @Test("inform observers of each slice of the output") func observers() throws {
        let rig = try GraphRig()
        defer { rig.end() }
        let calls = Tally()
        let context = unsafe Unmanaged.passUnretained(calls).toOpaque()
        let notify: AURenderCallback = { context, _, _, _, _, _ in
            unsafe Unmanaged<Tally>.fromOpaque(context).takeUnretainedValue().add()
            return noErr
        }
        unsafe expectEqual(auGraphAddRenderNotify(rig.graph, notify, context), noErr)
        let output = try rig.addOutput()
        expectEqual(rig.start(), noErr)
        _ = try rig.unit(of: output).render(8)
        expectEqual(calls.now, 2)
        unsafe expectEqual(auGraphRemoveRenderNotify(rig.graph, notify, context), noErr)
        unsafe expectEqual(auGraphRemoveRenderNotify(rig.graph, notify, context), noErr)
        _ = try rig.unit(of: output).render(8)
        expectEqual(calls.now, 2)
        unsafe expectEqual(auGraphAddRenderNotify(rig.graph, nil, nil), kAudio_ParamError)
    }
}
