// SPDX-License-Identifier: MIT

import AVFAudio
import AQDevices
import AQUnits
import Foundation
import AQSoundHarness
import Testing

@testable import AQToolboxFunctions

/// Gives each test a private server, whose devices its engines use.
struct EngineServerTrait: TestTrait, SuiteTrait, TestScoping {
    @TaskLocal fileprivate static var server: PulseServer?

    let isRecursive = true

    func provideScope(
        for test: Test, testCase: Test.Case?,
        performing function: @concurrent @Sendable () async throws -> Void
    ) async throws {
        // For a suite there is no test case.
        guard testCase != nil else { return try await function() }
        let server = try PulseServer()
        try await Self.$server.withValue(server) {
            try await QueueDevices.$current.withValue(Self.devices(of: server), operation: function)
        }
    }

    private static func devices(of server: PulseServer) -> QueueDevices {
        let address = "unix:\(server.socketPath)"
        var devices = QueueDevices.server
        devices.output = { (name: String?) throws(DeviceError) -> any OutputDevice in
            try PulseDevice(sink: name, server: address)
        }
        devices.input = { (name: String?) throws(DeviceError) -> any InputDevice in
            try PulseSource(source: name, server: address)
        }
        devices.voiceProcessor = { VoiceProcessor.server(sink: $0, source: $1, server: address) }
        return devices
    }
}

extension Trait where Self == EngineServerTrait {
    static var engineServer: Self { Self() }
}

enum EngineServer {
    /// The server of this test.
    static func current() throws -> PulseServer { try #require(EngineServerTrait.server) }

    /// The test signal from a frame on, as a buffer.
    static func signal(_ frames: Int, from position: Int = 0) throws -> AVAudioPCMBuffer {
        let samples = TestSignal.make(sampleRate: 48_000, frames: frames, from: position).samples
        return try OfflineRig.buffer(frames) { frame, channel in samples[2 * frame + channel] }
    }
}
