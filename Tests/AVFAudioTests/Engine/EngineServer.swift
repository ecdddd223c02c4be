// SPDX-License-Identifier: MIT

import AVFAudio
import AudioDevices
import Foundation
import SoundHarness

@testable import AudioToolboxFunctions

/// A private server whose devices the engines of a test use.
final class EngineServer {
    let server: PulseServer

    init() throws {
        server = try PulseServer()
        let address = "unix:\(server.socketPath)"
        var devices = QueueDevices.server
        devices.output = { (name: String?) throws(DeviceError) -> any OutputDevice in
            try PulseDevice(sink: name, server: address)
        }
        devices.input = { (name: String?) throws(DeviceError) -> any InputDevice in
            try PulseSource(source: name, server: address)
        }
        QueueDevices.replace(by: devices)
    }

    deinit { QueueDevices.replace(by: .server) }

    /// The test signal from a frame on, as a buffer.
    static func signal(_ frames: Int, from position: Int = 0) throws -> AVAudioPCMBuffer {
        let samples = TestSignal.make(sampleRate: 48_000, frames: frames, from: position).samples
        return try OfflineRig.buffer(frames) { frame, channel in samples[2 * frame + channel] }
    }
}
