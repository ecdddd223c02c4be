// SPDX-License-Identifier: MIT

import AQDevices
import AQExpectations
import AudioQueues
import CoreAudioTypes
import AQSoundHarness
import AQTestTraits
import Testing

/// The frames of a capture stream on a real server.
@Suite("Capture", .serialized, .besideOthers, .timeLimit(.minutes(5)))
struct CaptureExactnessTests {
    private let server: PulseServer

    init() throws { server = try PulseServer() }

    private func capture(
        _ format: SampleFormat, segmentFrames: Int = 2400, fragmentFrames: Int = 480, frames: Int = 24_000
    ) throws -> CaptureRig {
        let rig = try CaptureRig(
            PulseSource(monitorOf: "test", server: server.address), format: format,
            segmentFrames: segmentFrames, heldSeconds: 5)
        defer { rig.close() }
        rig.stream.start(fragmentFrames: fragmentFrames)
        try #require(rig.waitFor(.started))
        let player = try server.playSignal(0..<frames)
        expectEqual(player.wait(deadlineSeconds: 10).exitStatus, 0)
        rig.stream.stop(ticket: 1)
        try #require(rig.waitFor(.stopped))
        return rig
    }

    @Test(
        "every frame is delivered, bit-exact, in every format",
        arguments: [
            SampleFormat.make(.signed16), .make(.signed24), .make(.signed32), .make(.float32),
            .make(.signed16, isBigEndian: true), .make(.signed24, isBigEndian: true),
            .make(.signed32, isBigEndian: true), .make(.float32, isBigEndian: true),
        ])
    func formats(format: SampleFormat) throws {
        let rig = try capture(format)
        #expect(rig.jumps.isEmpty)
        let runs = TestSignal.runs(in: rig.recording).filter { $0.frames > 1 }
        #expect(runs.count == 1 && runs.first?.position == 0 && runs.first?.frames == 24_000, "\(runs)")
    }

    @Test("one channel and an odd segment size are delivered completely", arguments: [480, 24_000])
    func mono(fragmentFrames: Int) throws {
        var options = PulseServer.Options()
        options.sinkName = "mono"
        options.channels = 1
        _ = try server.addSink(options)
        let rig = try CaptureRig(
            PulseSource(source: "mono.monitor", server: server.address),
            format: .make(.signed16, channels: 1), segmentFrames: 1237, heldSeconds: 5)
        defer { rig.close() }
        rig.stream.start(fragmentFrames: fragmentFrames)
        try #require(rig.waitFor(.started))
        let signal = Recording(
            sampleRate: 48_000, channels: 1, samples: (1...24_000).map { Float($0) / 32768 })
        try WaveFile.write(signal, as: .signed16, toPath: "\(server.folder)/mono.wav")
        let player = try ChildProcess(
            "paplay", ["--device=mono", "\(server.folder)/mono.wav"], environment: server.environment)
        expectEqual(player.wait(deadlineSeconds: 10).exitStatus, 0)
        #expect(rig.waitForClock(toAdvanceBy: SoundServerTraits.chosen.drainLeadSeconds * 48_000))
        rig.stream.stop(ticket: 1)
        try #require(rig.waitFor(.stopped))
        let comparison = try #require(rig.recording.compare(to: signal))
        #expect(comparison.isExact(referenceFrames: 24_000), "\(comparison)")
        #expect(rig.jumps.isEmpty)
    }

