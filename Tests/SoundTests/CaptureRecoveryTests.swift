// SPDX-License-Identifier: MIT

import AQDevices
import AQExpectations
import AQSoundHarness
import AQTestTraits
import Testing

/// A server that crashes, hangs and restarts, and sources that disappear, are suspended or change.
@Suite("Capture recovery", .serialized, .besideOthers, .timeLimit(.minutes(5)))
struct CaptureRecoveryTests {
    /// How exact the length of the silence is, in frames: 20 ms on an idle machine.
    private let tolerance = HostClock.bound(0.02) * 48_000
    private let server: PulseServer

    init() throws { server = try PulseServer() }

    private func makeRig(
        _ device: PulseSource, recoverySeconds: Double = 5
    ) throws -> CaptureRig {
        // Delayed audio arrives at once and needs room.
        try CaptureRig(
            device, segmentFrames: 480, heldSeconds: 5, recoverySeconds: recoverySeconds)
    }

    private func monitor(_ sink: String) throws -> PulseSource {
        try PulseSource(monitorOf: sink, server: server.address)
    }

    /// Expects the timeline to advance like the host clock, over two distant segments.
    private func expectStep(_ rig: CaptureRig, sourceLocation: SourceLocation = #_sourceLocation) throws {
        let pieces = rig.pieces
        let first = try #require(pieces.dropFirst(5).first)
        let last = try #require(pieces.last)
        let seconds = HostClock.seconds(from: first.hostTime, to: last.hostTime)
        let error = seconds * 48_000 - Double(last.frame - first.frame)
        #expect(abs(error) < tolerance, "off by \(error) frames", sourceLocation: sourceLocation)
        #expect(rig.jumps.isEmpty, sourceLocation: sourceLocation)
        let areOrdered = zip(pieces, pieces.dropFirst()).allSatisfy { $0.hostTime <= $1.hostTime }
        #expect(areOrdered, sourceLocation: sourceLocation)
    }

    @Test("after a server dies, capture resumes; the time between is silence, and both sides are exact")
    func restart() throws {
        let rig = try makeRig(monitor("test"))
        defer { rig.close() }
        rig.stream.start(fragmentFrames: 480)
        try #require(rig.waitFor(.started))
        let player = try server.playSignal(0..<24_000)
        expectEqual(player.wait(deadlineSeconds: 10).exitStatus, 0)
        #expect(rig.waitForSignal(23_999))
        let before = rig.stream.position()
        server.kill()
        try #require(rig.waitFor(.interrupted))
        #expect(remains(forSeconds: 0.5) { !rig.stream.position().isRunning })
        try server.start()
        try #require(rig.waitFor(.resumed))
        let second = try server.playSignal(24_000..<48_000)
        expectEqual(second.wait(deadlineSeconds: 10).exitStatus, 0)
        rig.stream.stop(ticket: 1)
        try #require(rig.waitFor(.stopped))

        try expectStep(rig)
        let runs = TestSignal.runs(in: rig.recording).filter { $0.frames > 10 }
        #expect(runs.map(\.position) == [0, 24_000] && runs.map(\.frames) == [24_000, 24_000], "\(runs)")
        let position = rig.stream.position()
        expectEqual(position.interruptions, 1)
        #expect(position.interruptedFrames > 24_000, "\(position.interruptedFrames)")
        expectEqual(position.lostFrames, 0)
        let elapsed = HostClock.seconds(from: before.hostTime, to: position.hostTime) * 48_000
        #expect(position.timelineFrames - before.timelineFrames <= elapsed + tolerance)
    }

    @Test("a server that does not return is reported in time, and the captured audio is delivered")
    func noReturn() throws {
        let rig = try makeRig(monitor("test"), recoverySeconds: 0.5)
        defer { rig.close() }
        rig.stream.start(fragmentFrames: 100)
        try #require(rig.waitForFrames(4800))
        server.kill()
        let killedAt = HostClock.now
        try #require(rig.waitFor(.failed))
        let waited = HostClock.seconds(from: killedAt, to: HostClock.now)
        #expect(waited > 0.4 && waited < 1.5, "waited \(waited) s")
        expectEqual(rig.stream.feed.failure?.code, .connectionLost)
        // The partly filled segment, if any, has its frames, and all others are empty.
        #expect(rig.idleSegments >= 7)
        #expect(rig.jumps.isEmpty)
        // It can be started again after the server has returned.
        try server.start()
        rig.hold(false)
        rig.stream.start(fragmentFrames: 480)
        try #require(rig.waitFor(.started, count: 2))
    }

    @Test("a named source that disappears is waited for, and no other is captured")
    func removal() throws {
        var options = server.options
        options.sinkName = "leaving"
        let module = try server.addSink(options)
        let rig = try makeRig(monitor("leaving"))
        defer { rig.close() }
        rig.stream.start(fragmentFrames: 480)
        try #require(rig.waitForFrames(4800))
        try server.unloadModule(module)
        try #require(rig.waitFor(.interrupted))
        let other = try server.playSignal(100_000..<112_000)
        expectEqual(other.wait(deadlineSeconds: 10).exitStatus, 0)
        _ = try server.addSink(options)
        try #require(rig.waitFor(.resumed))
        let player = try server.playSignal(0..<24_000, sink: "leaving")
        expectEqual(player.wait(deadlineSeconds: 10).exitStatus, 0)
        rig.stream.stop(ticket: 1)
        try #require(rig.waitFor(.stopped))
        try expectStep(rig)
        let runs = TestSignal.runs(in: rig.recording).filter { $0.frames > 10 }
        #expect(runs.count == 1 && runs.first?.position == 0 && runs.first?.frames == 24_000, "\(runs)")
        #expect(!rig.events.contains(.moved))
    }

