// SPDX-License-Identifier: MIT

import AQExpectations
import AVFAudio
import AQDevices
import Foundation
import AQSoundHarness
import Synchronization
import AQTestSupport
import AQTestTraits
import Testing

@testable import AQToolboxFunctions

/// A sink whose streams wait only a short time for a server.
private struct ImpatientSink: OutputDevice {
    let sink: PulseDevice
    var name: String { sink.name }

    func prefers(_ encoding: SampleFormat.Encoding) -> Bool { sink.prefers(encoding) }

    func ownChannels(timeoutSeconds: Double) throws(DeviceError) -> Int {
        try sink.ownChannels(timeoutSeconds: timeoutSeconds)
    }

    func nativeFormat(
        timeoutSeconds: Double
    ) throws(DeviceError) -> (sampleRate: Double, channels: Int) {
        try sink.nativeFormat(timeoutSeconds: timeoutSeconds)
    }

    func makeStream(
        _ configuration: OutputStreamConfiguration
    ) throws(DeviceError) -> any AQDevices.OutputStream {
        var configuration = configuration
        configuration.recoverySeconds = 0.3
        return try sink.makeStream(configuration)
    }
}

@Suite("The devices of AVAudioEngine", .serialized, .besideOthers, .engineServer, .timeLimit(.minutes(5)))
struct EngineDeviceSoundTests {
    private let server: PulseServer

    init() throws { server = try EngineServer.current() }

    /// An engine that plays a constant.
    private func makeEngine(playing value: Float) -> AVAudioEngine {
        let engine = AVAudioEngine()
        let source = unsafe AVAudioSourceNode { _, _, _, list in
            let buffers = unsafe UnsafeMutableAudioBufferListPointer(list)
            for index in unsafe buffers.indices {
                unsafe buffers[index].mData?.assumingMemoryBound(to: Float.self).update(
                    repeating: value, count: Int(buffers[index].mDataByteSize) / 4)
            }
            return noErr
        }
        engine.attach(source)
        engine.connect(source, to: engine.mainMixerNode, format: nil)
        return engine
    }

    /// Adds a sink of 44.1 kHz beside the default one of 48 kHz.
    private func addOtherSink() throws {
        var options = server.options
        (options.sinkName, options.sampleRate) = ("other", 44_100)
        _ = try server.addSink(options)
        try server.setDefaultSink(server.options.sinkName)
    }

    private func recordOtherSink() throws -> MonitorCapture {
        try MonitorCapture(
            source: "other.monitor", sampleRate: 44_100, channels: 2, environment: server.environment)
    }

    private final class Posted: Sendable {
        let count = Atomic<Int>(0)
    }

    @Test("another default device is posted with the engine as object, and the engine plays on it")
    func anotherDevice() throws {
        try addOtherSink()
        let engine = makeEngine(playing: 0.25)
        expectEqual(engine.outputNode.outputFormat(forBus: 0).sampleRate, 48_000)
        let posted = Posted()
        let token = NotificationCenter.default.addObserver(
            forName: .AVAudioEngineConfigurationChange, object: engine, queue: nil
        ) { _ in posted.count.add(1, ordering: .relaxed) }
        defer { NotificationCenter.default.removeObserver(token) }
        let first = try MonitorCapture(server)
        try engine.start()
        #expect(first.waitForSound(ofFrames: 4_800))
        expectEqual(posted.count.load(ordering: .relaxed), 0)
        let second = try recordOtherSink()
        try server.setDefaultSink("other")
        #expect(second.waitForSound(ofFrames: 4_410))
        #expect(OfflineRig.wait(10) { posted.count.load(ordering: .relaxed) > 0 })
        #expect(OfflineRig.wait(10) { engine.outputNode.outputFormat(forBus: 0).sampleRate == 44_100 })
        #expect(engine.isRunning)
        engine.stop()
        first.stop()
        #expect(abs(second.stop().peak - 0.25) < 0.05, "with the overshoot of the server's filter")
    }