    @Test("frames are numbered without a gap, and their times are steady and never run backwards")
    func times() throws {
        let rig = try CaptureRig(
            PulseSource(monitorOf: "test", server: server.address), segmentFrames: 480)
        defer { rig.close() }
        rig.stream.start(fragmentFrames: 480)
        try #require(rig.waitForFrames(96_000))
        let now = HostClock.now
        let position = rig.stream.position()
        let pieces = rig.pieces
        #expect(rig.jumps.isEmpty)
        #expect(zip(pieces, pieces.dropFirst()).allSatisfy { $0.hostTime < $1.hostTime })
        // After the first arrivals are averaged, times match frames within a few milliseconds.
        let settled = pieces.dropFirst(pieces.count / 2)
        let offsets = settled.map { Double($0.hostTime) - Double($0.frame) / 48_000 * 1e9 }
        let spread = try (#require(offsets.max()) - #require(offsets.min())) / 1e9
        #expect(spread < HostClock.bound(0.005), "times vary by \(spread) s")
        let last = try #require(pieces.last)
        let age = HostClock.seconds(from: last.hostTime, to: now)
        #expect(age > -HostClock.bound(0.01) && age < 0.1, "the newest segment is \(age) s old")
        let expected =
            Double(last.frame) + HostClock.seconds(from: last.hostTime, to: position.hostTime) * 48_000
        let clockError = (position.timelineFrames - expected) / 48_000
        #expect(abs(clockError) < HostClock.bound(0.02), "clock \(position), frames \(expected)")
        #expect(position.isRunning)
        let granted = try #require(rig.stream.granted)
        #expect(granted.requestFrames > 0 && granted.requestFrames <= 480)
        // A monitor's frames arrive when they are audible, or later.
        #expect(granted.measuredSeconds >= 0 && granted.measuredSeconds < 1, "\(granted)")
    }

    @Test("a frame that a queue plays and a monitor captures has one host time")
    func playedAndCaptured() throws {
        var options = PulseServer.Options()
        options.keepsPeriodShort = false
        let server = try PulseServer(options)
        let rig = try CaptureRig(
            PulseSource(monitorOf: "test", server: server.address), segmentFrames: 480)
        defer { rig.close() }
        rig.stream.start(fragmentFrames: 1920)
        try #require(rig.waitFor(.started))
        let player = try SignalPlayer(on: server, sink: "test", latencySeconds: 0.2)
        player.play(0..<96_000)
        try player.queue.start()
        #expect(player.waitForStart())
        #expect(player.queue.waitUntilPlayed(57_600))
        let time = try player.queue.currentTime()
        #expect(player.waitForEnd())
        rig.stream.stop(ticket: 1)
        try #require(rig.waitFor(.stopped))
        let run = try #require(TestSignal.runs(in: rig.recording).max { $0.frames < $1.frames })
        let frame = Double(run.startFrame) + time.playedFrames - Double(run.position)
        let piece = try #require(rig.pieces.last { Double($0.frame) <= frame })
        // The sink's blocks have 40 ms: their last frames arrive that much before they are audible.
        let captured = Double(piece.hostTime) + (frame - Double(piece.frame)) / 48_000 * 1e9
        let seconds = (captured - Double(time.hostTime)) / 1e9
        #expect(abs(seconds) < HostClock.bound(0.012), "captured \(seconds) s after it was audible")
    }

    @Test("a source that is not a monitor is timed by its own latency as well")
    func microphone() throws {
        try server.addMicrophone()
        let rig = try CaptureRig(
            PulseSource(source: "microphone", server: server.address), segmentFrames: 480)
        defer { rig.close() }
        rig.stream.start(fragmentFrames: 960)
        try #require(rig.waitForFrames(48_000))
        let now = HostClock.now
        #expect(rig.jumps.isEmpty)
        expectEqual(rig.stream.granted?.deviceName, "microphone")
        expectEqual(rig.stream.granted?.deviceSampleRate, 48_000)
        let last = try #require(rig.pieces.last)
        let age = HostClock.seconds(from: last.hostTime, to: now)
        #expect(age > 0 && age < 0.2, "the newest segment is \(age) s old")
        let times = rig.pieces.map(\.hostTime)
        #expect(zip(times, times.dropFirst()).allSatisfy { $0 <= $1 })
        let devices = try PulseSource.list(server: server.address)
        expectEqual(devices.filter { !$0.isMonitor }.map(\.name), ["microphone"])
    }

    @Test("the device reports its format, and is listed")
    func list() throws {
        var options = PulseServer.Options()
        options.sinkName = "other"
        options.sampleRate = 22_050
        options.channels = 1
        _ = try server.addSink(options)
        try server.setDefaultSink("other")
        let devices = try PulseSource.list(server: server.address)
        expectEqual(devices.map(\.name), ["test.monitor", "other.monitor"])
        #expect(devices.allSatisfy { $0.isMonitor })
        #expect(try PulseDevice.list(server: server.address).allSatisfy { !$0.isMonitor })
        let monitor = try PulseSource(monitorOf: nil, server: server.address)
        #expect(try monitor.nativeFormat(timeoutSeconds: 5) == (22_050, 1))
        let named = try PulseSource(monitorOf: "test", server: server.address)
        #expect(try named.nativeFormat(timeoutSeconds: 5) == (48_000, 2))
        let unknown = try PulseSource(source: "nobody", server: server.address)
        #expect {
            try unknown.nativeFormat(timeoutSeconds: 5)
        } throws: { ($0 as? DeviceError)?.code == .noSuchDevice }
    }

    @Test("a gain scales the audio, and levels are those of the captured audio")
    func gain() throws {
        let rig = try CaptureRig(
            PulseSource(monitorOf: "test", server: server.address), segmentFrames: 480)
        defer { rig.close() }
        rig.stream.setGain(0.5)
        rig.stream.setMetering(true)
        rig.stream.start(fragmentFrames: 480)
        try #require(rig.waitFor(.started))
        let player = try server.playSignal(0..<48_000)
        var loudest: Float = 0
        _ = HostClock.poll(upToSeconds: 10) {
            loudest = max(loudest, rig.stream.levels().first?.peak ?? 0)
            return !player.isRunning
        }
        expectEqual(player.wait(deadlineSeconds: 10).exitStatus, 0)
        rig.stream.stop(ticket: 1)
        try #require(rig.waitFor(.stopped))
        #expect(abs(loudest - 0.375) < 0.01, "peak \(loudest)")
        let louder = Recording(
            sampleRate: 48_000, channels: 2, samples: rig.recording.samples.map { $0 * 2 })
        expectEqual(TestSignal.runs(in: louder).first { $0.frames > 1 }?.frames, 48_000)
    }
}
