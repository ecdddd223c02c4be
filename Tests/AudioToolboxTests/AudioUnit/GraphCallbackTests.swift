// SPDX-License-Identifier: MIT

import AQDevices
import AQExpectations
import CAQAudioToolbox
import CoreAudioTypes
import Glibc
import Synchronization
import AQTestSupport
import AQTestTraits
import Testing

@testable import AQToolboxFunctions

/// Calls of the functions of graphs by listeners of properties and by callbacks.
@Suite("Listeners and callbacks of a graph", .serialized, .waiting, .timeLimit(.minutes(20)))
struct GraphCallbackTests {
    /// One for all cases, as its threads remain.
    private static let device = LoopDevice()

    enum Call: CaseIterable {
        case isRunning, start, stop, update, initialize, uninitialize, open, close, dispose

        func callAsFunction(_ rig: GraphRig) -> OSStatus {
            var flag = false
            return switch self {
            case .isRunning: unsafe auGraphIsRunning(rig.graph, &flag)
            case .start: unsafe auGraphStart(rig.graph)
            case .stop: unsafe auGraphStop(rig.graph)
            case .update: rig.update()
            case .initialize: unsafe auGraphInitialize(rig.graph)
            case .uninitialize: unsafe auGraphUninitialize(rig.graph)
            case .open: unsafe auGraphOpen(rig.graph)
            case .close: unsafe auGraphClose(rig.graph)
            case .dispose: unsafe disposeAUGraph(rig.graph)
            }
        }
    }

    /// Makes calls on another thread, and returns whether they return.
    private func returns(_ body: @escaping @Sendable () -> Void) -> Bool {
        let ended = Tally()
        let status = DetachedThread.start(named: "graph") {
            body()
            ended.add()
        }
        return status == 0 && eventually(within: 10) { ended.now == 1 }
    }

