// SPDX-License-Identifier: MIT

import AQDevices
import AQExpectations
import Glibc
import AQSoundHarness
import AQTestTraits
import Testing

/// Stops, pauses and missing segments, against a real server.
@Suite("Capture control", .serialized, .besideOthers, .timeLimit(.minutes(5)))
struct CaptureControlTests {
    private let server: PulseServer

    init() throws { server = try PulseServer() }

    private func makeRig(
        segmentFrames: Int = 2400, segments: Int = 8, heldSeconds: Double = 5
    ) throws -> CaptureRig {
        try CaptureRig(
            PulseSource(monitorOf: "test", server: server.address), segmentFrames: segmentFrames,
            segments: segments, heldSeconds: heldSeconds)
    }

    /// The longest run of the signal.
    private func longestRun(_ recording: Recording) throws -> TestSignal.Run {
        try #require(TestSignal.runs(in: recording).max { $0.frames < $1.frames })
    }

    /// The signal's position that was captured at a host time, by the segments' time stamps.
    private func position(at hostTime: UInt64, in rig: CaptureRig) throws -> Double {
        let run = try longestRun(rig.recording)
        let piece = try #require(rig.pieces.last { $0.frame <= Int64(run.startFrame + run.frames) })
        let frame = Double(piece.frame) + HostClock.seconds(from: piece.hostTime, to: hostTime) * 48_000
        return frame - Double(run.startFrame - run.position)
    }

    @Test(
        "a stop delivers the audio captured before it, and little more",
        arguments: [480, 4800, 24_000])
    func stop(fragmentFrames: Int) throws {
        let rig = try makeRig()
        defer { rig.close() }
        rig.stream.start(fragmentFrames: fragmentFrames)
        try #require(rig.waitFor(.started))
        let player = try server.playSignal(0..<144_000)
        #expect(rig.waitForSignal(0))
        // Inside a fragment.
        #expect(rig.waitForClock(toAdvanceBy: 15_840))
        let stoppedAt = HostClock.now
        rig.stream.stop(ticket: 1)
        try #require(rig.waitFor(.stopped))
        let took = HostClock.seconds(from: stoppedAt, to: HostClock.now)
        player.signal(SIGTERM)
        let run = try longestRun(rig.recording)
        let due = try position(at: stoppedAt, in: rig)
        let end = Double(run.position + run.frames)
        // A monitor without rewinds captures up to 50 ms early, and more on a busy machine.
        #expect(end >= due - 1 && end < due + 0.15 * 48_000, "ends at \(end), \(due) were captured")
        #expect(rig.jumps.isEmpty)
        #expect(took < 1, "took \(took) s")
        expectEqual(rig.events.last, .stopped)
        #expect(try server.waitForNoCapture())
    }

    @Test("a start is answered long before its first fragment is complete, and captures from then on")
    func start() throws {
        try server.addMicrophone()
        let rig = try CaptureRig(
            PulseSource(source: "microphone", server: server.address), segmentFrames: 48_000)
        defer { rig.close() }
        let calledAt = HostClock.now
        rig.stream.start(fragmentFrames: 24_000)
        try #require(rig.waitFor(.started))
        let startedAt = HostClock.now
        #expect(HostClock.seconds(from: calledAt, to: startedAt) < 0.25)
        #expect(rig.stream.position().isRunning)
        // The clock runs although no frame has arrived.
        #expect(rig.waitForClock(toAdvanceBy: 9_600))
        let early = rig.stream.position()
        let clockError =
            early.timelineFrames / 48_000 - HostClock.seconds(from: startedAt, to: early.hostTime)
        #expect(abs(clockError) < HostClock.bound(0.05), "off by \(clockError) s")
        #expect(rig.waitForClock(toAdvanceBy: 38_400))
        let seconds = HostClock.seconds(from: startedAt, to: HostClock.now)
        rig.stream.stop(ticket: 1)
        try #require(rig.waitFor(.stopped))
        let captured = Double(rig.capturedFrames) / 48_000
        #expect(abs(captured - seconds) < 0.1, "captured \(captured) s of \(seconds) s")
        #expect(rig.jumps.isEmpty)
    }

    @Test("audio after a pause follows the audio before it, and nothing of the pause is recorded")
    func pause() throws {
        let rig = try makeRig(segmentFrames: 480)
        defer { rig.close() }
        rig.stream.start(fragmentFrames: 480)
        try #require(rig.waitFor(.started))
        let player = try server.playSignal(0..<144_000)
        #expect(rig.waitForSignal(9_600))
        let pausedAt = HostClock.now
        rig.stream.pause(ticket: 1)
        try #require(rig.waitFor(.paused))
        let paused = rig.stream.position()
        #expect(remains(forSeconds: 0.4) { rig.stream.position().timelineFrames == paused.timelineFrames })
        #expect(!rig.stream.position().isRunning)
        let resumedAt = HostClock.now
        rig.stream.start(fragmentFrames: 480)
        try #require(rig.waitFor(.started, count: 2))
        #expect(rig.waitForFrames(rig.capturedFrames + 9_600))
        rig.stream.stop(ticket: 2)
        try #require(rig.waitFor(.stopped))
        player.signal(SIGTERM)

        #expect(rig.jumps.isEmpty)
        let runs = TestSignal.runs(in: rig.recording).filter { $0.frames > 1000 }
        try #require(runs.count == 2, "\(runs)")
        let between = runs[1].startFrame - runs[0].startFrame - runs[0].frames
        #expect((0...SoundServerTraits.chosen.silentFramesAtStart).contains(between), "\(runs)")
        let skipped = Double(runs[1].position - runs[0].position - runs[0].frames) / 48_000
        let seconds = HostClock.seconds(from: pausedAt, to: resumedAt)
        #expect(abs(skipped - seconds) < HostClock.bound(0.06), "\(skipped) s missing in \(seconds) s")
        expectEqual(rig.stream.position().interruptions, 0)
    }

