// SPDX-License-Identifier: MIT

import AQDevices
import AQExpectations
import AQSoundHarness
import AQTestTraits
import Testing

/// Starts at a host time, checked by the sink's monitor and the stream's clock.
@Suite("Starts at a host time", .serialized, .measuring, .timeLimit(.minutes(5)))
struct StartTimeTests {
    private static let frames = 48_000

    /// A stream that has the whole signal enqueued.
    @safe private final class Player {
        let stream: any AQDevices.OutputStream
        private let memory: UnsafeMutableRawPointer

        init(
            _ device: any AQDevices.OutputDevice, seconds: Double = 0.2, channelNumbers: [Int]? = nil
        ) throws {
            stream = try device.makeStream(
                OutputStreamConfiguration(
                    format: .float(), latency: .seconds(seconds), channelNumbers: channelNumbers))
            let signal = TestSignal.make(sampleRate: 48_000, frames: StartTimeTests.frames)
            let byteCount = StartTimeTests.frames * 8
            unsafe memory = .allocate(byteCount: byteCount, alignment: 16)
            unsafe signal.samples.withUnsafeBytes { bytes in
                if let base = bytes.baseAddress { unsafe memory.copyMemory(from: base, byteCount: byteCount) }
            }
        }

        deinit { unsafe memory.deallocate() }

        func enqueueSignal() {
            let segment = unsafe StreamSegment(
                base: memory, byteCount: StartTimeTests.frames * 8, token: 1)
            let isTaken = stream.feed.enqueue(segment)
            #expect(isTaken)
            stream.dataAvailable()
        }

        /// Waits for an event, and drops those before it.
        func wait(for kind: DeviceEvent.Kind, upToSeconds seconds: Double = 10) -> Bool {
            HostClock.poll(upToSeconds: seconds) {
                while let event = stream.feed.nextEvent() { if event.kind == kind { return true } }
                return false
            }
        }

        /// Waits until the timeline has so many frames.
        func waitForFrames(_ frames: Double) -> Bool {
            HostClock.poll(upToSeconds: 10) { stream.position().timelineFrames >= frames }
        }

        func close() {
            stream.close(ticket: 99)
            _ = wait(for: .closed)
        }
    }

    private func makeServer() throws -> PulseServer {
        var options = PulseServer.Options()
        // A monitor that records frames when they are audible.
        options.hasRewinds = true
        return try PulseServer(options)
    }

    /// The difference between the timeline and the position expected from the start time, in seconds.
    private func error(of stream: any AQDevices.OutputStream, since start: UInt64) -> Double {
        let position = stream.position()
        return position.timelineFrames / 48_000 - HostClock.seconds(from: start, to: position.hostTime)
    }

    @Test(
        "the first frame is audible at the start time, and the timeline begins there", arguments: [0.3, 1.2])
    func played(inSeconds seconds: Double) throws {
        let server = try makeServer()
        let player = try Player(PulseDevice(server: server.address))
        player.enqueueSignal()
        let capture = try MonitorCapture(server)
        let start = HostClock.time(inSeconds: seconds)
        player.stream.start(atHostTime: start)
        #expect(player.wait(for: .started))
        expectEqual(player.stream.position().timelineFrames, 0)
        #expect(player.waitForFrames(24_000))
        #expect(abs(error(of: player.stream, since: start)) < 0.005)
        player.stream.drain(ticket: 1)
        #expect(player.wait(for: .drained))
        player.close()
        let played = capture.stop()
        let runs = played.signalRuns(minimumFrames: 500)
        #expect(runs.map(\.position) == [0] && runs.first?.frames == StartTimeTests.frames)
        let first = try #require(played.firstSoundFrame())
        let playedAt = try #require(played.hostTime(ofFrame: first))
        #expect(abs(HostClock.seconds(from: start, to: playedAt)) < 0.06)
    }

    @Test("a stop or a pause before the time is answered at once, and nothing is audible")
    func takenBack() throws {
        let server = try makeServer()
        let player = try Player(PulseDevice(server: server.address))
        player.enqueueSignal()
        let capture = try MonitorCapture(server)
        let first = HostClock.time(inSeconds: 0.6)
        player.stream.start(atHostTime: first)
        #expect(player.wait(for: .started))
        // The audio is written at its position by now.
        HostClock.wait(until: first - 100_000_000)
        player.stream.pause(ticket: 1)
        #expect(player.wait(for: .paused, upToSeconds: 0.1))
        #expect(!capture.waitForSound(upToSeconds: 0.5))
        // And it starts with its first frame, at another time.
        let start = HostClock.time(inSeconds: 0.5)
        player.stream.start(atHostTime: start)
        #expect(player.waitForFrames(14_400))
        #expect(abs(error(of: player.stream, since: start)) < 0.005)
        player.stream.drain(ticket: 2)
        #expect(player.wait(for: .drained))
        player.close()
        expectEqual(capture.stop().signalRuns(minimumFrames: 500).map(\.position), [0])
    }

