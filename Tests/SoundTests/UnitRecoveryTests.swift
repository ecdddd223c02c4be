// SPDX-License-Identifier: MIT

import AQDevices
import AQExpectations
import AQUnits
import CoreAudioTypes
import AQSoundHarness
import AQTestSupport
import AQTestTraits
import Testing

/// A server that crashes and restarts, and sinks that disappear, while a unit runs.
@Suite("An I/O unit without its device", .serialized, .besideOthers, .timeLimit(.minutes(5)))
struct UnitRecoveryTests {
    private static let rate = 48_000.0
    private static let slice = 256

    private let server: PulseServer
    private let rig: UnitRig
    /// The reports of a device that has gone, returned, or was replaced.
    private let reports = Tally()

    init() throws {
        server = try PulseServer()
        rig = try UnitRig(server)
        try rig.unit.setBufferFrames(Self.slice)
        try rig.play(0..<Int.max / 2)
    }

    private func start() throws {
        rig.unit.setListener { [reports] in if $0 == .device { reports.add() } }
        try rig.unit.initialize()
        try rig.unit.start()
    }

    private func startPlaying() throws {
        try start()
        #expect(HostClock.poll(upToSeconds: 5) { rig.outputs.count > 50 })
    }

    /// Expects that the calls between two times came at the pace of the slices. A busy machine may delay some.
    private func expectPace(
        from start: UInt64, to end: UInt64, sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let calls = rig.outputs.filter { start <= $0.entryTime && $0.entryTime < end }
        let expected = HostClock.seconds(from: start, to: end) * Self.rate / Double(Self.slice)
        #expect(
            expected * 0.7 - 2 < Double(calls.count) && Double(calls.count) < expected * 1.05 + 3,
            "\(calls.count) calls, \(expected) expected", sourceLocation: sourceLocation)
    }

    /// Expects that the sample times increase by the slices, or more where the machine was late, and follow the time;
    /// and that no host time decreases.
    private func expectTimes(sourceLocation: SourceLocation = #_sourceLocation) throws {
        let calls = rig.outputs
        for (call, next) in zip(calls, calls.dropFirst()) {
            #expect(next.sampleTime >= call.sampleTime + Double(call.frames), sourceLocation: sourceLocation)
            #expect(next.hostTime >= call.hostTime, sourceLocation: sourceLocation)
            // Not more than a second ahead.
            #expect(next.hostTime < next.entryTime + 1_000_000_000, sourceLocation: sourceLocation)
        }
        let (first, last) = (try #require(calls.first), try #require(calls.last))
        let seconds = HostClock.seconds(from: first.entryTime, to: last.entryTime)
        let sampleSeconds = (last.sampleTime - first.sampleTime) / Self.rate
        #expect(abs(seconds - sampleSeconds) < 0.2, "\(sampleSeconds) s in \(seconds) s")
    }

    /// Expects that no slices were rendered at once after a time, except the two that a new stream gets.
    private func expectNoBurst(after time: UInt64, sourceLocation: SourceLocation = #_sourceLocation) {
        let times = rig.outputs.map(\.entryTime).filter { $0 >= time }
        let nanoseconds = UInt64(Double(Self.slice) / Self.rate * 1e9)
        let most = times.indices.map { index in
            times[index...].prefix { $0 < times[index] + nanoseconds }.count
        }.max()
        // Where the machine was late, the next slices follow at once.
        #expect((most ?? 0) <= 6, "\(most ?? 0) slices at once", sourceLocation: sourceLocation)
    }

    @Test(
        "renders while the server is down, and plays when it is back",
        arguments: SoundServerTraits.chosen.parts)
    func restart(part: PulseServer.Part) throws {
        try startPlaying()
        expectEqual(reports.now, 0)
        server.kill(part)
        let killedAt = HostClock.now
        #expect(HostClock.poll(upToSeconds: 2) { reports.now == 1 })
        leaveAsIs(seconds: 1.5)
        // Settings that need the server do not end the unit.
        #expect(throws: UnitError.self) { try rig.unit.setBufferFrames(1024) }
        #expect(rig.unit.isRunning && rig.unit.bufferFrames == Self.slice)
        let restartedAt = HostClock.now
        expectPace(from: killedAt, to: restartedAt)
        try server.start()
        let capture = try MonitorCapture(server)
        #expect(capture.waitForSound(ofFrames: 12_000))
        #expect(reports.now >= 2)
        #expect(rig.unit.isRunning)
        rig.unit.stop()
        let played = capture.stop()
        #expect(!played.signalRuns(minimumFrames: 5000).isEmpty)
        try expectTimes()
        expectNoBurst(after: restartedAt)
        rig.unit.uninitialize()
    }

    @Test("plays on the next sink when its own is removed", arguments: [false, true])
    func nextSink(isNamed: Bool) throws {
        var options = server.options
        options.sinkName = "leaving"
        let module = try server.addSink(options)
        try server.setDefaultSink("leaving")
        if isNamed {
            try rig.unit.setDevices(
                output: PulseDevice(sink: "leaving", server: server.address), input: nil, voiceProcessor: nil)
        }
        try startPlaying()
        expectEqual(rig.unit.deviceNames, ["leaving"])
        let capture = try MonitorCapture(server)
        let removedAt = HostClock.now
        try server.unloadModule(module)
        #expect(capture.waitForSound(ofFrames: 12_000))
        #expect(reports.now > 0)
        #expect(rig.unit.isRunning)
        #expect(HostClock.poll(upToSeconds: 2) { rig.unit.deviceNames == ["test"] })
        expectEqual(rig.unit.replacingDeviceName, (isNamed ? "test" : nil))
        expectPace(from: removedAt, to: HostClock.now)
        rig.unit.stop()
        #expect(!capture.stop().signalRuns(minimumFrames: 5000).isEmpty)
        try expectTimes()
        rig.unit.uninitialize()
    }

    @Test("renders while there is no sink, and plays on the next one")
    func onlySink() throws {
        try startPlaying()
        try server.control("unload-module", "module-null-sink")
        let removedAt = HostClock.now
        #expect(HostClock.poll(upToSeconds: 2) { reports.now > 0 })
        leaveAsIs(seconds: 2)
        expectPace(from: removedAt, to: HostClock.now)
        #expect(rig.unit.isRunning)
        var options = server.options
        options.sinkName = "next"
        let addedAt = HostClock.now
        _ = try server.addSink(options)
        #expect(HostClock.poll(upToSeconds: 5) { rig.unit.deviceNames == ["next"] })
        let capture = try MonitorCapture(
            source: "next.monitor", sampleRate: 48_000, channels: 2, environment: server.environment)
        #expect(capture.waitForSound(ofFrames: 12_000))
        rig.unit.stop()
        #expect(!capture.stop().signalRuns(minimumFrames: 5000).isEmpty)
        try expectTimes()
        expectNoBurst(after: addedAt)
        rig.unit.uninitialize()
    }

    @Test("captures again when its named source is back, and nothing of another one meanwhile")
    func namedSource() throws {
        var options = server.options
        options.sinkName = "leaving"
        let module = try server.addSink(options)
        try rig.unit.setDevices(
            output: nil, input: PulseSource(source: "leaving.monitor", server: server.address),
            voiceProcessor: nil)
        try rig.unit.setEnabled(false, .output)
        try rig.record()
        try start()
        #expect(HostClock.poll(upToSeconds: 5) { rig.inputs.count > 50 })
        try server.unloadModule(module)
        #expect(HostClock.poll(upToSeconds: 2) { reports.now == 1 })
        let count = rig.inputs.count
        leaveAsIs(seconds: 1)
        expectEqual(rig.inputs.count, count)
        #expect(rig.unit.isRunning)
        _ = try server.addSink(options)
        #expect(HostClock.poll(upToSeconds: 5) { rig.inputs.count > count + 50 })
        expectEqual(rig.unit.deviceNames, ["leaving.monitor"])
        rig.unit.uninitialize()
    }

    @Test("does not start without it", arguments: [IOUnit.Side.output, .input])
    func absent(side: IOUnit.Side) throws {
        try rig.unit.setDevices(
            output: PulseDevice(sink: side == .output ? "absent" : nil, server: server.address),
            input: PulseSource(source: "absent.monitor", server: server.address), voiceProcessor: nil)
        try rig.unit.setEnabled(side == .input, .input)
        let began = HostClock.now
        #expect(throws: UnitError.self) {
            try rig.unit.initialize()
            try rig.unit.start()
        }
        #expect(HostClock.seconds(from: began, to: HostClock.now) < HostClock.bound(0.5))
        rig.unit.uninitialize()
    }

    @Test("captures nothing meanwhile, and later no slice of that time")
    func inputOnly() throws {
        try rig.unit.setEnabled(false, .output)
        try rig.record()
        try start()
        #expect(HostClock.poll(upToSeconds: 5) { rig.inputs.count > 50 })
        server.kill()
        #expect(HostClock.poll(upToSeconds: 2) { reports.now == 1 })
        let count = rig.inputs.count
        leaveAsIs(seconds: 1.5)
        expectEqual(rig.inputs.count, count)
        #expect(rig.unit.isRunning)
        try server.start()
        let returnedAt = HostClock.now
        #expect(HostClock.poll(upToSeconds: 5) { rig.inputs.count > count + 50 })
        let calls = rig.inputs
        let seconds = HostClock.seconds(from: returnedAt, to: HostClock.now)
        #expect(Double(calls.count - count) < (seconds + 0.5) * Self.rate / Double(Self.slice))
        #expect(calls.allSatisfy { $0.frames == Self.slice })
        let gap = (calls[count].sampleTime - calls[count - 1].sampleTime) / Self.rate
        #expect(gap > 1.4, "\(gap) s")
        for (call, next) in zip(calls, calls.dropFirst()) {
            #expect(next.sampleTime >= call.sampleTime + Double(Self.slice))
            #expect(next.hostTime >= call.hostTime)
        }
        expectEqual(rig.failures, [])
        rig.unit.stop()
        rig.unit.uninitialize()
    }

    @Test("of both directions gives its output's code silence meanwhile, and then captured audio")
    func bothDirections() throws {
        try rig.unit.setEnabled(true, .input)
        try rig.unit.setClientFormat(.float(channels: 2, sampleRate: Self.rate), .input)
        let fetched = FetchedInput(rig.unit)
        try start()
        #expect(HostClock.poll(upToSeconds: 5) { fetched.isAudible })
        server.kill()
        #expect(HostClock.poll(upToSeconds: 2) { reports.now >= 1 })
        #expect(HostClock.poll(upToSeconds: 2) { !fetched.isAudible })
        let (calls, silent) = (fetched.calls.now, fetched.silentCalls.now)
        leaveAsIs(seconds: 1)
        #expect(fetched.calls.now - calls > 100)
        #expect(fetched.calls.now - calls <= fetched.silentCalls.now - silent + 1)
        try server.start()
        #expect(HostClock.poll(upToSeconds: 5) { fetched.isAudible })
        expectEqual(fetched.failures.now, 0)
        rig.unit.stop()
        rig.unit.uninitialize()
    }

    @Test("can be stopped meanwhile; a start without a server fails at once, and one with it succeeds")
    func startAgain() throws {
        try startPlaying()
        server.kill()
        #expect(HostClock.poll(upToSeconds: 2) { reports.now == 1 })
        rig.unit.stop()
        let count = rig.outputs.count
        for _ in 0..<2 {
            let began = HostClock.now
            #expect(throws: UnitError.self) { try rig.unit.start() }
            #expect(HostClock.seconds(from: began, to: HostClock.now) < 1)
            #expect(!rig.unit.isRunning)
            #expect(rig.unit.isInitialized)
        }
        expectEqual(rig.outputs.count, count)
        try server.start()
        let began = HostClock.now
        try rig.unit.start()
        #expect(HostClock.seconds(from: began, to: HostClock.now) < 1.5)
        #expect(HostClock.poll(upToSeconds: 5) { rig.outputs.count > count + 50 })
        expectEqual(rig.outputs[count].sampleTime, 0)
        rig.unit.stop()
        rig.unit.uninitialize()
    }
}