    @Test("a tone keeps its frequency on a device of another rate, also after a change of the graph")
    func frequency() throws {
        try addOtherSink()
        let engine = AVAudioEngine()
        let player = AVAudioPlayerNode()
        engine.attach(player)
        engine.connect(
            player, to: engine.mainMixerNode,
            format: AVAudioFormat(standardFormatWithSampleRate: 48_000, channels: 2))
        // 480 Hz: each round of the loop has whole periods.
        let tone = try OfflineRig.buffer(4_800) { frame, _ in
            Float(0.5 * sin(2 * Double.pi * Double(frame) / 100))
        }
        player.scheduleBuffer(tone, at: nil, options: .loops, completionHandler: nil)
        try engine.start()
        player.play()
        let second = try recordOtherSink()
        try server.setDefaultSink("other")
        #expect(second.waitForSound(ofFrames: 4_410))
        #expect(OfflineRig.wait(10) { engine.outputNode.outputFormat(forBus: 0).sampleRate == 44_100 })
        let mixer = AVAudioMixerNode()
        engine.attach(mixer)
        engine.connect(mixer, to: engine.mainMixerNode, format: nil)
        let frames = second.recording.frames
        #expect(HostClock.poll(upToSeconds: 10, every: 0.05) { second.recording.frames > frames + 44_100 })
        engine.stop()
        let recording = second.stop()
        let end = try #require(recording.lastSoundFrame(threshold: 0.1))
        let frequency = recording.frequency(in: end - 24_000..<end - 2_000)
        #expect(abs(frequency - 480) < 2, "\(frequency) Hz")
        #expect(abs(recording.peak - 0.5) < 0.1, "\(recording.peak)")
    }

    /// Whether the unit of a node runs; nil without a unit.
    private func isUnitRunning(_ node: AVAudioIONode) -> Bool? {
        var (value, size): (UInt32, UInt32) = (9, 4)
        guard let unit = unsafe node.audioUnit,
            unsafe AudioUnitGetProperty(
                unit, kAudioOutputUnitProperty_IsRunning, kAudioUnitScope_Global, 0, &value, &size) == noErr
        else { return nil }
        return value == 1
    }

    @Test("the input and output node share a unit, whose parameters a program may change")
    func unit() throws {
        let engine = makeEngine(playing: 0.5)
        let unit = unsafe try #require(unsafe engine.outputNode.audioUnit)
        let isShared = unsafe engine.inputNode.audioUnit == unit
        #expect(isShared)
        expectEqual(isUnitRunning(engine.outputNode), false)
        let status = unsafe AudioUnitSetParameter(
            unit, kHALOutputParam_Volume, kAudioUnitScope_Global, 0, 0.5, 0)
        expectEqual(status, noErr)
        let capture = try MonitorCapture(server)
        try engine.start()
        expectEqual(isUnitRunning(engine.inputNode), true)
        #expect(capture.waitForSound(ofFrames: 9_600))
        engine.stop()
        expectEqual(isUnitRunning(engine.outputNode), false)
        let recording = capture.stop()
        expectEqual(recording.peak, 0.25)
        let sound = recording.channel(0).enumerated().filter { $0.element != 0 }
        let others = sound.filter { $0.element != 0.25 }
        #expect(
            sound.count - others.count > 9_000,
            "\(sound.count) frames from \(String(describing: sound.first)), others \(others.prefix(3)) \(others.suffix(3))"
        )
    }

    @Test("an engine whose server does not return stops, posts a change, and can start again")
    func lostServer() throws {
        let address = "unix:\(server.socketPath)"
        var devices = QueueDevices.current
        devices.output = { (name: String?) throws(DeviceError) -> any OutputDevice in
            ImpatientSink(sink: try PulseDevice(sink: name, server: address))
        }
        let engine = QueueDevices.$current.withValue(devices) { makeEngine(playing: 0.5) }
        let posted = Posted()
        let token = NotificationCenter.default.addObserver(
            forName: .AVAudioEngineConfigurationChange, object: engine, queue: nil
        ) { _ in posted.count.add(1, ordering: .relaxed) }
        defer { NotificationCenter.default.removeObserver(token) }
        try engine.start()
        let before = posted.count.load(ordering: .relaxed)
        server.kill()
        #expect(OfflineRig.wait(10) { !engine.isRunning })
        #expect(OfflineRig.wait(10) { posted.count.load(ordering: .relaxed) > before })
        try server.start()
        let capture = try MonitorCapture(server)
        try engine.start()
        #expect(engine.isRunning && capture.waitForSound(ofFrames: 4_800))
        engine.stop()
    }

    @Test("a paused engine is silent, and is heard again after its start")
    func pause() throws {
        let engine = makeEngine(playing: 0.5)
        let capture = try MonitorCapture(server)
        engine.prepare()
        #expect(!engine.isRunning)
        try engine.start()
        #expect(capture.waitForSound(ofFrames: 4_800))
        engine.pause()
        #expect(!engine.isRunning)
        #expect(capture.waitForSilence(ofSeconds: 0.2))
        let frames = capture.recording.soundFrames()
        try engine.start()
        #expect(engine.isRunning)
        #expect(
            HostClock.poll(upToSeconds: 10, every: 0.05) {
                capture.recording.soundFrames() > frames + 4_800
            })
        engine.stop()
        expectEqual(capture.stop().gaps(minimumFrames: 9_000).count, 1)
    }
}
