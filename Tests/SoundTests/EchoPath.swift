// SPDX-License-Identifier: MIT

import AQDevices
import AudioQueues
import CoreAudioTypes
import AQSoundHarness
import Synchronization

/// A loudspeaker and a microphone in a room: what a sink plays is captured after a delay, together with the speech of a
/// near speaker.
final class EchoPath: Sendable {
    static let source = "room.monitor"
    private static let room = "room"

    private let device: PulseDevice
    private let speech = Mutex<OutputQueue?>(nil)

    /// Makes the microphone as another null sink of the server, to which the server itself passes on what is played.
    init(on server: PulseServer) throws {
        var options = server.options
        options.sinkName = Self.room
        _ = try server.addSink(options)
        try server.setDefaultSink(server.options.sinkName)
        // The module would correct the rate, and so change the delay: both sinks have one clock. A new default source
        // would attract it.
        _ = try server.loadModule(
            "module-loopback",
            [
                "source=\(server.options.sinkName).monitor", "sink=\(Self.room)", "latency_msec=20",
                "adjust_time=0", "source_dont_move=1", "sink_dont_move=1",
            ])
        device = try PulseDevice(sink: Self.room, server: server.address)
    }

    /// Ends the speech.
    func end() { replaceSpeech(nil) }

    /// Begins near speech.
    func speak(_ samples: [Float]) throws {
        let queue = try OutputQueue(format: .float(channels: 1, sampleRate: 48_000), device: device) { _, _ in
        }
        let buffer = try queue.allocateBuffer(byteCapacity: samples.count * 4)
        unsafe samples.withUnsafeBytes { unsafe buffer.bytes.copyBytes(from: $0) }
        buffer.byteCount = samples.count * 4
        try queue.enqueue(buffer)
        try queue.start()
        replaceSpeech(queue)
    }

    private func replaceSpeech(_ queue: OutputQueue?) {
        let last = speech.withLock { speech in
            defer { speech = queue }
            return speech
        }
        try? last?.dispose(immediate: true)
    }
}
