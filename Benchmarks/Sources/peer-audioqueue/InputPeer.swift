// SPDX-License-Identifier: MIT

import AQDevices
import AudioQueues
import CoreAudioTypes
import PeerKit

/// One queue that records.
final class InputPeer: Sendable {
    let queue: InputQueue

    init(_ options: Options, stream: Int, source: PulseSource) throws {
        let keeper = Keeper(options, stream: stream)
        queue = try InputQueue(
            format: .float(channels: options.channels, sampleRate: options.rate), device: source,
            configuration: InputQueue.Configuration(name: "peer-audioqueue")
        ) { queue, buffer, info in
            keeper.keep(buffer, info)
            try? queue.enqueue(buffer)  // fails while the queue stops
        }
        try queue.addListener(for: .failure) { queue in
            if let failure = queue.failure { fail("cannot record", failure.message) }
        }
        for _ in 0..<options.buffers {
            try queue.enqueue(queue.allocateBuffer(byteCapacity: options.bufferFrames * options.frameBytes))
        }
    }
}

@safe private final class Keeper: @unchecked Sendable {
    // SAFETY: only the queue's callback thread uses the lane.

    private let frameBytes: Int
    private let lane: OpaquePointer

    init(_ options: Options, stream: Int) {
        frameBytes = options.frameBytes
        unsafe lane = peer_lane_of(Int32(stream), Int32(PEER_INPUT))
    }

    func keep(_ buffer: QueueBuffer, _ info: InputBufferInfo) {
        let entry = peer_now()
        // A stop returns empty buffers.
        guard buffer.byteCount >= frameBytes else { return }
        // Lost frames are logged as a hole, so that later frames keep their numbers.
        if info.lostFramesBefore > 0 {
            unsafe peer_record(lane, entry, .min, nil, Int(info.lostFramesBefore))
        }
        let samples = unsafe buffer.bytes.bindMemory(to: Float.self)
        let age = entry - Int64(info.hostTime)
        unsafe peer_record(lane, entry, age, samples.baseAddress, buffer.byteCount / frameBytes)
    }
}
