// SPDX-License-Identifier: MIT

import AQExpectations
import AudioQueues
import Glibc
import AQSoundHarness
import Synchronization
import AQTestTraits
import Testing

/// A server that crashes and restarts, and sinks that disappear or are suspended.
@Suite("Recovery", .serialized, .besideOthers, .timeLimit(.minutes(5)))
struct RecoveryTests {
    /// The tolerance of playback positions, in frames: 50 ms on an idle machine. A buffer is ten times as long.
    private let tolerance = Int(HostClock.bound(0.05) * 48_000)
    private let folder: ScratchFolder
    private let server: PulseServer

    /// A sink that rewinds has exact times, so positions before and after can be compared.
    init() throws {
        folder = ScratchFolder()
        var options = PulseServer.Options()
        options.hasRewinds = true
        server = try PulseServer(options)
    }

    private func startPlayer(_ arguments: [String]) throws -> ChildProcess {
        try ChildProcess(ToolPaths.tool("aqplay"), arguments, environment: server.environment)
    }

    /// Records one more sink of the server.
    private func capture(sink: String) throws -> MonitorCapture {
        try MonitorCapture(
            source: "\(sink).monitor", sampleRate: 48000, channels: 2, environment: server.environment)
    }

    /// The signal's position at the first audible frame, including the fade-in.
    private func begin(of played: Recording) throws -> Int {
        let run = try #require(played.signalRuns(minimumFrames: 1000).first, "the signal is missing")
        let first = try #require(played.firstSoundFrame())
        #expect(run.startFrame - first < 1000, "other audio precedes the resumed signal")
        return run.position - (run.startFrame - first)
    }

    /// The signal's position at the last audible frame.
    private func end(of played: Recording) throws -> Int {
        let run = try #require(played.signalRuns(minimumFrames: 1000).last, "the signal is missing")
        return run.position + run.frames
    }

