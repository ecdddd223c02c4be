// SPDX-License-Identifier: MIT

import AQExpectations
import AVFAudio
import Foundation
import AQSoundHarness
import Synchronization
import AQTestSupport
import AQTestTraits
import Testing

@Suite("AVAudioEngine, on a server", .serialized, .measuring, .engineServer, .timeLimit(.minutes(30)))
struct EngineSoundTests {
    private let server: PulseServer

    init() throws { server = try EngineServer.current() }

    private func connected(_ player: AVAudioPlayerNode, to engine: AVAudioEngine) throws {
        engine.attach(player)
        engine.connect(
            player, to: engine.mainMixerNode,
            format: AVAudioFormat(standardFormatWithSampleRate: 48_000, channels: 2))
    }

    @Test("plays buffers without a gap, and says when they were heard")
    func buffers() throws {
        let engine = AVAudioEngine()
        let player = AVAudioPlayerNode()
        try connected(player, to: engine)
        let capture = try MonitorCapture(server)
        try engine.start()
        let ends = Mutex<[UInt64]>([])
        for index in 0..<20 {
            player.scheduleBuffer(
                try EngineServer.signal(1_501, from: index * 1_501), completionCallbackType: .dataPlayedBack
            ) { _ in ends.withLock { $0.append(HostClock.now) } }
        }
        player.play()
        #expect(OfflineRig.wait(5) { ends.withLock { $0.count } == 20 })
        engine.stop()
        let recording = capture.stop()
        let runs = TestSignal.runs(in: recording)
        expectEqual(runs.map(\.frames), [20 * 1_501])
        let run = try #require(runs.first)
        for (index, end) in ends.withLock({ $0 }).enumerated() {
            let heard = try #require(recording.hostTime(ofFrame: run.startFrame + 1_501 * (index + 1) - 1))
            let late = Double(Int64(bitPattern: end &- heard)) / 1e6
            let early = 1000 * SoundServerTraits.chosen.positionErrorSeconds
            #expect(-early < late && late < 30, "\(late) ms")
        }
    }

    @Test("starts two players at one host time on the same frame, where it is heard at that time")
    func together() throws {
        let engine = AVAudioEngine()
        let players = [AVAudioPlayerNode(), AVAudioPlayerNode()]
        for (index, player) in players.enumerated() {
            try connected(player, to: engine)
            player.pan = index == 0 ? -1 : 1
            player.scheduleBuffer(try OfflineRig.buffer(480) { _, _ in 0.5 }, completionHandler: nil)
        }
        let capture = try MonitorCapture(server)
        try engine.start()
        HostClock.wait(until: HostClock.time(inSeconds: 0.5))
        let begin = HostClock.now + 300_000_000
        for player in players { player.play(at: AVAudioTime(hostTime: begin)) }
        HostClock.wait(until: HostClock.time(inSeconds: 0.6))
        engine.stop()
        let recording = capture.stop()
        let first = (0...1).map { channel in
            (0..<recording.frames).first { recording.samples[2 * $0 + channel] != 0 }
        }
        let frame = try #require(first[0])
        expectEqual(first[0], first[1])
        #expect((0..<480).allSatisfy { recording.samples[2 * (frame + $0)] == 0.5 })
        let heard = try #require(recording.hostTime(ofFrame: frame))
        #expect(abs(Double(Int64(bitPattern: heard &- begin))) < 5e6)
    }

    @Test("plays files, of another rate too, and segments")
    func files() throws {
        let folder = ScratchFolder()
        let url = URL(fileURLWithPath: folder.file("sound.wav"))
        let settings: [String: Any] = [
            AVFormatIDKey: kAudioFormatLinearPCM, AVSampleRateKey: 48_000, AVNumberOfChannelsKey: 2,
            AVLinearPCMBitDepthKey: 32, AVLinearPCMIsFloatKey: true,
        ]
        do {
            let file = try AVAudioFile(forWriting: url, settings: settings)
            try file.write(from: try EngineServer.signal(60_000))
        }
        let engine = AVAudioEngine()
        let player = AVAudioPlayerNode()
        try connected(player, to: engine)
        let capture = try MonitorCapture(server)
        try engine.start()
        let file = try AVAudioFile(forReading: url)
        let isDone = Atomic<Bool>(false)
        player.scheduleFile(file, at: nil, completionHandler: nil)
        player.scheduleSegment(
            file, startingFrame: 1_000, frameCount: 30_000, at: nil, completionCallbackType: .dataPlayedBack
        ) { _ in
            isDone.store(true, ordering: .releasing)
        }
        player.play()
        #expect(OfflineRig.wait(5) { isDone.load(ordering: .acquiring) })
        engine.stop()
        let runs = TestSignal.runs(in: capture.stop())
        expectEqual(runs.map(\.position), [0, 1_000])
        expectEqual(runs.map(\.frames), [60_000, 30_000])
        #expect(runs.count == 2 && runs[1].startFrame == runs[0].startFrame + 60_000)
    }

