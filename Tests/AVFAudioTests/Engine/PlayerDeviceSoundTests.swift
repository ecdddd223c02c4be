// SPDX-License-Identifier: MIT

import AVFAudio
import Foundation
import AQSoundHarness
import Synchronization
import AQTestSupport
import AQTestTraits
import Testing

/// Players of an engine that plays on a device, when the engine, the graph or the device changes.
@Suite("Players on a device", .serialized, .besideOthers, .engineServer, .timeLimit(.minutes(3)))
struct PlayerDeviceSoundTests {
    private let server: PulseServer
    private let engine = AVAudioEngine()
    private let player = AVAudioPlayerNode()

    init() throws { server = try EngineServer.current() }

    private func connectPlayer(sampleRate: Double?) {
        engine.attach(player)
        let format = sampleRate.flatMap { AVAudioFormat(standardFormatWithSampleRate: $0, channels: 2) }
        engine.connect(player, to: engine.mainMixerNode, format: format)
    }

    private var position: Int64? {
        player.lastRenderTime.flatMap { player.playerTime(forNodeTime: $0) }?.sampleTime
    }

    @Test("keep their time when the engine pauses, and when it starts again for the microphone")
    func time() throws {
        connectPlayer(sampleRate: 48_000)
        try engine.start()
        #expect(OfflineRig.wait(5) { engine.outputNode.lastRenderTime?.sampleTime ?? 0 > 9_600 })
        player.play()
        #expect(OfflineRig.wait(5) { position ?? 0 > 9_600 })
        engine.pause()
        try engine.start()
        #expect(OfflineRig.wait(5) { position != nil })
        let afterPause = try #require(position)
        #expect(afterPause > 9_600 && afterPause < 48_000, "\(afterPause)")
        engine.inputNode.installTap(onBus: 0, bufferSize: 1_024, format: nil) { _, _ in }
        #expect(OfflineRig.wait(5) { position ?? 0 > afterPause })
        #expect(position ?? 0 < afterPause + 48_000)
        engine.stop()
        try engine.start()
        player.play()
        #expect(OfflineRig.wait(5) { position != nil })
        #expect(position ?? .max < 9_600, "a stop begins again")
        engine.stop()
    }

    @Test("that are detached, or disconnected and stopped, call their handlers while others play")
    func handlers() throws {
        connectPlayer(sampleRate: 48_000)
        let other = AVAudioPlayerNode()
        engine.attach(other)
        engine.connect(other, to: engine.mainMixerNode, format: nil)
        try engine.start()
        other.play()
        let called = Tally()
        let long = try OfflineRig.buffer(480_000) { _, _ in 0.25 }
        player.scheduleBuffer(long) { called.add(1) }
        player.play()
        #expect(OfflineRig.wait(5) { position ?? 0 > 0 })
        engine.detach(player)
        #expect(OfflineRig.wait(5) { called.now == 1 })
        engine.attach(player)
        engine.connect(player, to: engine.mainMixerNode, format: nil)
        player.scheduleBuffer(long) { called.add(1) }
        engine.disconnectNodeOutput(player)
        player.stop()
        #expect(OfflineRig.wait(5) { called.now == 2 })
        engine.stop()
    }

    @Test("play files at the right pitch after a change to a device of another rate")
    func pitch() throws {
        var options = server.options
        (options.sinkName, options.sampleRate) = ("other", 44_100)
        _ = try server.addSink(options)
        try server.setDefaultSink(server.options.sinkName)
        let folder = ScratchFolder()
        let step = 2 * Double.pi * 480 / 48_000
        let tone = Recording(
            sampleRate: 48_000, channels: 1,
            samples: (0..<144_000).map { Float(0.5 * sin(step * Double($0))) })
        try WaveFile.write(tone, as: .float32, toPath: folder.file("tone.wav"))
        connectPlayer(sampleRate: nil)
        try engine.start()
        let second = try MonitorCapture(
            source: "other.monitor", sampleRate: 44_100, channels: 2, environment: server.environment)
        try server.setDefaultSink("other")
        #expect(OfflineRig.wait(10) { engine.outputNode.outputFormat(forBus: 0).sampleRate == 44_100 })
        player.scheduleFile(
            try AVAudioFile(forReading: URL(fileURLWithPath: folder.file("tone.wav"))), at: nil,
            completionHandler: nil)
        player.play()
        #expect(second.waitForSound(ofFrames: 44_100))
        engine.stop()
        let recording = second.stop()
        let start = try #require(recording.firstSoundFrame(threshold: 0.1))
        let frequency = recording.frequency(in: start + 4_000..<start + 40_000)
        #expect(abs(frequency - 480) < 2, "\(frequency) Hz")
    }

    @Test("an engine starts with an input node that was only asked for, and its tap may follow")
    func inputFirst() throws {
        let input = engine.inputNode
        try engine.start()
        let got = Tally()
        input.installTap(onBus: 0, bufferSize: 1_024, format: nil) { _, _ in got.add(1) }
        #expect(OfflineRig.wait(5) { got.now > 3 })
        engine.stop()
        #expect(throws: (any Error).self) { try AVAudioEngine().start() }
    }
}
