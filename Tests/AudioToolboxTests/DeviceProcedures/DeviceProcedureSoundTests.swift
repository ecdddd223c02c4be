// SPDX-License-Identifier: MIT

import AQDevices
import AQExpectations
import CAQAudioToolbox
import CoreAudioTypes
import Glibc
import AQSoundHarness
import Synchronization
import AQTestTraits
import Testing

@testable import AQToolboxFunctions

/// Procedures of devices on a private server.
@Suite("Procedures of devices", .serialized, .besideOthers, .timeLimit(.minutes(5)))
struct DeviceProcedureSoundTests {
    private let server: PulseServer
    private let rig: ProcedureRig

    init() throws {
        server = try PulseServer()
        rig = ProcedureRig(server)
    }

    @Test("play each frame once, in cycles of the length that was set", arguments: [64, 512, 4096])
    func play(frames: UInt32) throws {
        try rig.set(kAudioDevicePropertyBufferFrameSize, of: "test", to: frames)
        try expectEqual(rig.number(kAudioDevicePropertyBufferFrameSize, of: "test"), frames)
        let signal = SignalProcedure(frames: 48_000)
        let id = try rig.add(to: "test") { signal($0) }
        let capture = try MonitorCapture(server)
        try rig.registry.start(id, of: "test")
        try rig.registry.start(id, of: "test")
        #expect(capture.waitForSignal(47_000))
        let runs = TestSignal.runs(in: capture.stop())
        try rig.registry.stop(id, of: "test")
        expectEqual(runs.first?.position, 0)
        expectEqual(runs.map(\.frames).reduce(0, +), 48_000)
        let cycles = signal.cycles
        #expect(cycles.allSatisfy { $0.frames == Int(frames) && $0.isPlain })
        expectEqual(cycles.first?.sampleTime, 0)
        try rig.registry.remove(id, of: "test")
    }

    @Test("capture what other procedures play, which the server mixes") func capture() throws {
        let captured = Mutex((samples: [Float](), isPlain: true))
        let listener = try rig.add(to: "test.monitor") { cycle in
            captured.withLock { state in
                state.samples += cycle.captured
                let isPlain =
                    cycle.outputBuffers == 0 && cycle.outputTime.mFlags.isEmpty && cycle.inputBuffers == 1
                if !isPlain || cycle.captured.count != 1024 { state.isPlain = false }
            }
        }
        let levels: [Float] = [0.25, 0.125]
        let players = try levels.map { level in try rig.add(to: "test") { $0.play(level) } }
        try rig.registry.start(listener, of: "test.monitor")
        for player in players { try rig.registry.start(player, of: "test") }
        let isMixed = HostClock.poll(upToSeconds: 10) {
            captured.withLock { $0.samples.suffix(4096).filter { abs($0 - 0.375) < 0.001 }.count == 4096 }
        }
        #expect(isMixed)
        #expect(captured.withLock { $0.isPlain })
        try rig.registry.remove(players[0], of: "test")
        let isAlone = HostClock.poll(upToSeconds: 10) {
            captured.withLock { $0.samples.suffix(4096).filter { abs($0 - 0.125) < 0.001 }.count == 4096 }
        }
        #expect(isAlone)
        try rig.registry.remove(players[1], of: "test")
        try rig.registry.remove(listener, of: "test.monitor")
    }

    @Test("with both sides get what they play, in one cycle") func duplex() throws {
        let address = "unix:\(server.socketPath)"
        let table = TableHardware(sinks: [.test("both")], sources: [.test("both")])
        let registry = ProcedureRegistry(Hardware(source: table)) {
            ProcedureRig.devices(of: address, source: "test.monitor", sink: "test")
        }
        let both = ProcedureRig(registry)
        let cycles = Mutex((isWhole: true, returned: 0, count: 0))
        let id = try both.add(to: "both") { cycle in
            cycle.play(0.25)
            let returned = cycle.captured.filter { abs($0 - 0.25) < 0.01 }.count
            cycles.withLock { state in
                state.count += 1
                state.returned += returned
                let isWhole =
                    cycle.captured.count == 1024 && cycle.outputFrames == 512
                    && cycle.inputTime.mHostTime < cycle.outputTime.mHostTime
                    && cycle.inputTime.mSampleTime < cycle.outputTime.mSampleTime
                if !isWhole { state.isWhole = false }
            }
        }
        try registry.start(id, of: "both")
        #expect(HostClock.poll(upToSeconds: 10) { cycles.withLock { $0.returned } > 48_000 })
        #expect(cycles.withLock { $0.isWhole })
        try registry.remove(id, of: "both")
    }

