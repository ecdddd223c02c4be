// SPDX-License-Identifier: MIT

import AQDevices
import AudioQueues
import CoreAudioTypes
import AQSoundHarness
import Synchronization

/// A loudspeaker and a microphone in a room: what a sink plays is captured after a delay, quieter and without its high
/// frequencies, together with the speech of a near speaker.
final class EchoPath: Sendable {
    static let source = "room.monitor"
    private static let room = "room"
    private static let sampleRate = 48_000.0
    private static let blockFrames = 480
    /// The distance between the newest recorded frame and the next played one, which is part of the delay.
    private static let delayFrames = 960
    /// The coefficients of the filter: a lowpass, with a gain of 0.6 for low frequencies.
    private static let (gain, feedback): (Float, Float) = (0.3, 0.5)

    private struct State {
        /// The recorded frames that are not played, filtered.
        var samples: [Float] = []
        var last: Float = 0
        var nearSpeech: ArraySlice<Float> = []
        var isBegun = false
    }

    private let state = Mutex(State())
    private let input: InputQueue
    private let output: OutputQueue

    /// Makes the microphone as another null sink of the server, and begins.
    init(on server: PulseServer) throws {
        var options = server.options
        options.sinkName = Self.room
        _ = try server.addSink(options)
        try server.setDefaultSink(server.options.sinkName)
        let format = AudioStreamBasicDescription.float(channels: 1, sampleRate: Self.sampleRate)
        let box = Box()
        input = try InputQueue(
            format: format, device: PulseSource(monitorOf: server.options.sinkName, server: server.address),
            configuration: InputQueue.Configuration(heldSeconds: 5, fragmentSeconds: 0.01)
        ) { queue, buffer, _ in
            box.path?.record(buffer)
            try? queue.enqueue(buffer)
        }
        output = try OutputQueue(
            format: format, device: PulseDevice(sink: Self.room, server: server.address),
            configuration: OutputQueue.Configuration(latency: .seconds(0.02))
        ) { queue, buffer in
            box.path?.play(buffer)
            try? queue.enqueue(buffer)
        }
        box.path = self
        for _ in 0..<50 { try input.enqueue(input.allocateBuffer(byteCapacity: Self.blockFrames * 4)) }
        try input.start()
        for _ in 0..<2 {
            let buffer = try output.allocateBuffer(byteCapacity: Self.blockFrames * 4)
            play(buffer)
            try output.enqueue(buffer)
        }
        try output.start()
        guard HostClock.poll(upToSeconds: 10, until: { state.withLock { $0.isBegun } }) else {
            throw HarnessError("the room receives nothing")
        }
    }

    private final class Box: Sendable {
        private let weak = Mutex<EchoPath?>(nil)
        var path: EchoPath? {
            get { weak.withLock { $0 } }
            set { weak.withLock { $0 = newValue } }
        }
    }

    /// Ends both queues, which otherwise keep each other alive.
    func end() {
        try? input.dispose(immediate: true)
        try? output.dispose(immediate: true)
    }

    /// Begins near speech.
    func speak(_ samples: [Float]) { state.withLock { $0.nearSpeech = samples[...] } }

    private func record(_ buffer: QueueBuffer) {
        let samples = unsafe buffer.bytes.bindMemory(to: Float.self)
        state.withLock { state in
            for index in 0..<buffer.byteCount / 4 {
                state.last = unsafe Self.gain * samples[index] + Self.feedback * state.last
                state.samples.append(state.last)
            }
            // After a stall, the delay is the usual one again.
            let excess = state.samples.count - 3 * Self.delayFrames
            if excess > 0 { state.samples.removeFirst(excess + Self.delayFrames) }
        }
    }

    private func play(_ buffer: QueueBuffer) {
        let samples = unsafe buffer.bytes.bindMemory(to: Float.self)
        state.withLock { state in
            if !state.isBegun { state.isBegun = state.samples.count >= Self.delayFrames }
            let count = state.isBegun ? min(Self.blockFrames, state.samples.count) : 0
            for index in 0..<Self.blockFrames {
                let near = state.nearSpeech.popFirst() ?? 0
                unsafe samples[index] = (index < count ? state.samples[index] : 0) + near
            }
            state.samples.removeFirst(count)
        }
        buffer.byteCount = Self.blockFrames * 4
    }
}
