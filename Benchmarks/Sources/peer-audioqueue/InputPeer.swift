import AudioDevices
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
            try? queue.enqueue(buffer)  // refused while the queue stops
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
    // SAFETY: the lane is used by the queue's callback thread alone.

    private let frameBytes: Int
    private let lane: OpaquePointer

    init(_ options: Options, stream: Int) {
        frameBytes = options.frameBytes
        unsafe lane = peer_lane_of(Int32(stream), Int32(PEER_INPUT))
    }

    func keep(_ buffer: QueueBuffer, _ info: InputBufferInfo) {
        let entry = peer_now()
        // A stop returns buffers that hold nothing.
        guard buffer.byteCount >= frameBytes else { return }
        // Lost frames keep their place.
        if info.lostFramesBefore > 0 {
            unsafe peer_record(lane, entry, .min, nil, Int(info.lostFramesBefore))
        }
        let samples = unsafe buffer.bytes.bindMemory(to: Float.self)
        let age = entry - Int64(info.hostTime)
        unsafe peer_record(lane, entry, age, samples.baseAddress, buffer.byteCount / frameBytes)
    }
}
