// SPDX-License-Identifier: MIT

import AVFAudio
import Foundation
import SoundHarness
import Synchronization
import TestSupport
import TestTraits
import Testing

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
            #expect(try cancellers(of: server) == 0)
        }
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