    @Test("audio that is enqueued late, but before the time, is on time")
    func enqueuedLate() throws {
        let server = try makeServer()
        let player = try Player(PulseDevice(server: server.address), seconds: 0.5)
        let start = HostClock.time(inSeconds: 0.6)
        player.stream.start(atHostTime: start)
        // The server's buffer has silence far beyond the time.
        HostClock.wait(until: start - 200_000_000)
        player.enqueueSignal()
        #expect(player.waitForFrames(14_400))
        #expect(abs(error(of: player.stream, since: start)) < 0.005)
        player.close()
    }

    @Test("a server that dies before the time is waited for, and the time is kept")
    func reconnected() throws {
        let server = try makeServer()
        let player = try Player(PulseDevice(server: server.address))
        player.enqueueSignal()
        let start = HostClock.time(inSeconds: 6)
        player.stream.start(atHostTime: start)
        #expect(player.wait(for: .started))
        server.kill()
        #expect(player.wait(for: .interrupted))
        try server.start()
        #expect(player.wait(for: .resumed))
        #expect(HostClock.now < start)
        expectEqual(player.stream.position().timelineFrames, 0)
        #expect(player.waitForFrames(24_000))
        #expect(abs(error(of: player.stream, since: start)) < 0.01)
        player.close()
    }

    @Test("the device's clock runs at about its rate, and does not step backwards after a pause")
    func deviceClock() throws {
        let server = try makeServer()
        let player = try Player(PulseDevice(server: server.address))
        expectEqual(player.stream.deviceClock, nil)
        player.enqueueSignal()
        player.stream.start()
        let isKnown = HostClock.poll(upToSeconds: 5) { player.stream.deviceClock != nil }
        #expect(isKnown)
        #expect(player.waitForFrames(14_400))
        let first = try #require(player.stream.deviceClock)
        #expect(abs(first.framesPerSecond / 48_000 - 1) <= 0.01)
        expectEqual(first.nominalFramesPerSecond, 48_000)
        player.stream.pause(ticket: 1)
        #expect(player.wait(for: .paused))
        expectEqual(player.stream.deviceClock, nil)
        leaveAsIs(seconds: 0.3)
        let paused = player.stream.position().timelineFrames
        player.stream.start()
        #expect(player.waitForFrames(paused + 14_400))
        let second = try #require(player.stream.deviceClock)
        let seconds = HostClock.seconds(from: first.hostTime, to: second.hostTime)
        #expect(abs((second.frames - first.frames) / 48_000 - seconds) < 0.03)
        player.close()
    }

    @Test("channels are sent to the sink's channels of their numbers, and to no other")
    func channelNumbers() throws {
        let server = try makeServer()
        var options = PulseServer.Options()
        options.sinkName = "surround"
        options.channels = 6
        let positions = "front-left,front-right,rear-left,rear-right,front-center,lfe"
        options.channelMap = positions
        _ = try server.addSink(options)
        let device = try PulseDevice(sink: "surround", server: server.address)
        try expectEqual(device.ownChannels(timeoutSeconds: 5), 6)
        let capture = try MonitorCapture(
            source: "surround.monitor", sampleRate: 48_000, channels: 6, channelMap: positions,
            environment: server.environment)
        let player = try Player(device, channelNumbers: [5, 2])
        player.enqueueSignal()
        player.stream.start()
        player.stream.drain(ticket: 1)
        #expect(player.wait(for: .drained))
        player.close()
        let played = capture.stop()
        let first = try #require(played.firstSoundFrame())
        let frame = Array(played.samples[((first + 24_000) * 6)..<((first + 24_001) * 6)])
        expectEqual(frame.map { $0 > Recording.silenceThreshold }, [false, true, false, false, true, false])
        #expect(TestSignal.position(left: frame[4], right: frame[1]) != nil)
    }

    @Test("a channel that the sink does not have fails the stream")
    func noSuchChannel() throws {
        let server = try makeServer()
        let player = try Player(PulseDevice(server: server.address), channelNumbers: [1, 3])
        player.stream.start()
        #expect(player.wait(for: .failed))
        expectEqual(player.stream.feed.failure?.code, .unsupportedFormat)
        player.close()
        #expect(throws: DeviceError.self) {
            try PulseDevice(sink: "nobody", server: server.address).ownChannels(timeoutSeconds: 5)
        }
    }
}
