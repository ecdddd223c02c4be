// SPDX-License-Identifier: MIT

import AQDevices
public import CoreAudioTypes

extension InputQueue {
    /// Allocates a buffer, which belongs to the queue until it is freed or the queue is disposed of.
    ///
    /// - Parameters:
    ///   - byteCapacity: The size of the data memory, 1 to 2^30 bytes. The memory is zeroed and aligned to 16 bytes. It
    ///     holds as many packets as fit if each packet has ``maximumOutputPacketSize`` bytes, so that the duration of a
    ///     buffer does not depend on the audio.
    ///   - packetDescriptionCapacity: The room for packet descriptions in the buffer, up to 2^24. If packets vary in
    ///     size, there is always room for all that fit in the buffer. In other formats the room is not used.
    /// - Throws: ``QueueError/Code/invalidArgument`` for other sizes, ``QueueError/Code/outOfMemory``.
    ///
    /// The corresponding C functions are `AudioQueueAllocateBuffer` and
    /// `AudioQueueAllocateBufferWithPacketDescriptions`.
    public func allocateBuffer(
        byteCapacity: Int, packetDescriptionCapacity: Int = 0
    ) throws(QueueError) -> QueueBuffer {
        let stagingBytes = core.product.stagingBytes(ofBytes: byteCapacity)
        let descriptions =
            format.hasConstantPacketSize
            ? packetDescriptionCapacity
            : max(
                packetDescriptionCapacity,
                min(core.product.packetCapacity(ofBytes: byteCapacity), BufferPool.maximumPacketDescriptions))
        return try usableCore.perform(.use) { (state: inout InputState) throws(QueueError) -> QueueBuffer in
            let buffer = try state.pool.allocate(
                byteCapacity: byteCapacity, descriptionCapacity: descriptions, stagingBytes: stagingBytes)
            do throws(QueueError) {
                try core.reserveBlock(
                    forBytes: byteCapacity, buffers: state.pool.bufferCount, of: state.path,
                    in: &state.encoding.blocks)
            } catch {
                try state.pool.free(buffer)
                throw error
            }
            return buffer
        }
    }

    /// Frees a buffer that is not enqueued. Disposing of the queue frees all buffers.
    ///
    /// - Throws: ``QueueError/Code/bufferInQueue`` if the buffer is enqueued or its callback is still pending,
    ///   ``QueueError/Code/invalidBuffer`` if the queue did not allocate it.
    ///
    /// The corresponding C function is `AudioQueueFreeBuffer`.
    public func free(_ buffer: QueueBuffer) throws(QueueError) {
        try usableCore.perform(.use) { (state: inout InputState) throws(QueueError) in
            try state.pool.free(buffer)
        }
    }

    /// Enqueues a buffer after those enqueued before, to be filled. Its contents are ignored.
    ///
    /// The queue owns the buffer until its callback returns it. A stopped queue keeps the buffer for its next start.
    ///
    /// - Throws: ``QueueError/Code/bufferEnqueuedTwice`` if the buffer is enqueued already;
    ///   ``QueueError/Code/invalidBuffer`` if the queue did not allocate it; ``QueueError/Code/enqueueDuringReset``
    ///   during a reset or stop; ``QueueError/Code/invalidArgument`` if no frame fits, or no packet of the largest
    ///   size.
    ///
    /// The corresponding C function is `AudioQueueEnqueueBuffer`.
    public func enqueue(_ buffer: QueueBuffer) throws(QueueError) { try usableCore.enqueue(buffer) }

    /// Returns a buffer size for about `seconds` of audio.
    ///
    /// The size is computed as in Apple's recording example: seconds × sample rate × the largest packet, at most
    /// 0x50000 bytes, but at least one packet. If a packet has many frames, the packet rate replaces the sample rate.
    ///
    /// - Parameters:
    ///   - maximumPacketSize: The size of the largest packet in bytes, from ``maximumOutputPacketSize``; 0 or less
    ///     selects that of the format.
    ///   - seconds: The duration. Negative values and NaN count as 0.
    /// - Returns: A size in bytes, which may end inside a packet, and the number of packets that always fit.
    public static func deriveBufferSize(
        format: AudioStreamBasicDescription, maximumPacketSize: Int, seconds: Double
    ) -> (bufferByteCount: Int, packetCount: Int) {
        let given = maximumPacketSize > 0 ? maximumPacketSize : Int(format.mBytesPerPacket)
        let packetBytes = min(max(1, given), BufferPool.maximumByteCapacity)
        let rate = format.mSampleRate.clamped(to: 0...AudioStreamBasicDescription.maximumSampleRate)
        // COMPAT: the published example counts a packet as a frame, so that buffers of AAC would last a thousand
        // times the requested time.
        let packets = rate / Double(max(1, format.mFramesPerPacket)) * seconds.clamped(to: 0...1e6)
        let wanted = packets * Double(packetBytes)
        let bytes = max(packetBytes, Int(min(wanted, Double(OutputQueue.bufferByteRange.upperBound))))
        return (bytes, bytes / packetBytes)
    }
}