    @Test("a source that does not exist fails at once", arguments: ["absent", "absent.monitor"])
    func absent(name: String) throws {
        let rig = try makeRig(PulseSource(source: name, server: server.address))
        defer { rig.close() }
        let began = HostClock.now
        rig.stream.start(fragmentFrames: 480)
        try #require(rig.waitFor(.failed))
        #expect(HostClock.seconds(from: began, to: HostClock.now) < HostClock.bound(0.5))
        expectEqual(rig.stream.feed.failure?.code, .noSuchDevice)
        #expect(!rig.events.contains(.started))
    }

    @Test("the default source is followed when it changes")
    func move() throws {
        var options = server.options
        options.sinkName = "next"
        _ = try server.addSink(options)
        try server.control("set-default-source", "test.monitor")
        let rig = try makeRig(PulseSource(server: server.address))
        defer { rig.close() }
        rig.stream.start(fragmentFrames: 480)
        try #require(rig.waitForFrames(4800))
        expectEqual(rig.stream.granted?.deviceName, "test.monitor")
        try server.control("set-default-source", "next.monitor")
        try #require(rig.waitFor(.moved))
        #expect(HostClock.poll(upToSeconds: 2) { rig.stream.granted?.deviceName == "next.monitor" })
        let player = try server.playSignal(0..<24_000, sink: "next")
        expectEqual(player.wait(deadlineSeconds: 10).exitStatus, 0)
        rig.stream.stop(ticket: 1)
        try #require(rig.waitFor(.stopped))
        try expectStep(rig)
        #expect(TestSignal.runs(in: rig.recording).contains { $0.position == 0 && $0.frames == 24_000 })
    }

    /// If the server reports no suspension, its sources keep running.
    @Test(
        "the time in which a source is suspended is silence",
        .enabled(if: SoundServerTraits.chosen.tellsOfSuspension, "the server does not report suspension"))
    func suspension() throws {
        let rig = try makeRig(monitor("test"))
        defer { rig.close() }
        rig.stream.start(fragmentFrames: 480)
        try #require(rig.waitForFrames(4800))
        try server.suspendSink("test", true)
        try #require(rig.waitFor(.interrupted))
        let suspended = rig.stream.position()
        #expect(remains(forSeconds: 0.5) { rig.stream.position().timelineFrames == suspended.timelineFrames })
        try server.suspendSink("test", false)
        try #require(rig.waitFor(.resumed))
        let player = try server.playSignal(0..<24_000)
        expectEqual(player.wait(deadlineSeconds: 10).exitStatus, 0)
        rig.stream.stop(ticket: 1)
        try #require(rig.waitFor(.stopped))
        try expectStep(rig)
        #expect(Double(rig.stream.position().interruptedFrames) > 0.5 * 48_000)
        #expect(TestSignal.runs(in: rig.recording).contains { $0.position == 0 && $0.frames == 24_000 })
    }

    /// PulseAudio delivers the audio captured meanwhile, PipeWire drops it.
    @Test("the time in which a server hung is on the timeline, as audio or as silence")
    func hold() throws {
        let rig = try makeRig(monitor("test"))
        defer { rig.close() }
        rig.stream.start(fragmentFrames: 480)
        try #require(rig.waitForFrames(4800))
        server.setHanging(.frontEnd, true)
        leaveAsIs(seconds: 0.6)
        server.setHanging(.frontEnd, false)
        try #require(rig.waitForFrames(rig.capturedFrames + 38_400))
        rig.stream.stop(ticket: 1)
        try #require(rig.waitFor(.stopped))
        try expectStep(rig)
    }

    @Test("a server that hangs blocks no call")
    func hang() throws {
        let rig = try makeRig(monitor("test"))
        defer { rig.close() }
        rig.stream.start(fragmentFrames: 480)
        try #require(rig.waitForFrames(4800))
        server.setHanging(.frontEnd, true)
        defer { server.setHanging(.frontEnd, false) }
        rig.stream.pause(ticket: 1)
        #expect(rig.waitFor(.paused, upToSeconds: 1))
        rig.stream.start(fragmentFrames: 480)
        rig.stream.stop(ticket: 2)
        #expect(rig.waitFor(.stopped, upToSeconds: 1))
        rig.stream.start(fragmentFrames: 480)
        rig.stream.close(ticket: 3)
        #expect(rig.waitFor(.closed, upToSeconds: 1))
    }

    @Test("a pause and a stop while the server is away are answered, and capture resumes when it is back")
    func controlsMeanwhile() throws {
        let rig = try makeRig(monitor("test"))
        defer { rig.close() }
        rig.stream.start(fragmentFrames: 480)
        try #require(rig.waitForFrames(4800))
        server.kill()
        try #require(rig.waitFor(.interrupted))
        rig.stream.pause(ticket: 1)
        try #require(rig.waitFor(.paused))
        rig.stream.start(fragmentFrames: 480)
        try #require(rig.waitFor(.interrupted, count: 2))
        try server.start()
        try #require(rig.waitFor(.started, count: 2))
        try #require(rig.waitForFrames(rig.capturedFrames + 4800))
        #expect(rig.jumps.isEmpty)
        server.kill()
        try #require(rig.waitFor(.interrupted, count: 3))
        rig.stream.stop(ticket: 2)
        try #require(rig.waitFor(.stopped))
    }
}
