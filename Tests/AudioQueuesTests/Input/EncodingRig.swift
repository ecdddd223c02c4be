// SPDX-License-Identifier: MIT

import AQCodecs
import AQDevices
import CoreAudioTypes
import AQTestSupport

@testable import AudioQueues

/// A callback of a queue that encodes, with copies of the buffer's contents.
struct RecordedPackets: Sendable {
    let buffer: QueueBuffer
    let byteCount: Int
    let packets: [[UInt8]]
    let info: InputBufferInfo
}

/// A queue that encodes, on a manual source.
final class EncodingRig: Sendable {
    typealias Callback = @Sendable (InputQueue, QueueBuffer, InputBufferInfo) -> Void

    let device = ManualSource()
    let queue: InputQueue
    let log: Seen<RecordedPackets>
    /// The frames passed to the stub.
    private let given = FrameTally()

    /// - Parameters:
    ///   - context: What makes the callbacks; nil for the queue's thread.
    ///   - isReal: Whether the format's own encoder is used, and not the stub.
    ///   - failsAtFrame: How many frames the stub encodes.
    ///   - onBufferFilled: What to do in a callback, after it was recorded.
    init(
        format: AudioStreamBasicDescription = .encoded(
            kAudioFormatMPEG4AAC, framesPerPacket: 0, channels: 1, sampleRate: 48000),
        configuration: InputQueue.Configuration = .init(heldSeconds: 0),
        context: (any CallbackContext)? = nil, isReal: Bool = false, failsAtFrame: Int = .max,
        onBufferFilled: @escaping Callback = { queue, buffer, _ in try? queue.enqueue(buffer) }
    ) throws {
        let log = Seen<RecordedPackets>()
        self.log = log
        let given = given
        queue = try InputQueue(
            core: InputCore(
                format: format, device: device, configuration: configuration,
                context: context,
                makeEncoder: { (format, settings) throws(QueueError) in
                    isReal
                        ? try InputCore.makeEncoder(of: format, settings: settings)
                        : StubEncoder(format, failsAtFrame: failsAtFrame, given: given)
                }
            ) { queue, buffer, info in
                let bytes = unsafe [UInt8](buffer.bytes.prefix(buffer.byteCount))
                let descriptions = unsafe Array(
                    buffer.packetDescriptions.prefix(buffer.packetDescriptionCount))
                let packets = descriptions.map { packet in
                    let start = Int(packet.mStartOffset)
                    return Array(bytes[start..<start + Int(packet.mDataByteSize)])
                }
                log.add(
                    RecordedPackets(buffer: buffer, byteCount: buffer.byteCount, packets: packets, info: info)
                )
                onBufferFilled(queue, buffer, info)
            })
    }

    /// Allocates and enqueues buffers that each hold a number of the stub's packets.
    func enqueue(buffers: Int, packets: Int) throws {
        for _ in 0..<buffers {
            try queue.enqueue(
                queue.allocateBuffer(byteCapacity: packets * queue.maximumOutputPacketSize + 3))
        }
    }

    /// Captures samples equal to their index in the sequence, in pieces that fit.
    func capture(_ range: Range<Int>) {
        unsafe counting(range).withUnsafeBytes { unsafe device.capture($0) }
    }

    /// The samples in all packets so far, including priming.
    var recorded: [Int16] {
        log.all.flatMap(\.packets).flatMap { samples(Array($0.prefix(StubEncoder.framesPerPacket * 2))) }
    }

    func waitForCallbacks(_ callbacks: Int) -> Bool { eventually { log.all.count >= callbacks } }

    /// Waits until the stub has a number of frames, including silence.
    func waitForEncoder(frames: Int) -> Bool { eventually { given.frames >= frames } }
}
