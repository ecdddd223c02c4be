// SPDX-License-Identifier: MIT

import AQDevices
import AQExpectations
import CAQAudioToolbox
import CoreAudioTypes
import Synchronization
import AQTestSupport
import Testing

@testable import AQToolboxFunctions

/// Changes of graphs whose output is rendered by hand.
@Suite("Changes of a running graph", .timeLimit(.minutes(20))) struct GraphUpdateTests {
    @Test("take effect with an update") func update() throws {
        let rig = try GraphRig()
        defer { rig.end() }
        let (output, mixer) = (try rig.addOutput(), try rig.addMixer())
        let sources = [CallbackSource(0.25), CallbackSource(0.5), CallbackSource(1)]
        expectEqual(rig.connect(mixer, to: output), noErr)
        expectEqual(rig.setCallback(mixer, 0, sources[0]), noErr)
        expectEqual(rig.start(), noErr)
        let unit = try rig.unit(of: output)
        expectEqual(unit.render(constant: 8), 0.25)
        expectEqual(rig.setCallback(mixer, 1, sources[1]), noErr)
        expectEqual(unit.render(constant: 8), 0.25)
        var isUpdated = false
        #expect(unsafe auGraphUpdate(rig.graph, &isUpdated) == noErr && isUpdated)
        expectEqual(unit.render(constant: 8), 0.75)
        unsafe expectEqual(auGraphDisconnectNodeInput(rig.graph, mixer, 0), noErr)
        expectEqual(rig.update(), noErr)
        expectEqual(unit.render(constant: 8), 0.5)
        // A new node between two others.
        let converter = try rig.addConverter()
        expectEqual(rig.connect(converter, to: output), noErr)
        expectEqual(rig.setCallback(converter, 0, sources[2]), noErr)
        expectEqual(unit.render(constant: 8), 0.5)
        expectEqual(rig.update(), noErr)
        expectEqual(unit.render(constant: 8), 1)
        unsafe expectEqual(auGraphRemoveNode(rig.graph, converter), noErr)
        expectEqual(unit.render(8).status, kAudioUnitErr_NoConnection)
        expectEqual(rig.connect(mixer, to: output), noErr)
        unsafe expectEqual(auGraphStart(rig.graph), noErr)
        expectEqual(unit.render(constant: 8), 0.5)
        unsafe expectEqual(auGraphClearConnections(rig.graph), noErr)
        expectEqual(rig.update(), noErr)
        expectEqual(unit.render(8).status, kAudioUnitErr_NoConnection)
    }

    @Test("are whole in each slice") func atomicity() throws {
        let rig = try GraphRig()
        defer { rig.end() }
        let (output, mixer) = (try rig.addOutput(), try rig.addMixer())
        let (low, high) = (CallbackSource(0.25), CallbackSource(0.5))
        expectEqual(rig.connect(mixer, to: output), noErr)
        expectEqual(rig.setCallback(mixer, 0, low), noErr)
        expectEqual(rig.setCallback(mixer, 1, low), noErr)
        expectEqual(rig.start(), noErr)
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
        expectEqual(status, 0)
        let deadline = HostClock.time(inSeconds: 30)
        var round = 0
        while round < 500 || (seen.withLock { $0.count } < 2 && HostClock.now < deadline) {
            round += 1
            let source = round % 2 == 0 ? high : low
            expectEqual(rig.setCallback(mixer, 0, source), noErr)
            expectEqual(rig.setCallback(mixer, 1, source), noErr)
            expectEqual(rig.update(), noErr)
        }
        expectEqual(seen.withLock { $0.count }, 2)
        isDone.store(true, ordering: .relaxed)
        #expect(eventually { hasEnded.load(ordering: .acquiring) })
        expectEqual(wrong.now, 0, "\(seen.withLock { $0 })")
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
        expectEqual(rig.connect(mixer, to: output), noErr)
        expectEqual(rig.setCallback(mixer, 0, source), noErr)
        expectEqual(rig.start(), noErr)
        let unit = try rig.unit(of: output)
        expectEqual(unit.render(constant: 8), 0.25)
        let refused = [OSStatus](repeating: kAUGraphErr_CannotDoInCurrentContext, count: 6)
        expectEqual(results.withLock { $0 }, refused)
        #expect(rig.state == (true, true, false))
        expectEqual(rig.update(), noErr)
        expectEqual(unit.render(constant: 8), 0.75)
        let end = CallbackSource(0.25) { rig.end() }
        expectEqual(rig.setCallback(mixer, 0, end), noErr)
        expectEqual(rig.update(), noErr)
        expectEqual(unit.render(8, lends: false).status, noErr)
        expectEqual(unit.render(8).status, kAudio_ParamError)
        expectEqual(rig.update(), kAudio_ParamError)
    }

    @Test("survive nodes whose units the client has disposed of") func disposedUnit() throws {
        let rig = try GraphRig()
        defer { rig.end() }
        let (output, converter) = (try rig.addOutput(), try rig.addConverter())
        expectEqual(rig.setCallback(converter, 0, CallbackSource(0.5)), noErr)
        unsafe expectEqual(auGraphClearConnections(rig.graph), noErr)
        expectEqual(rig.connect(converter, to: output), noErr)
        expectEqual(rig.start(), noErr)
        try rig.unit(of: converter).end()
        try expectEqual(rig.unit(of: output).render(8).status, kAudioUnitErr_NoConnection)
        expectEqual(rig.update(), noErr)
        unsafe expectEqual(auGraphUninitialize(rig.graph), noErr)
    }

    @Test("are possible after an input with a connection was removed") func removedInput() throws {
        let rig = try GraphRig()
        defer { rig.end() }
        let (output, mixer, converter) = (try rig.addOutput(), try rig.addMixer(), try rig.addConverter())
        let source = CallbackSource(0.5)
        expectEqual(rig.connect(mixer, to: output), noErr)
        expectEqual(rig.setCallback(converter, 0, source), noErr)
        expectEqual(rig.connect(converter, to: mixer, 7), noErr)
        unsafe expectEqual(auGraphOpen(rig.graph), noErr)
        unsafe expectEqual(auGraphInitialize(rig.graph), noErr)
        unsafe expectEqual(auGraphDisconnectNodeInput(rig.graph, mixer, 7), noErr)
        try expectEqual(
            rig.unit(of: mixer).set(
                kAudioUnitProperty_ElementCount, kAudioUnitScope_Input, to: UInt32(4)), noErr)
        expectEqual(rig.update(), noErr)
        unsafe expectEqual(auGraphStart(rig.graph), noErr)
        expectEqual(rig.connect(converter, to: mixer, 3), noErr)
        expectEqual(rig.update(), noErr)
        try expectEqual(rig.unit(of: output).render(constant: 8), 0.5)
        withExtendedLifetime(source) {}
    }
}
