// SPDX-License-Identifier: MIT

import AQDevices
import AQExpectations
import AudioQueues
import AQSessions
import CoreAudioTypes
import Glibc
import AQSoundHarness
import Synchronization
import AQTestSupport
import AQTestTraits
import Testing

/// Music during a conversation, on a server with PulseAudio's module-role-cork, which many systems load.
@Suite(
    "Music that the server pauses", .serialized, .besideOthers, .timeLimit(.minutes(5)),
    .enabled(if: (try? SoundServerKind.chosen()) == .pulseAudio, "only on PulseAudio"))
struct HeldStreamTests {
    private let server: PulseServer

    init() throws {
        server = try PulseServer()
        _ = try server.loadModule("module-role-cork")
    }

    /// Begins a silent conversation of another program.
    private func makeCall() throws -> ChildProcess {
        try ChildProcess(
            "pacat", ["--property=media.role=phone", "--raw", "/dev/zero"], environment: server.environment)
    }

    @Test("is silent during a call, and then goes on where it was")
    func pause() throws {
        let player = try SignalPlayer(on: server, latencySeconds: 0.5)
        let capture = try MonitorCapture(server)
        try player.start(0..<192_000, playedBy: capture)
        let call = try makeCall()
        #expect(capture.waitForSilence(ofSeconds: 0.3))
        let position = try player.queue.currentTime().playedFrames
        let isPaused = try remains(forSeconds: 0.3) {
            try player.queue.currentTime().playedFrames == position
        }
        #expect(isPaused, "the time advances during the call")
        call.signal(SIGTERM)
        #expect(player.waitForEnd())
        let runs = capture.stop().signalRuns(minimumFrames: 500)
        #expect(runs.count == 2 && runs[0].position == 0)
        guard runs.count == 2 else { return }
        // The server mutes the stream before it asks for the pause.
        let hidden = runs[1].position - (runs[0].position + runs[0].frames)
        #expect(hidden >= 0 && hidden < 4_800, "\(hidden) frames are not audible")
        expectEqual(runs[1].position + runs[1].frames, 192_000)
    }

    @Test("keeps its place in a pause during a call, and is silent until the call ends")
    func pauseDuringCall() throws {
        let player = try SignalPlayer(on: server, latencySeconds: 0.5)
        let capture = try MonitorCapture(server)
        try player.start(0..<192_000, playedBy: capture)
        // The position is not asked for often any more.
        #expect(player.queue.waitUntilPlayed(96_000))
        let call = try makeCall()
        #expect(capture.waitForSilence(ofSeconds: 1.5))
        let position = try player.queue.currentTime().playedFrames
        try player.queue.pause()
        #expect(try abs(player.queue.currentTime().playedFrames - position) < 480)
        try player.queue.start()
        #expect(capture.waitForSilence(ofSeconds: 2), "it is heard during the call")
        call.signal(SIGTERM)
        #expect(player.waitForEnd())
        let runs = capture.stop().signalRuns(minimumFrames: 500)
        let last = try #require(runs.last)
        #expect(runs.count == 2 && abs(Double(last.position) - position) < 960, "\(runs), \(position)")
        expectEqual(last.position + last.frames, 192_000)
    }

    @Test("stops during a call, and starts after it")
    func stopDuringCall() throws {
        let player = try SignalPlayer(on: server, latencySeconds: 0.5)
        let capture = try MonitorCapture(server)
        try player.start(0..<480_000, playedBy: capture)
        let call = try makeCall()
        #expect(capture.waitForSilence(ofSeconds: 0.3))
        player.hold()
        let stoppedAt = HostClock.now
        try player.queue.stop(immediate: true)
        #expect(HostClock.seconds(from: stoppedAt, to: HostClock.now) < 0.5)
        expectEqual(player.returnedBuffers, 3)
        call.signal(SIGTERM)
        player.play(1_000_000..<1_048_000)
        try player.queue.start()
        #expect(player.waitForEnd())
        let last = try #require(capture.stop().signalRuns(minimumFrames: 500).last)
        expectEqual(last.position + last.frames, 1_048_000)
        #expect(last.frames > 40_000)
    }

    @Test("goes on after calls that end at once")
    func shortCalls() throws {
        let player = try SignalPlayer(on: server, latencySeconds: 0.5)
        let capture = try MonitorCapture(server)
        try player.start(0..<192_000, playedBy: capture)
        for milliseconds in [0, 10, 20, 30, 40, 50, 60, 80, 100, 150] {
            let call = try makeCall()
            leaveAsIs(seconds: Double(milliseconds) / 1000)
            call.signal(SIGTERM)
            _ = call.wait(deadlineSeconds: 10)
        }
        #expect(player.waitForEnd())
        let last = try #require(capture.stop().signalRuns(minimumFrames: 500).last)
        expectEqual(last.position + last.frames, 192_000)
    }