    @Test("are not called after a stop, also if they are slow, and may be started again") func stop() throws {
        let (calls, isInside) = (Tally(), Tally())
        let id = try rig.add(to: "test") { _ in
            isInside.now = 1
            calls.add()
            usleep(30_000)
            isInside.now = 0
        }
        for round in 0..<10 {
            try rig.registry.start(id, of: "test")
            let before = calls.now
            #expect(HostClock.poll(upToSeconds: 5) { calls.now > before })
            if round == 9 {
                try rig.registry.remove(id, of: "test")
            } else {
                try rig.registry.stop(id, of: "test")
            }
            expectEqual(isInside.now, 0)
            let count = calls.now
            usleep(20_000)
            expectEqual(calls.now, count)
        }
        #expect(throws: StatusError(kAudioHardwareIllegalOperationError)) {
            try rig.registry.start(id, of: "test")
        }
    }

    @Test("may stop and start themselves, which returns at once") func stopInside() throws {
        let calls = Tally()
        let id = Tally()
        let registry = rig.registry
        id.now = Int(
            try rig.add(to: "test") { _ in
                guard calls.add() == 5 else { return }
                #expect(throws: Never.self) { try registry.stop(UInt(id.now), of: "test") }
            })
        try rig.registry.start(UInt(id.now), of: "test")
        #expect(HostClock.poll(upToSeconds: 5) { registry.line(of: "test") == nil })
        expectEqual(calls.now, 5)
        // Waits for the procedure, if it has not returned.
        try rig.registry.stop(UInt(id.now), of: "test")
        try rig.registry.start(UInt(id.now), of: "test")
        #expect(HostClock.poll(upToSeconds: 5) { calls.now > 10 })
        try rig.registry.remove(UInt(id.now), of: "test")
    }

    @Test("and NULL make the device run, with a time that advances") func running() throws {
        let changes = Tally()
        try rig.listen(kAudioDevicePropertyDeviceIsRunning, of: "test") { changes.add() }
        try rig.registry.start(0, of: "test")
        try expectEqual(rig.number(kAudioDevicePropertyDeviceIsRunning, of: "test"), 1)
        #expect(HostClock.poll(upToSeconds: 5) { changes.now >= 1 })
        let first = try rig.registry.currentTime(of: "test")
        usleep(200_000)
        let second = try rig.registry.currentTime(of: "test")
        let frames = Double(second.mHostTime - first.mHostTime) / 1e9 * 48_000
        #expect(abs(second.mSampleTime - first.mSampleTime - frames) < 4_800)
        var wanted = AudioTimeStamp()
        wanted.mFlags = .hostTimeValid
        let translated = try rig.registry.translate(second, wanted: wanted.mFlags, of: "test")
        expectEqual(translated.mFlags, .hostTimeValid)
        #expect(abs(Double(translated.mHostTime) - Double(second.mHostTime)) < 50e6)
        // A second procedure is on the same timeline.
        let signal = SignalProcedure(frames: 0)
        let id = try rig.add(to: "test") { signal($0) }
        try rig.registry.start(id, of: "test")
        #expect(HostClock.poll(upToSeconds: 5) { !signal.cycles.isEmpty })
        #expect(try #require(signal.cycles.first).sampleTime > second.mSampleTime)
        try rig.registry.stop(0, of: "test")
        try expectEqual(rig.number(kAudioDevicePropertyDeviceIsRunning, of: "test"), 1)
        _ = try rig.registry.currentTime(of: "test")
        try rig.registry.remove(id, of: "test")
        #expect(throws: StatusError(kAudioHardwareNotRunningError)) {
            try rig.registry.currentTime(of: "test")
        }
        let isIdle = try HostClock.poll(upToSeconds: 5) {
            try rig.number(kAudioDevicePropertyDeviceIsRunning, of: "test") == 0
        }
        #expect(isIdle)
        #expect(HostClock.poll(upToSeconds: 5) { changes.now >= 2 })
        try rig.endListening(kAudioDevicePropertyDeviceIsRunning, of: "test")
    }

    @Test("start at a time, in whole cycles") func startTime() throws {
        let signal = SignalProcedure(frames: 4_800)
        let id = try rig.add(to: "test") { signal($0) }
        var requested = AudioTimeStamp()
        (requested.mHostTime, requested.mFlags) = (HostClock.now + 500_000_000, .hostTimeValid)
        let time = try rig.registry.nearestStart(to: requested, of: "test")
        expectEqual(time.mHostTime, requested.mHostTime)
        let capture = try MonitorCapture(server)
        try rig.registry.start(id, of: "test", at: time.mHostTime)
        #expect(HostClock.poll(upToSeconds: 5) { !signal.cycles.isEmpty })
        let first = try #require(signal.cycles.first)
        let late = Double(Int64(bitPattern: first.hostTime &- time.mHostTime)) / 1e6
        #expect(late > -6 && late < 100, "\(late) ms")
        try rig.registry.remove(id, of: "test")
        _ = capture.stop()
    }

    @Test("that are late are reported to the device's listeners") func overload() throws {
        let reports = Tally()
        try rig.listen(kAudioDeviceProcessorOverload, of: "test") { reports.add() }
        let calls = Tally()
        let id = try rig.add(to: "test") { _ in if calls.add() % 20 == 0 { usleep(150_000) } }
        try rig.registry.start(id, of: "test")
        #expect(HostClock.poll(upToSeconds: 10) { reports.now > 0 })
        try rig.registry.remove(id, of: "test")
        try rig.endListening(kAudioDeviceProcessorOverload, of: "test")
    }

    @Test("wait for a device that disappears, and cannot start without it") func deviceRemoved() throws {
        var options = PulseServer.Options()
        options.sinkName = "second"
        var module = try server.addSink(options)
        let calls = Tally()
        let isAlive = Tally()
        let id = try rig.add(to: "second") { _ in calls.add() }
        try rig.listen(kAudioDevicePropertyDeviceIsAlive, of: "second") { isAlive.add() }
        try rig.registry.start(id, of: "second")
        #expect(HostClock.poll(upToSeconds: 5) { calls.now > 3 })
        try server.unloadModule(module)
        #expect(HostClock.poll(upToSeconds: 5) { isAlive.now > 0 })
        module = try server.addSink(options)
        let waiting = calls.now
        #expect(HostClock.poll(upToSeconds: 10) { calls.now > waiting + 3 })
        #expect(HostClock.poll(upToSeconds: 5) { isAlive.now > 1 })
        try server.unloadModule(module)
        #expect(HostClock.poll(upToSeconds: 5) { isAlive.now > 2 })
        try expectEqual(rig.number(kAudioDevicePropertyDeviceIsAlive, of: "second"), 0)
        try rig.registry.stop(id, of: "second")
        let count = calls.now
        #expect(throws: StatusError(kAudioHardwareBadDeviceError)) {
            try rig.registry.start(id, of: "second")
        }
        _ = try server.addSink(options)
        // The device's list follows the server's: a program learns from its listener that the device is back.
        #expect(HostClock.poll(upToSeconds: 5) { isAlive.now > 3 })
        try rig.registry.start(id, of: "second")
        #expect(HostClock.poll(upToSeconds: 5) { calls.now > count + 3 })
        try rig.registry.remove(id, of: "second")
        try rig.endListening(kAudioDevicePropertyDeviceIsAlive, of: "second")
    }
}
