// SPDX-License-Identifier: MIT

import AQExpectations
import AVFAudio
import AQDevices
import AQUnits
import Foundation
import AQSoundHarness
import Synchronization
import AQTestSupport
import AQTestTraits
import Testing

@testable import AQToolboxFunctions

/// The echo canceller is that of the process's default server, so each test is a process.
@Suite("Voice processing of AVAudioEngine", .serialized, .besideOthers, .timeLimit(.minutes(5)))
struct VoiceProcessingSoundTests {
    @Test("is enabled for both nodes, and cancels echo by the server while the engine runs")
    func enabled() async {
        await #expect(processExitsWith: .success) {
            let server = try PulseServer()
            unsafe _ = setenv("PULSE_SERVER", "unix:\(server.socketPath)", 1)
            // The microphone is not the loudspeaker's own monitor, whose echo is not cancelled.
            var options = server.options
            options.sinkName = "room"
            _ = try server.addSink(options)
            try server.setDefaultSink(server.options.sinkName)
            try server.control("set-default-source", "room.monitor")

            let engine = AVAudioEngine()
            let (input, output) = (engine.inputNode, engine.outputNode)
            #expect(!input.isVoiceProcessingEnabled && !output.isVoiceProcessingEnabled)
            try input.setVoiceProcessingEnabled(true)
            #expect(input.isVoiceProcessingEnabled && output.isVoiceProcessingEnabled)
            let captured = Captured()
            input.installTap(onBus: 0, bufferSize: 480, format: nil) { buffer, _ in
                captured.frames.add(Int(buffer.frameLength), ordering: .relaxed)
            }
            try engine.start()
            #expect(HostClock.poll(upToSeconds: 10, every: 0.1) { (try? cancellers(of: server)) == 1 })
            #expect(OfflineRig.wait(10) { captured.frames.load(ordering: .relaxed) > 8_000 })
            // Not while the engine runs.
            let code = thrownCode { try output.setVoiceProcessingEnabled(false) }
            #expect(code == -10_849 && input.isVoiceProcessingEnabled)
            engine.stop()
            try output.setVoiceProcessingEnabled(false)
            #expect(!input.isVoiceProcessingEnabled && !output.isVoiceProcessingEnabled)
            #expect(HostClock.poll(upToSeconds: 10, every: 0.1) { (try? cancellers(of: server)) == 0 })
            try engine.start()
            #expect(engine.isRunning)
            engine.stop()
            try expectEqual(cancellers(of: server), 0)
        }
    }

    @Test("records a microphone of one channel, or of several, in one channel", arguments: [1, 2])
    func channels(count: Int) async {
        await #expect(processExitsWith: .success) { [count] in
            let server = try PulseServer()
            unsafe _ = setenv("PULSE_SERVER", "unix:\(server.socketPath)", 1)
            var options = server.options
            (options.sinkName, options.channels) = ("room", count)
            _ = try server.addSink(options)
            try server.setDefaultSink(server.options.sinkName)
            try server.control("set-default-source", "room.monitor")
            let engine = AVAudioEngine()
            let input = engine.inputNode
            try input.setVoiceProcessingEnabled(true)
            let format = input.outputFormat(forBus: 0)
            #expect(format.channelCount == 1 && format.sampleRate == 48_000)
            let captured = Captured()
            input.installTap(onBus: 0, bufferSize: 480, format: format) { buffer, _ in
                guard buffer.format == format else { return }
                captured.frames.add(Int(buffer.frameLength), ordering: .relaxed)
            }
            engine.connect(input, to: engine.mainMixerNode, format: format)
            try engine.start()
            #expect(OfflineRig.wait(10) { captured.frames.load(ordering: .relaxed) > 8_000 })
            try expectEqual(cancellers(of: server), 1)
            engine.stop()
        }
    }

    @Test("records unprocessed audio, and says so, if the server cannot cancel echo")
    func unprocessed() async {
        let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
            let server = try PulseServer()
            unsafe _ = setenv("PULSE_SERVER", "unix:\(server.socketPath)", 1)
            let engine = QueueDevices.$current.withValue(Self.withoutCanceller) { AVAudioEngine() }
            try QueueDevices.$current.withValue(Self.withoutCanceller) {
                try engine.inputNode.setVoiceProcessingEnabled(true)
            }
            let input = engine.inputNode
            #expect(input.isVoiceProcessingEnabled && input.isVoiceProcessingBypassed)
            let captured = Captured()
            input.installTap(onBus: 0, bufferSize: 480, format: nil) { buffer, _ in
                captured.frames.add(Int(buffer.frameLength), ordering: .relaxed)
            }
            // As programs do after the call that has succeeded.
            input.isVoiceProcessingBypassed = false
            try engine.start()
            #expect(input.isVoiceProcessingBypassed)
            #expect(OfflineRig.wait(10) { captured.frames.load(ordering: .relaxed) > 8_000 })
            engine.stop()
        }
        let lines = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(lines.contains("the sound server cannot cancel echo: the microphone is recorded unprocessed"))
    }

    /// Devices of the default server, which refuses to cancel echo.
    private static var withoutCanceller: QueueDevices {
        var devices = QueueDevices.server
        devices.voiceProcessor = { _, _ in
            VoiceProcessor { (_, _, _) throws(DeviceError) -> VoiceProcessor.Devices in
                throw DeviceError(.refused, "cannot cancel echo: the sound server has not loaded the module")
            }
        }
        return devices
    }

    @Test("stays off, with an error, if no server can cancel echo")
    func refused() async {
        await #expect(processExitsWith: .success) {
            unsafe _ = setenv("PULSE_SERVER", "unix:/nonexistent", 1)
            let engine = AVAudioEngine()
            #expect(throws: NSError.self) { try engine.inputNode.setVoiceProcessingEnabled(true) }
            #expect(!engine.inputNode.isVoiceProcessingEnabled)
            #expect(!engine.outputNode.isVoiceProcessingEnabled)
        }
    }
}

/// What a tap has got.
private final class Captured: Sendable {
    let frames = Atomic<Int>(0)
}

/// The number of echo cancellers that a server has loaded.
private func cancellers(of server: PulseServer) throws -> Int {
    try server.control("list", "short", "modules").split(separator: "\n")
        .count { $0.contains("module-echo-cancel") }
}