    @Test("passes captured audio to a tap, contiguous in sample time and with times of the clock")
    func input() throws {
        let seconds = Environment.isLong ? 600.0 : 3
        let engine = AVAudioEngine()
        let input = engine.inputNode
        expectEqual(input.outputFormat(forBus: 0).sampleRate, 48_000)
        let got = Mutex<(next: Int64?, gaps: Int, frames: Int, hosts: [(Int64, UInt64)])>((nil, 0, 0, []))
        input.installTap(onBus: 0, bufferSize: 1_024, format: nil) { buffer, time in
            got.withLock { got in
                if let next = got.next, next != time.sampleTime { got.gaps += 1 }
                got.next = time.sampleTime + Int64(buffer.frameLength)
                got.frames += Int(buffer.frameLength)
                got.hosts.append((time.sampleTime, time.hostTime))
            }
        }
        try engine.start()
        #expect(engine.isRunning)
        HostClock.wait(until: HostClock.time(inSeconds: seconds))
        expectEqual(input.lastRenderTime?.isHostTimeValid, true)
        input.removeTap(onBus: 0)
        engine.stop()
        let (gaps, frames, hosts) = got.withLock { ($0.gaps, $0.frames, $0.hosts) }
        print("\(frames) frames in \(hosts.count) buffers, \(gaps) gaps")
        expectEqual(gaps, 0)
        #expect(Double(frames) > (seconds - 0.3) * 48_000)
        // With the time of a second before, because a sink's clock is not the system's.
        let settled = hosts.dropFirst(20)
        for ((sample, host), (before, hostBefore)) in zip(settled.dropFirst(47), settled) {
            let frames = Double(sample - before) / 48
            let passed = Double(Int64(bitPattern: host &- hostBefore)) / 1e6
            #expect(abs(frames - passed) < 10, "\(passed) ms for \(frames) ms of audio")
        }
    }

    @Test("a metronome's ticks are within one frame of their times")
    func metronome() throws {
        let seconds = Environment.isLong ? 600 : 3
        let engine = AVAudioEngine()
        let player = AVAudioPlayerNode()
        try connected(player, to: engine)
        let capture = try MonitorCapture(server, deadlineSeconds: Double(seconds) + 30)
        try engine.start()
        let interval = 24_000 / 7
        let tick = try OfflineRig.buffer(64) { _, _ in 0.5 }
        for beat in 0..<(seconds * 48_000 / interval) {
            player.scheduleBuffer(
                tick, at: AVAudioTime(sampleTime: Int64(beat * interval), atRate: 48_000), options: [],
                completionHandler: nil)
        }
        player.play()
        HostClock.wait(until: HostClock.time(inSeconds: Double(seconds) + 0.5))
        engine.stop()
        let recording = capture.stop()
        let starts = (1..<recording.frames).filter {
            recording.samples[2 * $0] != 0 && recording.samples[2 * $0 - 2] == 0
        }
        expectEqual(starts.count, seconds * 48_000 / interval)
        let first = try #require(starts.first)
        let wrong = starts.enumerated().filter { abs($1 - first - $0 * interval) > 1 }
        #expect(wrong.isEmpty, "\(wrong.count) of \(starts.count)")
    }

    @Test("begins to capture, and connects players, while it runs")
    func changes() throws {
        let engine = AVAudioEngine()
        let (one, two) = (AVAudioPlayerNode(), AVAudioPlayerNode())
        try connected(one, to: engine)
        try engine.start()
        one.play()
        let buffers = Atomic<Int>(0)
        engine.inputNode.installTap(onBus: 0, bufferSize: 512, format: nil) { _, _ in
            buffers.add(1, ordering: .relaxed)
        }
        #expect(OfflineRig.wait(5) { buffers.load(ordering: .relaxed) > 10 })
        try connected(two, to: engine)
        let isDone = Atomic<Bool>(false)
        let capture = try MonitorCapture(server)
        two.scheduleBuffer(try EngineServer.signal(9_600), completionCallbackType: .dataPlayedBack) { _ in
            isDone.store(true, ordering: .releasing)
        }
        two.play()
        #expect(OfflineRig.wait(5) { isDone.load(ordering: .acquiring) })
        expectEqual(TestSignal.runs(in: capture.stop()).map(\.frames), [9_600])
        engine.stop()
        #expect(!engine.isRunning && !one.isPlaying)
    }

    @Test("a player has no time of before a pause or a stop, also until the slice that obeys it")
    func positions() throws {
        let engine = AVAudioEngine()
        let player = AVAudioPlayerNode()
        try connected(player, to: engine)
        let position = { player.lastRenderTime.flatMap { player.playerTime(forNodeTime: $0) }?.sampleTime }
        try engine.start()
        player.play()
        #expect(OfflineRig.wait(5) { position() ?? 0 > 9_600 })
        player.pause()
        expectEqual(position(), nil)
        player.play()
        #expect(OfflineRig.wait(5) { position() ?? 0 > 12_000 })
        player.stop()
        player.play()
        #expect(position() ?? 0 < 9_600)
        #expect(OfflineRig.wait(5) { position() != nil })
        #expect(position() ?? 0 < 9_600)
        engine.stop()
    }

    @Test("connects the microphone to the loudspeaker, and taps what is played")
    func duplex() throws {
        let engine = AVAudioEngine()
        engine.connect(engine.inputNode, to: engine.mainMixerNode, format: nil)
        engine.mainMixerNode.outputVolume = 0
        let frames = Atomic<Int>(0)
        engine.mainMixerNode.installTap(onBus: 0, bufferSize: 1_024, format: nil) { buffer, _ in
            frames.add(Int(buffer.frameLength), ordering: .relaxed)
        }
        try engine.start()
        #expect(OfflineRig.wait(5) { frames.load(ordering: .relaxed) > 48_000 })
        engine.stop()
    }

    @Test("says why it does not start") func refusals() throws {
        let engine = AVAudioEngine()
        #expect(throws: (any Error).self) { try engine.start() }
        _ = engine.mainMixerNode
        try engine.start()
        engine.stop()
        server.stop()
        #expect(throws: (any Error).self) { try engine.start() }
        #expect(!engine.isRunning)
    }
}