    @Test("a pause keeps audio that waits for segments, and a start delivers it first")
    func pauseWithoutRoom() throws {
        let rig = try makeRig(segmentFrames: 480, segments: 4)
        defer { rig.close() }
        rig.stream.start(fragmentFrames: 480)
        try #require(rig.waitFor(.started))
        rig.hold(true)
        let capture = try MonitorCapture(server)
        let player = try server.playSignal(0..<96_000)
        #expect(capture.waitForSignal(9_600))
        rig.stream.pause(ticket: 1)
        try #require(rig.waitFor(.paused))
        rig.stream.start(fragmentFrames: 480)
        try #require(rig.waitFor(.started, count: 2))
        rig.hold(false)
        #expect(rig.waitForSignal(24_000))
        rig.stream.stop(ticket: 2)
        try #require(rig.waitFor(.stopped))
        player.signal(SIGTERM)
        #expect(rig.jumps.isEmpty)
        let runs = TestSignal.runs(in: rig.recording).filter { $0.frames > 100 }
        expectEqual(runs.first?.position, 0, "the first frames are missing: \(runs)")
        #expect(runs.count <= 2)
        #expect(zip(rig.pieces, rig.pieces.dropFirst()).allSatisfy { $0.hostTime <= $1.hostTime })
    }

    @Test("frames that find no segment in time are a gap; all others are exact")
    func overrun() throws {
        let rig = try makeRig(segmentFrames: 2400, segments: 4, heldSeconds: 0.2)
        defer { rig.close() }
        rig.stream.start(fragmentFrames: 480)
        try #require(rig.waitFor(.started))
        let player = try server.playSignal(0..<96_000)
        #expect(rig.waitForSignal(4_800))
        rig.hold(true)
        #expect(rig.waitForClock(toAdvanceBy: 38_400))
        rig.hold(false)
        expectEqual(player.wait(deadlineSeconds: 10).exitStatus, 0)
        rig.stream.stop(ticket: 2)
        try #require(rig.waitFor(.stopped))

        let position = rig.stream.position()
        expectEqual(rig.events.filter { $0 == .overran }.count, 1)
        expectEqual(rig.jumps.count, 1)
        expectEqual(rig.jumps.first?.by, position.lostFrames)
        expectEqual(position.overruns, 1)
        // Of 0.8 s, up to 200 ms were in segments and 200 ms waited; a busy server delivers late.
        #expect(abs(Double(position.lostFrames) / 48_000 - 0.4) < 0.25, "lost \(position.lostFrames)")
        let runs = TestSignal.runs(in: rig.recording).filter { $0.frames > 100 }
        try #require(runs.count == 2, "\(runs)")
        // Both are on one line of the timeline.
        expectEqual(runs[0].startFrame - runs[0].position, runs[1].startFrame - runs[1].position)
        #expect(runs[0].position == 0 && runs[1].position + runs[1].frames == 96_000)
        expectEqual(runs[1].startFrame - runs[0].startFrame - runs[0].frames, Int(position.lostFrames))
    }

    @Test("a flush returns the captured audio, a reset the other segments too, and capture continues")
    func flushAndReset() throws {
        let rig = try makeRig(segmentFrames: 48_000, segments: 3)
        defer { rig.close() }
        rig.stream.start(fragmentFrames: 480)
        try #require(rig.waitFor(.started))
        // Segments enqueued during a reset may be returned at once.
        rig.hold(true)
        #expect(rig.waitForClock(toAdvanceBy: 4_800))
        rig.stream.flush(ticket: 1)
        try #require(rig.waitFor(.flushed))
        #expect(rig.pieces.count == 1 && rig.emptyPieces == 0)
        #expect(rig.waitForClock(toAdvanceBy: 4_800))
        rig.stream.reset(ticket: 2)
        try #require(rig.waitFor(.reset))
        #expect(rig.pieces.count == 2 && rig.emptyPieces == 1)
        rig.hold(false)
        #expect(rig.waitForClock(toAdvanceBy: 4_800))
        rig.stream.stop(ticket: 3)
        try #require(rig.waitFor(.stopped))
        #expect(rig.jumps.isEmpty)
        expectEqual(rig.pieces.count, 3)
    }

    @Test("a stream is started and stopped many times without a leak")
    func cycles() throws {
        let rig = try makeRig(segmentFrames: 480)
        for cycle in 1...30 {
            rig.stream.start(fragmentFrames: 480)
            if cycle % 3 != 0 { #expect(rig.waitForFrames(rig.capturedFrames + 1)) }
            rig.stream.stop(ticket: UInt64(cycle))
            try #require(rig.waitFor(.stopped, count: cycle))
            rig.hold(false)
        }
        #expect(try server.waitForNoCapture())
        rig.close()
        expectEqual(rig.events.last, .closed)
    }

    @Test("no server, and an unknown source, are reported at once")
    func failures() throws {
        let lost = try CaptureRig(PulseSource(server: "unix:\(server.folder)/nobody"))
        defer { lost.close() }
        lost.stream.start(fragmentFrames: 480)
        try #require(lost.waitFor(.failed))
        expectEqual(lost.stream.feed.failure?.code, .noServer)
        expectEqual(lost.idleSegments, 8)
        let unknown = try CaptureRig(PulseSource(source: "nobody", server: server.address))
        defer { unknown.close() }
        unknown.stream.start(fragmentFrames: 480)
        try #require(unknown.waitFor(.failed))
        expectEqual(unknown.stream.feed.failure?.code, .noSuchDevice)
        expectEqual(unknown.stream.feed.failure?.message.contains("'nobody'"), true)
    }
}