    /// Expects that the signal goes on where it was, to its end.
    ///
    /// - Parameter times: From when `before` was read, until the sink was gone: a recorder moves with its
    ///   source, so that only what it had heard before counts.
    private func expectContinuity(
        _ before: Recording, _ after: Recording, during times: ClosedRange<UInt64>,
        frames: Int, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let jump = try begin(of: after) - end(of: before)
        let seconds = HostClock.seconds(from: times.lowerBound, to: times.upperBound)
        let passed = Int(seconds * 48000)
        #expect(
            jump >= -tolerance && jump <= passed + tolerance, "jumped by \(jump) frames, \(passed) were due",
            sourceLocation: sourceLocation)
        #expect(after.signalRuns(minimumFrames: 1000).count == 1, "gaps", sourceLocation: sourceLocation)
        #expect(try end(of: after) == frames, "the end was cut", sourceLocation: sourceLocation)
    }

    private func writeSignal(seconds: Int) throws -> String {
        try folder.writeSignal(frames: seconds * 48000)
    }

    /// The second time, everything is already written, and the server was asked for the end.
    @Test(
        "after a server dies, the track resumes at its position", arguments: [0.8, 1.7],
        SoundServerTraits.chosen.parts)
    func restart(secondsPlayed: Double, part: PulseServer.Part) throws {
        let before = try MonitorCapture(server)
        let player = try startPlayer([writeSignal(seconds: 2)])
        #expect(before.waitForSignal(Int(secondsPlayed * 48_000)))
        server.kill(part)
        let playedBefore = before.stop(deadlineSeconds: 2)
        leaveAsIs(seconds: 0.5)
        // It may resume as soon as the server is there: it waits until its output can be recorded.
        player.signal(SIGSTOP)
        defer { player.signal(SIGCONT) }
        try server.start()
        let after = try MonitorCapture(server)
        player.signal(SIGCONT)
        let returnedAt = HostClock.now
        let result = player.wait(deadlineSeconds: 20)
        let playedAfter = after.stop()

        expectEqual(result.exitStatus, 0)
        expectEqual(result.standardError, "")
        let jump = try begin(of: playedAfter) - end(of: playedBefore)
        #expect(abs(jump) <= tolerance, "jumped by \(jump) frames")
        expectEqual(playedAfter.signalRuns(minimumFrames: 1000).count, 1, "it resumes with gaps")
        try expectEqual(end(of: playedAfter), 2 * 48000, "the end was cut")
        let firstFrame = try #require(playedAfter.firstSoundFrame())
        let playedAt = try #require(playedAfter.hostTime(ofFrame: firstFrame))
        #expect(HostClock.seconds(from: returnedAt, to: playedAt) < 1, "it resumes late")
    }

    @Test("a server that dies twice is reconnected twice")
    func restartTwice() throws {
        let player = try startPlayer(["--json", writeSignal(seconds: 3)])
        for _ in 0..<2 {
            let capture = try MonitorCapture(server)
            #expect(capture.waitForSound(ofFrames: 14_400))
            server.kill()
            try server.start()
        }
        let result = player.wait(deadlineSeconds: 20)
        expectEqual(result.exitStatus, 0)
        expectEqual(result.standardError, "")
        #expect(result.standardOutput.contains("\"framesPlayed\":144000"), "\(result.standardOutput)")
    }

    @Test(
        "a server that does not return is reported after the waiting time, status 69",
        arguments: SoundServerTraits.chosen.parts)
    func noReturn(part: PulseServer.Part) throws {
        let capture = try MonitorCapture(server)
        let player = try startPlayer(["--wait-for-server=1", writeSignal(seconds: 10)])
        #expect(capture.waitForSound(upToSeconds: 10))
        server.kill(part)
        let diedAt = HostClock.now
        let result = player.wait(deadlineSeconds: 20)
        expectEqual(result.exitStatus, 69)
        expectEqual(result.standardError.split(separator: "\n").count, 1)
        #expect(result.standardError.contains("did not return within"))
        let waited = HostClock.seconds(from: diedAt, to: result.endHostTime)
        #expect(waited > 0.9 && waited < 2, "waited \(waited) s")
    }

    @Test("after a sink disappears, the new default plays", arguments: [false, true])
    func removal(isNamed: Bool) throws {
        var options = server.options
        options.sinkName = "leaving"
        let module = try server.addSink(options)
        try server.setDefaultSink("leaving")
        let before = try capture(sink: "leaving")
        let after = try MonitorCapture(server)
        try server.dropRenderedAhead(sink: "leaving")
        let player = try startPlayer(
            (isNamed ? ["--device=leaving"] : []) + [writeSignal(seconds: 2)])
        #expect(before.waitForSignal(24_000))
        let playedBefore = before.recording
        let readAt = HostClock.now
        try server.unloadModule(module)
        let removedAt = HostClock.now
        let result = player.wait(deadlineSeconds: 20)
        let playedAfter = after.stop()

        expectEqual(result.exitStatus, 0)
        expectEqual(result.standardError, "")
        try expectContinuity(playedBefore, playedAfter, during: readAt...removedAt, frames: 2 * 48000)
    }

    @Test("if the only sink disappears and none follows, this is reported after the waiting time, status 69")
    func noSink() throws {
        let capture = try MonitorCapture(server)
        let player = try startPlayer(["--wait-for-server=1", writeSignal(seconds: 10)])
        #expect(capture.waitForSound(upToSeconds: 10))
        try server.control("unload-module", "module-null-sink")
        let removedAt = HostClock.now
        let result = player.wait(deadlineSeconds: 20)
        expectEqual(result.exitStatus, 69)
        #expect(result.standardError.contains("did not return within"), "\(result.standardError)")
        let waited = HostClock.seconds(from: removedAt, to: result.endHostTime)
        #expect(waited > 0.9 && waited < 2, "waited \(waited) s")
        // A new stream fails at once.
        let next = try startPlayer([writeSignal(seconds: 1)]).wait(deadlineSeconds: 20)
        #expect(next.exitStatus != 0)
        #expect(next.wallSeconds < HostClock.bound(0.5), "\(next.wallSeconds) s")
    }

    @Test("if the only sink disappears, the next one plays")
    func onlySink() throws {
        let before = try MonitorCapture(server)
        let player = try startPlayer([
            "--device=test", "--wait-for-server=20", writeSignal(seconds: 2),
        ])
        #expect(before.waitForSignal(24_000))
        let playedBefore = before.recording
        let readAt = HostClock.now
        try server.control("unload-module", "module-null-sink")
        let removedAt = HostClock.now
        leaveAsIs(seconds: 0.3)
        player.signal(SIGSTOP)
        defer { player.signal(SIGCONT) }
        var options = server.options
        options.sinkName = "next"
        _ = try server.addSink(options)
        let after = try capture(sink: "next")
        try server.dropRenderedAhead(sink: "next")
        player.signal(SIGCONT)
        let result = player.wait(deadlineSeconds: 20)
        let playedAfter = after.stop()

        expectEqual(result.exitStatus, 0)
        expectEqual(result.standardError, "")
        try expectContinuity(
            playedBefore, playedAfter, during: readAt...removedAt, frames: 2 * 48000)
    }

    @Test("if a sink is suspended, another default plays")
    func suspension() throws {
        var options = server.options
        options.sinkName = "awake"
        _ = try server.addSink(options)
        // Now, because the server itself moves streams when its default changes.
        try server.setDefaultSink("awake")
        let before = try MonitorCapture(server)
        let after = try capture(sink: "awake")
        try server.dropRenderedAhead(sink: "awake")
        let player = try startPlayer(["--device=test", writeSignal(seconds: 2)])
        #expect(before.waitForSignal(24_000))
        let playedBefore = before.recording
        let readAt = HostClock.now
        try server.suspendSink("test", true)
        let suspendedAt = HostClock.now
        let result = player.wait(deadlineSeconds: 20)

        expectEqual(result.exitStatus, 0)
        expectEqual(result.standardError, "")
        guard SoundServerTraits.chosen.tellsOfSuspension else {
            // The sink drops the rest, which no client can detect; but the track ends on time.
            #expect(result.wallSeconds > 2 && result.wallSeconds < 3, "took \(result.wallSeconds) s")
            return
        }
        let playedAfter = after.stop(deadlineSeconds: 5)
        try expectContinuity(playedBefore, playedAfter, during: readAt...suspendedAt, frames: 2 * 48000)
    }

    @Test("for a client the queue keeps running, with a discontinuity on its timeline")
    func queue() throws {
        let player = try SignalPlayer(on: server)
        let observer = player.queue.makeTimeline()
        let runningChanges = Mutex(0)
        try player.queue.addListener(for: .isRunning) { _ in runningChanges.withLock { $0 += 1 } }
        player.play(0..<4 * 48000)
        try player.queue.start()
        #expect(player.waitForStart())
        #expect(player.queue.waitUntilPlayed(48_000))
        #expect(try !player.queue.currentTime(on: observer).isDiscontinuous)
        server.kill()
        // The clock stops before the discontinuity is counted.
        var lost = QueueTime(sampleTime: 0, playedFrames: 0, hostTime: 0, isDiscontinuous: false)
        let isCounted = try HostClock.poll(upToSeconds: 5) {
            lost = try player.queue.currentTime(on: observer)
            return lost.isDiscontinuous
        }
        #expect(isCounted)
        #expect(player.queue.isRunning)
        try server.start()
        let capture = try MonitorCapture(server)
        #expect(capture.waitForSound(ofFrames: 14_400))
        #expect(player.queue.isRunning)
        let found = try player.queue.currentTime()
        #expect(found.sampleTime > lost.sampleTime)
        #expect(player.waitForEnd())
        expectEqual(player.queue.failure, nil)
        expectEqual(player.feedFailure, nil)
        let played = capture.stop()
        expectEqual(runningChanges.withLock { $0 }, 2, "it stopped or started meanwhile")
        let run = try #require(played.signalRuns(minimumFrames: 1000).last)
        expectEqual(run.position + run.frames, 4 * 48000)
        // The clock is at the audible frame.
        let frame = run.startFrame + Int(found.playedFrames) - run.position
        let playedAt = try #require(played.hostTime(ofFrame: frame))
        #expect(abs(HostClock.seconds(from: playedAt, to: found.hostTime)) < 0.1)
    }

    @Test("a queue whose server does not return stops and reports the reason")
    func queueFailure() throws {
        let player = try SignalPlayer(on: server, recoverySeconds: 0.3)
        player.play(0..<10 * 48000)
        try player.queue.start()
        #expect(player.waitForStart())
        server.kill()
        // Otherwise the buffers are returned by the failure, and wait in the queue for its next start.
        player.hold()
        #expect(HostClock.poll(upToSeconds: 5) { !player.queue.isRunning })
        expectEqual(player.queue.failure?.code, .queueInvalidated)
        #expect(HostClock.poll(upToSeconds: 5) { player.returnedBuffers == 3 })
        // It can be started again after the server has returned.
        try server.start()
        let capture = try MonitorCapture(server)
        player.play(0..<24_000)
        try player.queue.start()
        expectEqual(player.queue.failure, nil)
        #expect(player.waitForEnd())
        let runs = capture.stop().signalRuns(minimumFrames: 1000)
        try #require(runs.count == 1)
        // A monitor that rewinds may miss the first frames.
        #expect(runs[0].position < 200 && runs[0].position + runs[0].frames == 24_000)
    }
}