/// Code of an output that fetches captured audio, and plays a constant.
private final class FetchedInput: Sendable {
    let calls = Tally()
    let silentCalls = Tally()
    let failures = Tally()
    private let isSilent = Tally(1)

    /// Whether the last fetched slice was audible.
    var isAudible: Bool { isSilent.now == 0 }

    init(_ unit: IOUnit) {
        unsafe unit.setRenderCode { [weak unit, self] _, _, _, frames, list in
            guard let unit, let list = unsafe list else { return -1 }
            var samples = [Float](repeating: 9, count: frames * 2)
            unsafe samples.withUnsafeMutableBufferPointer { samples in
                var input = unsafe AudioBufferList(
                    mNumberBuffers: 1, mBuffers: AudioBuffer(samples, numberOfChannels: 2))
                unsafe withUnsafeMutablePointer(to: &input) { input in
                    let buffers = unsafe UnsafeMutableAudioBufferListPointer(input)
                    if unsafe (try? unit.render(bus: 1, frames: frames, into: buffers)) == nil {
                        failures.add()
                    }
                }
            }
            let silent = samples.allSatisfy { $0 == 0 }
            isSilent.now = silent ? 1 : 0
            if silent { silentCalls.add() }
            calls.add()
            let buffers = unsafe UnsafeMutableAudioBufferListPointer(list)
            for index in 0..<(unsafe buffers.count) {
                let floats = unsafe UnsafeMutableBufferPointer<Float>(buffers[index])
                for frame in floats.indices { unsafe floats[frame] = 0.25 }
            }
            return 0
        }
    }
}
