// SPDX-License-Identifier: MIT

import AudioDevices
import AudioQueues
import AudioSessions
import CoreAudioTypes
import SoundHarness
import Synchronization
import TestTraits
import Testing

/// Music during a conversation, on a server with PulseAudio's module-role-cork, which many systems load.
@Suite(
    "Music that the server pauses", .serialized, .besideOthers, .timeLimit(.minutes(5)),
    .enabled(if: (try? SoundServerKind.chosen()) == .pulseAudio))
struct HeldStreamTests {
    private let server: PulseServer

    init() throws {
        server = try PulseServer()
        _ = try server.loadModule("module-role-cork")
    }

    /// Begins a silent conversation, which ends with its queue.
    private func makeCall() throws -> OutputQueue {
        let call = try OutputQueue(
            format: .float(channels: 2, sampleRate: 48_000),
            device: PulseDevice(sink: nil, server: "unix:\(server.socketPath)"),
            configuration: OutputQueue.Configuration(latency: .seconds(0.2), role: .phone)
        ) { _, _ in }
        let buffer = try call.allocateBuffer(byteCapacity: 60 * 48_000 * 8)
        unsafe buffer.bytes.initializeMemory(as: UInt8.self, repeating: 0)
        buffer.byteCount = buffer.byteCapacity
        try call.enqueue(buffer)
        try call.start()
        return call
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
        try call.dispose(immediate: true)
        #expect(player.waitForEnd())
        let runs = capture.stop().signalRuns(minimumFrames: 500)
        #expect(runs.count == 2 && runs[0].position == 0)
        guard runs.count == 2 else { return }
        // The server mutes the stream before it asks for the pause.
        let hidden = runs[1].position - (runs[0].position + runs[0].frames)
        #expect(hidden >= 0 && hidden < 4_800, "\(hidden) frames are not audible")
        #expect(runs[1].position + runs[1].frames == 192_000)
    }

    @Test("stops and pauses during a call, and starts after it")
    func control() throws {
        let player = try SignalPlayer(on: server, latencySeconds: 0.5)
        let capture = try MonitorCapture(server)
        try player.start(0..<480_000, playedBy: capture)
        let call = try makeCall()
        #expect(capture.waitForSilence(ofSeconds: 0.3))
        try player.queue.pause()
        try player.queue.start()
        player.hold()
        let stoppedAt = HostClock.now
        try player.queue.stop(immediate: true)
        #expect(HostClock.seconds(from: stoppedAt, to: HostClock.now) < 0.5)
        #expect(player.returnedBuffers == 3)
        try call.dispose(immediate: true)
        player.play(1_000_000..<1_048_000)
        try player.queue.start()
        #expect(player.waitForEnd())
        let last = try #require(capture.stop().signalRuns(minimumFrames: 500).last)
        #expect(last.position + last.frames == 1_048_000)
        #expect(last.frames > 40_000)
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
        try call.dispose(immediate: true)
        let all: [SessionEvent] = [.interruptionBegan, .interruptionEnded]
        #expect(HostClock.poll(upToSeconds: 5) { events.withLock { $0 } == all })
        try player.queue.dispose(immediate: true)
    }
}