    @Test("may make every call when the output starts and stops", arguments: Call.allCases)
    func running(call: Call) throws {
        let rig = try GraphRig()
        let (output, mixer) = (try rig.addOutput(), try rig.addMixer())
        let source = CallbackSource(0.25)
        expectEqual(rig.connect(mixer, to: output), noErr)
        expectEqual(rig.setCallback(mixer, 0, source), noErr)
        unsafe expectEqual(auGraphOpen(rig.graph), noErr)
        unsafe expectEqual(auGraphInitialize(rig.graph), noErr)
        let listener = PropertyListener { call(rig) }
        try listener.add(to: rig.unit(of: output), kAudioOutputUnitProperty_IsRunning)
        try #require(
            returns {
                unsafe _ = auGraphStart(rig.graph)
                unsafe _ = auGraphStop(rig.graph)
                unsafe _ = auGraphUninitialize(rig.graph)
            })
        // A listener that starts the graph again does not keep it from being uninitialized.
        #expect(!rig.state.isInitialized || [.initialize, .dispose].contains(call))
        // The call of a listener may call it again, and that call returns first.
        #expect(listener.statuses.contains(noErr))
        #expect(returns { rig.end() })
        withExtendedLifetime((source, listener)) {}
    }

    @Test("may make every call when an update changes a format", arguments: Call.allCases)
    func formats(call: Call) throws {
        let rig = try GraphRig()
        let (output, mixer, converter) = (try rig.addOutput(), try rig.addMixer(), try rig.addConverter())
        let source = CallbackSource(0.25)
        expectEqual(rig.connect(mixer, to: output), noErr)
        expectEqual(rig.setCallback(mixer, 0, source), noErr)
        expectEqual(rig.start(), noErr)
        let format = AudioStreamBasicDescription.float(isInterleaved: false, channels: 2, sampleRate: 48_000)
        let id = kAudioUnitProperty_StreamFormat
        try expectEqual(rig.unit(of: converter).set(id, kAudioUnitScope_Output, to: format), noErr)
        expectEqual(rig.setCallback(converter, 0, source), noErr)
        expectEqual(rig.connect(converter, to: output), noErr)
        let unit = try rig.unit(of: output)
        let listener = PropertyListener { call(rig) }
        listener.add(to: unit, id)
        let (isDone, hasEnded) = (Tally(), Tally())
        let status = DetachedThread.start(named: "renderer") {
            while isDone.now == 0 { _ = unit.render(64) }
            hasEnded.add()
        }
        expectEqual(status, 0)
        try #require(returns { _ = rig.update() })
        isDone.add()
        try #require(eventually(within: 10) { hasEnded.now == 1 })
        expectEqual(listener.statuses.first, noErr)
        #expect(returns { rig.end() })
        withExtendedLifetime((source, listener)) {}
    }

    @Test(
        "of captured frames may make every call while another thread ends the graph",
        arguments: Call.allCases, [Call.stop, .uninitialize, .close, .dispose])
    func captured(call: Call, end: Call) throws {
        let rig = try GraphRig()
        let node = try rig.add(kAudioUnitType_Output, kAudioUnitSubType_HALOutput)
        try open(rig)
        let unit = try rig.unit(of: node)
        let id = kAudioOutputUnitProperty_EnableIO
        expectEqual(unit.set(id, kAudioUnitScope_Input, 1, to: UInt32(1)), noErr)
        expectEqual(unit.set(id, kAudioUnitScope_Output, 0, to: UInt32(0)), noErr)
        let (isInside, isEnding, hasLeft) = (Tally(), Tally(), Tally())
        let code = InputCode {
            guard isInside.add() == 1 else { return }
            _ = eventually { isEnding.now == 1 }
            leaveAsIs(seconds: 0.02)
            _ = call(rig)
            hasLeft.add()
        }
        var callback = unsafe code.callback
        unsafe expectEqual(
            audioUnitSetProperty(
                unit.unit, kAudioOutputUnitProperty_SetInputCallback, kAudioUnitScope_Global, 0, &callback,
                UInt32(MemoryLayout<AURenderCallbackStruct>.size)), noErr)
        unsafe expectEqual(auGraphInitialize(rig.graph), noErr)
        unsafe expectEqual(auGraphStart(rig.graph), noErr)
        try #require(eventually { isInside.now > 0 })
        try #require(
            returns {
                isEnding.add()
                _ = end(rig)
            })
        try #require(eventually { hasLeft.now == 1 })
        #expect(returns { rig.end() })
        #expect(rig.found(node) == nil)
        withExtendedLifetime(code) {}
    }

    @Test("stop each other's graphs while two threads stop them") func twoGraphs() throws {
        let rigs = [try GraphRig(), try GraphRig()]
        let (hasStarted, isInside, isStopping, hasEnded) = (Tally(), Tally(), Tally(), Tally())
        let sources = [0, 1].map { index in
            let calls = Tally()
            return CallbackSource(0.25) {
                guard hasStarted.now == 1, calls.add() == 1 else { return }
                isInside.add()
                _ = eventually { isInside.now == 2 && isStopping.now == 2 }
                leaveAsIs(seconds: 0.05)
                unsafe _ = auGraphStop(rigs[1 - index].graph)
            }
        }
        for (rig, source) in zip(rigs, sources) {
            let node = try rig.add(kAudioUnitType_Output, kAudioUnitSubType_HALOutput)
            expectEqual(rig.setCallback(node, 0, source), noErr)
            try open(rig)
            unsafe expectEqual(auGraphInitialize(rig.graph), noErr)
            unsafe expectEqual(auGraphStart(rig.graph), noErr)
        }
        hasStarted.add()
        try #require(eventually { isInside.now == 2 })
        for rig in rigs {
            let status = DetachedThread.start(named: "stop") {
                isStopping.add()
                unsafe _ = auGraphStop(rig.graph)
                hasEnded.add()
            }
            expectEqual(status, 0)
        }
        try #require(eventually(within: 10) { hasEnded.now == 2 })
        for rig in rigs { rig.end() }
        withExtendedLifetime(sources) {}
    }

    @Test("may stop a graph that is being closed, in a render of one of its units by hand")
    func closing() throws {
        let rig = try GraphRig()
        let (output, mixer) = (try rig.addOutput(), try rig.addMixer())
        let hasLeft = Tally()
        let source = CallbackSource(0.25) {
            _ = eventually { !rig.state.isOpen }
            leaveAsIs(seconds: 0.02)
            unsafe _ = auGraphStop(rig.graph)
            unsafe expectEqual(auGraphUninitialize(rig.graph), kAUGraphErr_CannotDoInCurrentContext)
            hasLeft.add()
        }
        expectEqual(rig.connect(mixer, to: output), noErr)
        expectEqual(rig.setCallback(mixer, 0, source), noErr)
        expectEqual(rig.start(), noErr)
        let unit = try rig.unit(of: mixer)
        expectEqual(DetachedThread.start(named: "renderer") { _ = unit.render(64) }, 0)
        try #require(eventually { source.frames > 0 })
        try #require(returns { unsafe _ = auGraphClose(rig.graph) })
        #expect(eventually { hasLeft.now == 1 })
        rig.end()
        withExtendedLifetime(source) {}
    }

    /// Makes the units with a device without hardware.
    private func open(_ rig: GraphRig) throws {
        let status = TestDevices.with(output: Self.device, input: Self.device) {
            unsafe auGraphOpen(rig.graph)
        }
        try #require(status == noErr)
    }
}

/// A listener of a property that makes a call at its first change.
private final class PropertyListener: Sendable {
    private let call: @Sendable () -> OSStatus
    private let answers = Mutex<[OSStatus]>([])

    init(_ call: @escaping @Sendable () -> OSStatus) { self.call = call }

    var statuses: [OSStatus] { answers.withLock { $0 } }

    func add(to unit: PulledUnitRig, _ id: AudioUnitPropertyID) {
        let status = unsafe audioUnitAddPropertyListener(
            unit.unit, id,
            { context, _, _, _, _ in
                let listener = unsafe Unmanaged<PropertyListener>.fromOpaque(context).takeUnretainedValue()
                let status = listener.call()
                listener.answers.withLock { $0.append(status) }
            }, Unmanaged.passUnretained(self).toOpaque())
        expectEqual(status, noErr)
    }
}

/// A callback that is informed of captured frames.
private final class InputCode: Sendable {
    private let body: @Sendable () -> Void

    init(_ body: @escaping @Sendable () -> Void) { self.body = body }

    var callback: AURenderCallbackStruct {
        unsafe AURenderCallbackStruct(
            inputProc: { context, _, _, _, _, _ in
                unsafe Unmanaged<InputCode>.fromOpaque(context).takeUnretainedValue().body()
                return noErr
            }, inputProcRefCon: Unmanaged.passUnretained(self).toOpaque())
    }
}
