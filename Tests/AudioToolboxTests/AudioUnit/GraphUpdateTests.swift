// SPDX-License-Identifier: MIT

import AQDevices
import CAQAudioToolbox
import CoreAudioTypes
import Synchronization
import AQTestSupport
import Testing

@testable import AQToolboxFunctions

/// Changes of graphs whose output is rendered by hand.
@Suite("Changes of a running graph", .timeLimit(.minutes(2))) struct GraphUpdateTests {
    @Test("take effect with an update") func update() throws {
        let rig = try GraphRig()
        defer { rig.end() }
        let (output, mixer) = (try rig.addOutput(), try rig.addMixer())
        let sources = [CallbackSource(0.25), CallbackSource(0.5), CallbackSource(1)]
        #expect(rig.connect(mixer, to: output) == noErr)
        #expect(rig.setCallback(mixer, 0, sources[0]) == noErr)
        #expect(rig.start() == noErr)
        let unit = try rig.unit(of: output)
        #expect(unit.render(constant: 8) == 0.25)
        #expect(rig.setCallback(mixer, 1, sources[1]) == noErr)
        #expect(unit.render(constant: 8) == 0.25)
        var isUpdated = false
        #expect(unsafe auGraphUpdate(rig.graph, &isUpdated) == noErr && isUpdated)
        #expect(unit.render(constant: 8) == 0.75)
        #expect(unsafe auGraphDisconnectNodeInput(rig.graph, mixer, 0) == noErr)
        #expect(rig.update() == noErr)
        #expect(unit.render(constant: 8) == 0.5)
        // A new node between two others.
        let converter = try rig.addConverter()
        #expect(rig.connect(converter, to: output) == noErr)
        #expect(rig.setCallback(converter, 0, sources[2]) == noErr)
        #expect(unit.render(constant: 8) == 0.5)
        #expect(rig.update() == noErr)
        #expect(unit.render(constant: 8) == 1)
        #expect(unsafe auGraphRemoveNode(rig.graph, converter) == noErr)
        #expect(unit.render(8).status == kAudioUnitErr_NoConnection)
        #expect(rig.connect(mixer, to: output) == noErr)
        #expect(unsafe auGraphStart(rig.graph) == noErr)
        #expect(unit.render(constant: 8) == 0.5)
        #expect(unsafe auGraphClearConnections(rig.graph) == noErr)
        #expect(rig.update() == noErr)
        #expect(unit.render(8).status == kAudioUnitErr_NoConnection)
    }

    @Test("are whole in each slice") func atomicity() throws {
        let rig = try GraphRig()
        defer { rig.end() }
        let (output, mixer) = (try rig.addOutput(), try rig.addMixer())
        let (low, high) = (CallbackSource(0.25), CallbackSource(0.5))
        #expect(rig.connect(mixer, to: output) == noErr)
        #expect(rig.setCallback(mixer, 0, low) == noErr)
        #expect(rig.setCallback(mixer, 1, low) == noErr)
        #expect(rig.start() == noErr)
        let unit = try rig.unit(of: output)
        let isDone = Atomic<Bool>(false)
        let wrong = Tally()
        let seen = Mutex<Set<Float?>>([])
        let hasEnded = Atomic<Bool>(false)
        let status = DetachedThread.start(named: "renderer") {
            while !isDone.load(ordering: .relaxed) {
                let value = unit.render(constant: 64)
                seen.withLock { _ = $0.insert(value) }
                if value != 0.5 && value != 1 { wrong.add() }
            }
            hasEnded.store(true, ordering: .releasing)
        }
        #expect(status == 0)
        let deadline = HostClock.time(inSeconds: 30)
        var round = 0
        while round < 500 || (seen.withLock { $0.count } < 2 && HostClock.now < deadline) {
            round += 1
            let source = round % 2 == 0 ? high : low
            #expect(rig.setCallback(mixer, 0, source) == noErr)
            #expect(rig.setCallback(mixer, 1, source) == noErr)
            #expect(rig.update() == noErr)
        }
        #expect(seen.withLock { $0.count } == 2)
        isDone.store(true, ordering: .relaxed)
        #expect(eventually { hasEnded.load(ordering: .acquiring) })
        #expect(wrong.now == 0, "\(seen.withLock { $0 })")
    }

    @Test("within a slice wait, and stopping and disposing do not") func within() throws {
        let rig = try GraphRig()
        let (output, mixer) = (try rig.addOutput(), try rig.addMixer())
        let other = CallbackSource(0.5)
        let results = Mutex<[OSStatus]>([])
        let source = CallbackSource(0.25) {
            var (node, flag) = (AUNode(0), false)
            var description = AudioComponentDescription()
            description.componentType = kAudioUnitType_Mixer
            let statuses = unsafe [
                auGraphUpdate(rig.graph, &flag), auGraphUninitialize(rig.graph), auGraphClose(rig.graph),
                auGraphStart(rig.graph), auGraphRemoveNode(rig.graph, mixer),
                auGraphAddNode(rig.graph, &description, &node),
            ]
            _ = rig.setCallback(mixer, 1, other)
            results.withLock { $0 += statuses }
            unsafe _ = auGraphStop(rig.graph)
        }
        #expect(rig.connect(mixer, to: output) == noErr)
        #expect(rig.setCallback(mixer, 0, source) == noErr)
        #expect(rig.start() == noErr)
        let unit = try rig.unit(of: output)
        #expect(unit.render(constant: 8) == 0.25)
        let refused = [OSStatus](repeating: kAUGraphErr_CannotDoInCurrentContext, count: 6)
        #expect(results.withLock { $0 } == refused)
        #expect(rig.state == (true, true, false))
        #expect(rig.update() == noErr)
        #expect(unit.render(constant: 8) == 0.75)
        let end = CallbackSource(0.25) { rig.end() }
        #expect(rig.setCallback(mixer, 0, end) == noErr)
        #expect(rig.update() == noErr)
        #expect(unit.render(8, lends: false).status == noErr)
        #expect(unit.render(8).status == kAudio_ParamError)
        #expect(rig.update() == kAudio_ParamError)
    }

    @Test("survive nodes whose units the client has disposed of") func disposedUnit() throws {
        let rig = try GraphRig()
        defer { rig.end() }
        let (output, converter) = (try rig.addOutput(), try rig.addConverter())
        #expect(rig.setCallback(converter, 0, CallbackSource(0.5)) == noErr)
        #expect(unsafe auGraphClearConnections(rig.graph) == noErr)
        #expect(rig.connect(converter, to: output) == noErr)
        #expect(rig.start() == noErr)
        try rig.unit(of: converter).end()
        #expect(try rig.unit(of: output).render(8).status == kAudioUnitErr_NoConnection)
        #expect(rig.update() == noErr)
        #expect(unsafe auGraphUninitialize(rig.graph) == noErr)
    }

    @Test("are possible after an input with a connection was removed") func removedInput() throws {
        let rig = try GraphRig()
        defer { rig.end() }
        let (output, mixer, converter) = (try rig.addOutput(), try rig.addMixer(), try rig.addConverter())
        let source = CallbackSource(0.5)
        #expect(rig.connect(mixer, to: output) == noErr)
        #expect(rig.setCallback(converter, 0, source) == noErr)
        #expect(rig.connect(converter, to: mixer, 7) == noErr)
        #expect(unsafe auGraphOpen(rig.graph) == noErr)
        #expect(unsafe auGraphInitialize(rig.graph) == noErr)
        #expect(unsafe auGraphDisconnectNodeInput(rig.graph, mixer, 7) == noErr)
        #expect(
            try rig.unit(of: mixer).set(
                kAudioUnitProperty_ElementCount, kAudioUnitScope_Input, to: UInt32(4)) == noErr)
        #expect(rig.update() == noErr)
        #expect(unsafe auGraphStart(rig.graph) == noErr)
        #expect(rig.connect(converter, to: mixer, 3) == noErr)
        #expect(rig.update() == noErr)
        #expect(try rig.unit(of: output).render(constant: 8) == 0.5)
        withExtendedLifetime(source) {}
    }
}