    @Test("goes on when it is moved to another sink during a call")
    func move() throws {
        var options = server.options
        options.sinkName = "other"
        _ = try server.addSink(options)
        let player = try SignalPlayer(on: server, latencySeconds: 0.5)
        let capture = try MonitorCapture(server)
        try player.start(0..<192_000, playedBy: capture)
        let other = try MonitorCapture(
            source: "other.monitor", sampleRate: 48_000, channels: 2, environment: server.environment)
        let call = try makeCall()
        #expect(capture.waitForSilence(ofSeconds: 0.3))
        let streams = try server.properties(of: .playing)
        let music = try #require(streams.first { $0["media.role"] == "music" }?["#"])
        try server.control("move-sink-input", music, "other")
        #expect(other.waitForSound(ofFrames: 24_000))
        call.signal(SIGTERM)
        #expect(player.waitForEnd())
        let last = try #require(other.stop().signalRuns(minimumFrames: 500).last)
        expectEqual(last.position + last.frames, 192_000)
        capture.stop()
    }

    @Test("plays on, though muted, during the program's own call")
    func ownCall() throws {
        let player = try SignalPlayer(on: server, latencySeconds: 0.5)
        let capture = try MonitorCapture(server)
        try player.start(0..<96_000, playedBy: capture)
        let call = try OutputQueue(
            format: .float(channels: 2, sampleRate: 48_000),
            device: PulseDevice(sink: nil, server: "unix:\(server.socketPath)"),
            configuration: OutputQueue.Configuration(latency: .seconds(0.2), role: .phone)
        ) { _, _ in }
        let buffer = try call.allocateBuffer(byteCapacity: 10 * 48_000 * 8)
        unsafe buffer.bytes.initializeMemory(as: UInt8.self, repeating: 0)
        buffer.byteCount = buffer.byteCapacity
        try call.enqueue(buffer)
        try call.start()
        #expect(player.waitForEnd(upToSeconds: 5))
        try call.dispose(immediate: true)
        capture.stop()
    }

    @Test("plays its last buffers after a call that is longer than they are")
    func end() throws {
        let frames = 120_000
        let queue = try OutputQueue(
            format: .float(channels: 2, sampleRate: 48_000),
            device: PulseDevice(sink: nil, server: "unix:\(server.socketPath)"),
            configuration: OutputQueue.Configuration(latency: .seconds(3))
        ) { _, _ in }
        let buffer = try queue.allocateBuffer(byteCapacity: frames * 8)
        let signal = TestSignal.make(sampleRate: 48_000, frames: frames)
        unsafe signal.samples.withUnsafeBytes { unsafe buffer.bytes.copyBytes(from: $0) }
        buffer.byteCount = buffer.byteCapacity
        try queue.enqueue(buffer)
        let capture = try MonitorCapture(server)
        try queue.start()
        try queue.stop(immediate: false)
        #expect(capture.waitForSound(ofFrames: 4_800))
        let call = try makeCall()
        #expect(capture.waitForSilence(ofSeconds: 4))
        #expect(queue.isRunning)
        call.signal(SIGTERM)
        #expect(HostClock.poll(upToSeconds: 10) { !queue.isRunning })
        let last = try #require(capture.stop().signalRuns(minimumFrames: 500).last)
        #expect(last.position > 0 && last.position + last.frames == frames)
    }

    @Test("interrupts the session for the time of a call")
    func session() throws {
        let session = AudioSession(hardware: ServerHardware(server: "unix:\(server.socketPath)"))
        let events = Mutex<[SessionEvent]>([])
        let number = try #require(
            session.addObserver { event in
                guard event == .interruptionBegan || event == .interruptionEnded else { return }
                events.withLock { $0.append(event) }
            })
        defer { session.removeObserver(number) }
        session.awaitObservation()
        let player = try SignalPlayer(on: server, latencySeconds: 0.5)
        let capture = try MonitorCapture(server)
        try player.start(0..<480_000, playedBy: capture)
        let call = try makeCall()
        #expect(HostClock.poll(upToSeconds: 5) { events.withLock { $0 } == [.interruptionBegan] })
        call.signal(SIGTERM)
        let all: [SessionEvent] = [.interruptionBegan, .interruptionEnded]
        #expect(HostClock.poll(upToSeconds: 5) { events.withLock { $0 } == all })
        try player.queue.dispose(immediate: true)
    }
}
