// SPDX-License-Identifier: MIT

import AQDevices
import CAQAudioQueueTypes
import CAQRealTime
import CoreAudioTypes
import Glibc
import Synchronization
import AQTestSupport

@testable import AudioQueues

/// A queue on a manual device, with a record of its callbacks.
final class Rig: Sendable {
    let device = ManualDevice()
    let queue: OutputQueue
    let log: CallLog

    /// - Parameter onBufferDone: What to do in a callback, after it was recorded.
    init(
        format: AudioStreamBasicDescription = .signedInteger(bits: 16, channels: 1, sampleRate: 48000),
        decodeAheadSeconds: Double = 0.25, latency: LatencyGoal = .balanced,
        onBufferDone: @escaping @Sendable (OutputQueue, QueueBuffer) -> Void = { _, _ in }
    ) throws {
        let log = CallLog()
        self.log = log
        queue = try OutputQueue(
            format: format, device: device,
            configuration: OutputQueue.Configuration(
                latency: latency, decodeAheadSeconds: decodeAheadSeconds)
        ) { queue, buffer in
            log.add(buffer)
            onBufferDone(queue, buffer)
        }
    }

    /// Allocates and enqueues a buffer of 16-bit samples, which count up from `first`.
    @discardableResult
    func enqueue(frames: Int, from first: Int, trimStart: Int = 0, trimEnd: Int = 0) throws -> QueueBuffer {
        let buffer = try queue.allocateBuffer(byteCapacity: frames * 2)
        buffer.fill(frames: frames, from: first)
        try queue.enqueue(buffer, trimFramesAtStart: trimStart, trimFramesAtEnd: trimEnd)
        return buffer
    }

    /// Renders `frames` frames, and returns the 16-bit samples of the only stream.
    @discardableResult
    func render(_ frames: Int) -> [Int16] { device.render(frames: frames).first.map(samples) ?? [] }

    /// Renders in small steps until `condition` holds, and returns all samples.
    func render(step: Int = 16, limit: Int = 100_000, until condition: () -> Bool) -> [Int16] {
        var played: [Int16] = []
        while !condition(), played.count < limit {
            played += render(step)
            usleep(20)
        }
        return played
    }

    func startAndWait() throws {
        try queue.start()
        guard eventually({ queue.isRunning }) else { throw QueueError(.cannotStart) }
    }
}

/// The callbacks of a queue, in order.
final class CallLog: Sendable {
    private let buffers = Monitor<[QueueBuffer]>([])
    func add(_ buffer: QueueBuffer) { buffers.withLock { $0.append(buffer) } }
    var all: [QueueBuffer] { buffers.withLock { $0 } }
    var count: Int { buffers.withLock { $0.count } }
}

extension QueueBuffer {
    func fill(frames: Int, from first: Int) {
        unsafe bytes.withMemoryRebound(to: Int16.self) { samples in
            for index in 0..<frames { unsafe samples[index] = Int16(truncatingIfNeeded: first + index) }
        }
        byteCount = frames * 2
    }
}
