// SPDX-License-Identifier: MIT

import AQDevices
import AudioQueues
import CoreAudioTypes
import Dispatch
import PeerKit

/// One queue that plays the signal.
final class OutputPeer: Sendable {
    let queue: OutputQueue

    /// - Parameter filled: Is signalled for every enqueued buffer.
    init(
        _ options: Options, stream: Int, device: any OutputDevice, filled: DispatchSemaphore? = nil
    ) throws {
        let filler = Filler(options, stream: stream)
        queue = try OutputQueue(
            format: .float(channels: options.channels, sampleRate: options.rate), device: device,
            configuration: OutputQueue.Configuration(
                // By default, the device holds only the buffers that the command line requests.
                latency: options.own.goal, name: "peer-audioqueue")
        ) { queue, buffer in
            filler.fill(buffer, of: queue)
            try? queue.enqueue(buffer)  // fails while the queue stops
            filled?.signal()
        }
        try queue.addListener(for: .failure) { queue in
            if let failure = queue.failure { fail("cannot play", failure.message) }
        }
        for _ in 0..<options.buffers {
            let buffer = try queue.allocateBuffer(byteCapacity: options.bufferFrames * options.frameBytes)
            filler.fill(buffer, of: queue)
            try queue.enqueue(buffer)
            filled?.signal()
        }
        try queue.prime()
    }
}

/// Fills buffers: first on the main thread, and on the queue's callback thread once the queue runs.
@safe private final class Filler: @unchecked Sendable {
    // SAFETY: only one thread at a time uses the lane; the other properties are constant.

    private let frameBytes: Int
    private let rate: Double
    private let lane: OpaquePointer

    init(_ options: Options, stream: Int) {
        frameBytes = options.frameBytes
        rate = options.rate
        unsafe lane = peer_lane_of(Int32(stream), Int32(PEER_OUTPUT))
    }

    func fill(_ buffer: QueueBuffer, of queue: OutputQueue) {
        let entry = peer_now()
        let samples = unsafe buffer.bytes.bindMemory(to: Float.self)
        guard let first = samples.baseAddress else { return }
        let predicted = prediction(at: entry, of: queue)
        unsafe peer_play(lane, entry, predicted, first, buffer.byteCapacity / frameBytes)
        buffer.byteCount = buffer.byteCapacity
    }

    /// Returns the time from `entry` until the next frame is audible, in nanoseconds.
    private func prediction(at entry: Int64, of queue: OutputQueue) -> Int64 {
        guard let time = try? queue.currentTime() else { return .min }
        let ahead = (Double(unsafe peer_lane_frame(lane)) - time.playedFrames) / rate
        return Int64(time.hostTime) - entry + Int64(ahead * 1e9)
    }
}
